/** The bytes at hand: what was read and not yet looked at, and the last 64 KiB before it for looking back. */

/** How far a reader can look back, and how long a line may be; both in bytes. */
export const REACH = 65_536;
const SIZE = 16 * REACH;
/** The sieve reads whole words, up to two behind the end. */
const SPARE = 8;

export class Window {
  readonly bytes = Buffer.alloc(SIZE + SPARE);
  readonly words = new Int32Array(this.bytes.buffer, this.bytes.byteOffset, (SIZE + SPARE) >> 2);
  /** Input offset of `bytes[0]`. */
  base = 0;
  /** Index of the first byte not looked at. */
  pos = 0;
  /** Index behind the last byte read. */
  end = 0;

  /** Free space to read into: at least 64 KiB, since no more than a line of that length is ever left over. */
  room(): Buffer {
    if (SIZE - this.end < 4 * REACH) this.#shift();
    return this.bytes.subarray(this.end, SIZE);
  }

  #shift(): void {
    const keep = this.pos - REACH;
    if (keep <= 0) return;
    this.bytes.copyWithin(0, keep, this.end);
    this.base += keep;
    this.pos -= keep;
    this.end -= keep;
  }
}
