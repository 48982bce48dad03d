/** On which line of the input a byte stands. */

const LF = 10;

/** Told of the bytes as they come, asked for places in them in their order. */
export class Lines {
  /** The line reached so far. */
  no = 1;
  #bytes: Uint8Array = new Uint8Array();
  /** Offset of these bytes among all, and of the next line end. */
  #from = 0;
  #lf = -1;

  next(bytes: Uint8Array, no: number): void {
    this.#from += this.#bytes.length;
    this.#bytes = bytes;
    this.no = no;
    this.#find(0);
  }

  seek(offset: number): void {
    while (this.#lf < offset) {
      this.no++;
      this.#find(this.#lf - this.#from + 1);
    }
  }

  #find(at: number): void {
    const lf = this.#bytes.indexOf(LF, at);
    this.#lf = lf < 0 ? Number.POSITIVE_INFINITY : this.#from + lf;
  }
}
