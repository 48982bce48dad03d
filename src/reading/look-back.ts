/** The lines before the current one, split and decoded only when somebody asks; memoised, since blocks ask step by step. */
import type { Undressed } from './undress.js';
import { REACH, type Window } from './window.js';

interface Past {
  start: number;
  raw: string;
  undressed?: Undressed;
}

const LF = 10;
const CR = 13;

export class LookBack {
  readonly #window: Window;
  #start = 0;
  #no = 0;
  /** The line before, the one before that, … */
  #past: Past[] = [];

  constructor(window: Window) {
    this.#window = window;
  }

  /** From now on the current line is the one at index `start` of the window, number `no`. */
  at(start: number, no: number): void {
    const off = this.#window.base + start;
    if (off === this.#start && no === this.#no) return;
    this.#start = off;
    this.#no = no;
    this.#past.length = 0;
  }

  /** The n-th line before the current one, as it is in the input; undefined where it is out of reach. */
  raw(n: number): string | undefined {
    while (this.#past.length < n) {
      const past = this.#read();
      if (past === undefined) return undefined;
      this.#past.push(past);
    }
    return (this.#past[n - 1] as Past).raw;
  }

  /** That line undressed; `undress` is called at most once for it. `raw(n)` must have been asked before. */
  undressed(n: number, undress: () => Undressed): Undressed {
    const past = this.#past[n - 1] as Past;
    past.undressed ??= undress();
    return past.undressed;
  }

  /** Where in the input it begins. */
  offset(n: number): number {
    return (this.#past[n - 1] as Past).start;
  }

  #read(): Past | undefined {
    const { bytes, base } = this.#window;
    const last = this.#past.at(-1)?.start ?? this.#start;
    if (last === 0) return undefined;
    const end = last - base - 1;
    const lf = end === 0 ? -1 : bytes.lastIndexOf(LF, end - 1);
    const start = base + lf + 1;
    // `>=`: a line that begins exactly at the reach may or may not have its line end before it at hand.
    if (this.#start - start >= REACH || (lf < 0 && base > 0)) return undefined;
    const stop = end > lf + 1 && bytes[end - 1] === CR ? end - 1 : end;
    return { start, raw: bytes.toString('utf8', lf + 1, stop) };
  }
}
