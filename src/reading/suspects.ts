/**
 * Exactness: the input is accounted for in chunks of 4 KiB. A line that looks like a failure and that nobody took makes
 * its chunk inexact, unless a block or a status line claims it while it is within reach (64 KiB). What is left is said,
 * one `unread` record a chunk: nothing is lost silently.
 */
import type { Unread } from '../record/types.js';
import type { Line } from './format.js';
import { REACH } from './window.js';

export const CHUNK = 4096;
/** How much of the text of one chunk's suspects an `unread` record repeats. */
const TEXT = 1024;

/** What a reader must look at: these words alone, in any case, or the name of an error or exception class. */
export const WORDS = ['error', 'fail', 'panic', 'fatal', 'crash', 'exception', 'assertion'];

const WORD = /\b(?:errors?|fail(?:s|ed|ures?)?|panic(?:s|ked)?|fatal|crash(?:ed|es)?|exceptions?|assertions?)\b/i;
const CLASS = /\w(?:Error|Exception)\b/;

export const looksLikeFailure = (text: string): boolean => WORD.test(text) || CLASS.test(text);

export class Suspects {
  #lines: Line[] = [];
  #say: (record: Unread) => void;
  /** How many chunks are known not to be exact. */
  inexact = 0;

  constructor(say: (record: Unread) => void) {
    this.#say = say;
  }

  add(line: Line): void {
    this.#lines.push(line);
  }

  /** A block or a status line explains a line read earlier. */
  claim(off: number): void {
    if (this.#lines.length === 0) return;
    const at = this.#lines.findIndex(line => line.off === off);
    if (at >= 0) this.#lines.splice(at, 1);
  }

  /** Whether the line that begins at `off` is still unexplained. */
  has(off: number): boolean {
    return this.#lines.some(line => line.off === off);
  }

  /** Says what is out of reach from `off`: offsets decide, never timing. */
  settle(off: number): void {
    while (this.#lines.length > 0) {
      const chunk = Math.floor((this.#lines[0] as Line).off / CHUNK);
      if ((chunk + 1) * CHUNK + REACH > off) return;
      this.#report(chunk);
    }
  }

  #report(chunk: number): void {
    const end = this.#lines.findIndex(line => Math.floor(line.off / CHUNK) !== chunk);
    const lines = this.#lines.splice(0, end < 0 ? this.#lines.length : end);
    const text = lines.map(line => line.text.trim()).join('\n');
    this.inexact++;
    this.#say({
      type: 'unread',
      text: text.slice(0, TEXT).toWellFormed(),
      log: { first: (lines[0] as Line).no, last: (lines.at(-1) as Line).no },
      ...(text.length > TEXT ? { cut: true as const } : {}),
    });
  }
}
