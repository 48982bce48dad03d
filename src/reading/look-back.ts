/**
 * The lines before the current one, split, decoded and undressed only when somebody asks; remembered, since blocks ask
 * step by step and neighbours ask for the same lines.
 */
import type { Undressed } from './undress.js';
import { REACH, type Window } from './window.js';

interface Past {
  start: number;
  raw: string;
  undressed?: Undressed;
  /** The evidence for prefixes of which `undressed` was made. */
  evidence: number;
}

const LF = 10;
const CR = 13;
/** Lines remembered; over it all are forgotten. */
const MEMORY = 8192;

export class LookBack {
  readonly #window: Window;
  #start = 0;
  /** The line before the current one, the one before that, … */
  #past: Past[] = [];
  /** By the offset behind its line end. */
  readonly #memory = new Map<number, Past>();

  constructor(window: Window) {
    this.#window = window;
  }

  /** From now on the current line is the one at index `start` of the window. */
  at(start: number): void {
    this.#start = this.#window.base + start;
    if (this.#past.length > 0) this.#past = [];
    if (this.#memory.size > MEMORY) this.#memory.clear();
  }

  /** The n-th line before the current one, as it is in the input; undefined where it is out of reach. */
  raw(n: number): string | undefined {
    while (this.#past.length < n) {
      const past = this.#before(this.#past.at(-1)?.start ?? this.#start);
      if (past === undefined) return undefined;
      this.#past.push(past);
    }
    return (this.#past[n - 1] as Past).raw;
  }

  /** That line undressed, if that was done by what is evident now. `raw(n)` must have been asked before. */
  undressed(n: number, evidence: number): Undressed | undefined {
    const past = this.#past[n - 1] as Past;
    return past.evidence === evidence ? past.undressed : undefined;
  }

  /** Remembers it. */
  dress(n: number, evidence: number, undressed: Undressed): Undressed {
    const past = this.#past[n - 1] as Past;
    past.undressed = undressed;
    past.evidence = evidence;
    return undressed;
  }

  /** Where in the input it begins. */
  offset(n: number): number {
    return (this.#past[n - 1] as Past).start;
  }

  /** The line that ends before the offset `next`. */
  #before(next: number): Past | undefined {
    let past = this.#memory.get(next);
    if (past === undefined) {
      past = this.#read(next);
      if (past === undefined) return undefined;
      this.#memory.set(next, past);
    }
    // `>=`: a line that begins exactly at the reach may or may not have its line end before it at hand.
    return this.#start - past.start >= REACH ? undefined : past;
  }

  #read(next: number): Past | undefined {
    const { bytes, base } = this.#window;
    const end = next - base - 1;
    if (end < 0) return undefined;
    const lf = end === 0 ? -1 : bytes.lastIndexOf(LF, end - 1);
    if (lf < 0 && base > 0) return undefined;
    const stop = end > lf + 1 && bytes[end - 1] === CR ? end - 1 : end;
    return { start: base + lf + 1, raw: bytes.toString('utf8', lf + 1, stop), evidence: -1 };
  }
}
