/** What a run says of itself as a whole, and what was read of it. */
import type { Out, Tally } from '../../format.js';
import { count, isRight } from '../shared/json.js';
import type { Ended, Test } from './test.js';

const NO_FILES = 'No test files found, exiting with code 1';

export class Totals {
  readonly #said = new Map<string, unknown>();
  readonly #read: Record<Ended, number> = { passed: 0, failed: 0, skipped: 0, unended: 0 };
  /** How many there were of files, and of those that failed. */
  files = 0;
  failedFiles = 0;
  /** A test did not end. */
  unended = false;
  /** A file or a test of which it is not told how it ended. */
  unknown = false;

  say(name: string, value: unknown): void {
    this.#said.set(name, value);
  }

  add({ result }: Test): void {
    if (result === undefined) this.unknown = true;
    else this.#read[result]++;
  }

  /** Vitest writes nearly what jest writes, but knows no run-time errors. */
  get tool(): 'jest' | 'vitest' {
    return this.#said.has('numRuntimeErrorTestSuites') ? 'jest' : 'vitest';
  }

  get #success(): boolean {
    return this.#said.get('success') !== false;
  }

  /** Whether there is a list of files, be it empty. */
  get #listed(): boolean {
    return Array.isArray(this.#said.get('testResults'));
  }

  /** No file was found, so no run took place. */
  get #isEmpty(): boolean {
    const none = this.#number('numTotalTestSuites') === 0 && this.#number('numTotalTests') === 0;
    return this.#listed && this.files === 0 && none;
  }

  /** What made a run red that has no failing test. */
  get unexplained(): { kind: 'build' | 'crash'; message: string } | undefined {
    if (this.#success || this.failedFiles > 0 || this.unknown) return undefined;
    if (this.#isEmpty) return { kind: 'build', message: NO_FILES };
    return this.files > 0 ? { kind: 'crash', message: 'the run failed, and none of its tests did' } : undefined;
  }

  /** Why the run ended before its time. */
  get early(): Parameters<Out['early']>[0] | undefined {
    if (this.tool === 'vitest') return this.unended ? (this.#read.failed > 0 ? 'failFast' : 'crash') : undefined;
    if (this.#said.get('wasInterrupted') === true) return 'bailOut';
    return this.#listed && this.files < this.#number('numTotalTestSuites') ? 'failFast' : undefined;
  }

  /** Undefined where there was no run. */
  get tally(): Tally | undefined {
    if (this.#isEmpty) return undefined;
    // Jest counts the files, too: what is missing there is missing here.
    const files = this.tool === 'jest' ? this.failedFiles - this.#number('numFailedTestSuites') : 0;
    return {
      passed: this.#number('numPassedTests'),
      failed: this.#number('numFailedTests'),
      skipped: this.#skipped,
      counted: this.#read.failed + files,
      result: this.#success ? 'passed' : 'failed',
      ...(!this.#isRight && { agrees: false }),
    };
  }

  /** Whether the other counts are those of what was read, too. */
  get #isRight(): boolean {
    const { passed, failed, skipped, unended } = this.#read;
    const total = passed + failed + skipped + unended;
    if (this.unknown || !this.#listed || !isRight(this.#said.get('numTotalTests'), total)) return false;
    const said = this.#said.get('numPassedTests');
    // To vitest before 2.1 all passed that did not fail, and nothing was skipped.
    const old = this.tool === 'vitest' && said !== passed && said === total - failed;
    if (!old && !isRight(said, passed)) return false;
    // What did not end is pending to vitest in some cases only.
    const least = old || !this.#said.has('numPendingTests') ? 0 : skipped;
    return this.#skipped >= least && this.#skipped <= skipped + unended;
  }

  get #skipped(): number {
    return this.#number('numPendingTests') + this.#number('numTodoTests');
  }

  #number(name: string): number {
    return count(this.#said.get(name)) ?? 0;
  }
}
