/** PowerShell's `>` writes UTF-16: recognised by its byte order mark and turned into UTF-8 before anything looks at it. */
import { TextDecoder } from 'node:util';

export class Utf16 {
  #decoder: TextDecoder;

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.#decoder = new TextDecoder(encoding);
  }

  /** @returns undefined when the first two bytes are not UTF-16's mark */
  static sniff(bytes: Uint8Array, length: number): Utf16 | undefined {
    if (length < 2) return undefined;
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new Utf16('utf-16le');
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new Utf16('utf-16be');
    return undefined;
  }

  decode(chunk: Uint8Array): Buffer {
    return Buffer.from(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): Buffer {
    return Buffer.from(this.#decoder.decode());
  }
}
