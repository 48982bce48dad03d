/** One thread and `--nocapture`: `test a::b ... ` comes first, then what the test prints, and its status word last. */
import type { Out } from '../../format.js';
import { BEGIN } from './shapes.js';
import { statusOf, unfinished } from './status.js';

const STATUS_ALONE = /^(?:.* )?(?:ok|FAILED)$/;
/** How far back the beginning of a test is looked for. */
const LINES = 400;

export class Pending {
  readonly #out: Out;
  #name: string | undefined;

  constructor(out: Out) {
    this.#out = out;
  }

  set(name: string | undefined): void {
    this.#name = name;
  }

  /** The status of the test whose output came between is the word before the current line. */
  settle(): void {
    const name = this.#name;
    for (let n = 1; n <= 3 && name !== undefined; n++) {
      const before = this.#out.back(n);
      if (before === undefined || before.text === '') continue;
      if (!STATUS_ALONE.test(before.text)) return;
      this.#name = undefined;
      if (this.#out.outcomes && before.text.endsWith('ok')) this.#out.outcome('passed', name, before);
      return;
    }
  }

  /** The test that had begun when the current line was printed. */
  running(): string | undefined {
    for (let n = 1; n <= LINES; n++) {
      const text = this.#out.back(n)?.text;
      if (text === undefined || BEGIN.test(text) || statusOf(text) !== undefined) return undefined;
      const name = unfinished(text);
      if (name !== undefined) return name;
    }
    return undefined;
  }
}
