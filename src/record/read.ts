/** Our own records, one JSON object a line. */
import { AidoError } from '../base/error.js';
import { Lines } from '../base/lines.js';
import type { AidoRecord } from './types.js';
import { isKnownType, validate } from './validate.js';

/** A record of ours is far shorter: `unread` holds 64 KiB, its escapes at most six times that. */
export const CAP = 1 << 20;

/**
 * Called with a record and the line it stood on. Records of types that we do not know come too: they are to be passed
 * through as they are.
 */
export type OnRecord = (record: AidoRecord, line: string) => void;

/** Whether the first line of an input is a record of ours: then all of the input is. A log that holds one is a log. */
export function isRecordLine(text: string): boolean {
  const record = /^\s*\{/.test(text) ? parse(text) : undefined;
  return record !== undefined && isKnownType(record.type) && validate(record) === undefined;
}

/** Reads records from bytes, whatever the chunking. CRLF, blank lines and byte order marks are fine. */
export class RecordReader {
  private readonly lines: Lines;
  private no = 0;

  /** @param onRecord is called before `write` returns */
  constructor(private readonly onRecord: OnRecord) {
    this.lines = new Lines((text, cut) => this.line(text, cut), CAP);
  }

  /** @throws AidoError BAD_INPUT: a line that is not a record, or not what the schema of its type says */
  write(chunk: Uint8Array): void {
    this.lines.write(chunk);
  }

  end(): void {
    this.lines.end();
  }

  private line(text: string, cut: boolean): void {
    this.no++;
    if (text.trim() === '') return;
    if (cut) throw this.error(`is longer than ${CAP} bytes`);
    const record = parse(text);
    if (!record) throw this.error('is not a JSON object (a record)');
    const wrong = validate(record);
    if (wrong) throw this.error(`is not a valid record: ${wrong}`);
    this.onRecord(record, text);
  }

  private error(what: string): AidoError {
    return new AidoError('BAD_INPUT', `line ${this.no} ${what}`);
  }
}

function parse(text: string): AidoRecord | undefined {
  try {
    // Files that PowerShell wrote begin with a byte order mark, and so do the parts of what `cat` makes of several.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AidoRecord) : undefined;
  } catch {
    return undefined;
  }
}
