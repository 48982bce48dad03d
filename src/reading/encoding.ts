/** In which encoding a document is written: its byte order mark says so, or its XML declaration; else it is UTF-8. */
import { TextDecoder } from 'node:util';
import { AidoError } from '../base/error.js';

const DECLARED = /^<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/;
/** An XML declaration is not longer, in bytes. */
export const DECLARATION = 256;

/**
 * A decoder of what begins so.
 * @throws AidoError BAD_INPUT: an encoding that nobody here knows
 */
export function decoderOf(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  const declared = DECLARED.exec(Buffer.from(head.subarray(0, DECLARATION)).toString('latin1'))?.[1] ?? 'utf-8';
  // What says so of itself in bytes of one each is not.
  if (/^utf-?16/i.test(declared)) return new TextDecoder('utf-8');
  try {
    return new TextDecoder(declared);
  } catch {
    throw new AidoError('BAD_INPUT', `line 1: the encoding ${declared} is not known; convert it to UTF-8`);
  }
}
