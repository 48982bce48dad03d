/**
 * What package managers print around what a script does, where both go into one file (`yarn test --json >report.json`):
 * above it headings, below it how it ended, each on a line of its own that cannot stand in JSON.
 */

/** Npm and pnpm: `> shop@1.0.0 test`, `> jest --json`; yarn 1: `yarn run v1.22.22`, `$ jest --json`. */
export const HEADINGS = /^\ufeff?\s*(?:(?:[>$] |yarn run v\d)[^\n]*\n\s*)*/;
/** How a heading begins, where all that is before the document is known to be headings. */
export const HEADING = /^\ufeff?\s*(?:[>$y]|$)/;

const CLOSING =
  /^\s*(?:Done in \d[\d.]*s\b|error Command failed with |info Visit https:\/\/yarnpkg\.com\/|npm (?:error|ERR!|notice|warn|WARN)(?:\s|$)|ELIFECYCLE\s)/;
/** A line that begins so may be one. */
const MAYBE = /^\s*(?:[DEein]|$)/;
/** So much of a line tells. */
const TELLING = 100;

/** Takes out the lines that follow a whole document. */
export class Closings {
  /** Whether what stands before the line at hand is whole. */
  readonly #whole: () => boolean;
  /** The line at hand; its beginning, until it is known what it is. */
  no = 0;
  #held: string | undefined;
  #out = false;

  constructor(whole: () => boolean) {
    this.#whole = whole;
  }

  /** The next piece of a line. @returns what is known to belong to a document */
  pass(text: string, no: number): string {
    if (no !== this.no) {
      this.no = no;
      this.#held = '';
      this.#out = false;
    }
    if (this.#held === undefined) return this.#out ? '' : text;
    this.#held += text;
    const told = this.#held.length >= TELLING || text.endsWith('\n') || !MAYBE.test(this.#held);
    return told ? this.rest() : '';
  }

  /** What is held of a line of which no more needs to come. */
  rest(): string {
    const held = this.#held ?? '';
    this.#held = undefined;
    this.#out = CLOSING.test(held.slice(0, TELLING)) && this.#whole();
    return this.#out ? '' : held;
  }
}
