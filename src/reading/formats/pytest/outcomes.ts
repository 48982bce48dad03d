/** What a pytest session says of tests that did not fail, and of attempts that were repeated. */
import type { Fields, Line, Out } from '../../format.js';
import { fileOf, nameOf } from './lines.js';

/** How many passed tests are held back: an error in the tear-down follows at once, but for what other workers say. */
const PENDING = 64;

const named = (id: string) => ({ suite: fileOf(id), name: nameOf(id) });

export class Outcomes {
  readonly #out: Out;
  #pending = new Map<string, { result: 'passed' | 'skipped'; line: Line; fields: Fields }>();
  #attempts = new Map<string, number>();
  /** Status lines name all tests: the summary adds nothing. */
  #verbose = false;

  constructor(out: Out) {
    this.#out = out;
  }

  /** A status line: which attempt it speaks of, where a test was repeated. */
  status(word: string, id: string, line: Line): { attempt?: number } {
    this.#verbose = true;
    const before = this.#attempts.get(id) ?? 0;
    const again = before === 0 ? {} : { attempt: before + 1 };
    if (word === 'RERUN') this.#rerun(id, before + 1, line);
    else if (/FAIL(?:ED)?$|^ERROR$/.test(word) && word !== 'XFAIL') this.#pending.delete(id);
    else if (this.#out.outcomes) {
      this.#pending.set(id, { result: resultOf(word), line, fields: { ...again, ...named(id) } });
      if (this.#pending.size > PENDING) this.#flush(1);
    }
    return again;
  }

  #rerun(id: string, attempt: number, line: Line): void {
    this.#attempts.set(id, attempt);
    if (!this.#out.outcomes) return;
    const key = `${id} ${attempt}`;
    this.#out.part('status', key, line, { id, ...named(id), attempt });
    this.#out.drop(key);
  }

  /** A line of the summary (-rA). */
  summary(word: string, id: string, line: Line): void {
    if (!this.#out.outcomes || this.#verbose || !id.includes('::')) return;
    this.#out.outcome(resultOf(word), id, line, named(id));
  }

  close(): void {
    this.#flush(this.#pending.size);
    this.#attempts.clear();
    this.#verbose = false;
  }

  #flush(n: number): void {
    for (const [id, { result, line, fields }] of [...this.#pending].slice(0, n)) {
      this.#pending.delete(id);
      this.#out.outcome(result, id, line, fields);
    }
  }
}

const resultOf = (word: string): 'passed' | 'skipped' => (/PASS/.test(word) ? 'passed' : 'skipped');
