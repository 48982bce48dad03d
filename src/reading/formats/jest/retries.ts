/**
 * `jest.retryTimes(2, { logErrorsBeforeRetry: true })`: before the section of a file stands, of each of its tests that was
 * retried, ` LOGGING RETRY ERRORS  suite test`, and for every attempt that failed ` RETRY 1 ` and its error.
 */
import type { Block, Line } from '../../format.js';

const TEST = /^ ?LOGGING RETRY ERRORS {1,2}(\S.*)$/;
const ATTEMPT = /^ ?RETRY \d+ ?$/;
/** Tests of one file, and attempts of one test. */
const TESTS = 2000;
const ATTEMPTS = 100;

export class Retries {
  /** The lines of the attempts by the test's full name, in which jest joins the titles with a blank. */
  readonly #attempts = new Map<string, Line[]>();

  /** A block for the first line of such a report; undefined: it is none. */
  block({ text }: Line): Block | undefined {
    const name = TEST.exec(text)?.[1];
    if (name === undefined) return undefined;
    let attempts = this.#of(name);
    return {
      line: line => {
        const next = TEST.exec(line.text)?.[1];
        if (next !== undefined) {
          attempts = this.#of(next);
        } else if (ATTEMPT.test(line.text)) {
          if (attempts.length < ATTEMPTS) attempts.push(line);
        } else if (line.text !== '' && !/^ {4}/.test(line.text)) {
          return undefined;
        }
        return 'more';
      },
    };
  }

  #of(name: string): Line[] {
    const attempts: Line[] = this.#attempts.get(name) ?? [];
    if (this.#attempts.size < TESTS) this.#attempts.set(name, attempts);
    return attempts;
  }

  /** The attempts that failed before the one that counts; they are handed out once. */
  take(name: string): Line[] {
    const attempts = this.#attempts.get(name) ?? [];
    this.#attempts.delete(name);
    return attempts;
  }

  /** What nobody took. */
  rest(): Iterable<[string, Line[]]> {
    return this.#attempts;
  }
}
