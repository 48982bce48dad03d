/** What a run says of itself as a whole, and what was read of it. */
import type { Out, Tally } from '../../format.js';
import { count } from '../shared/json.js';

const NO_FILES = 'No test files found, exiting with code 1';

export class Totals {
  readonly #said = new Map<string, unknown>();
  /** How many there were of files, of those that failed, and of failed tests. */
  files = 0;
  failedFiles = 0;
  failedTests = 0;
  /** A test did not end. */
  unended = false;

  say(name: string, value: unknown): void {
    this.#said.set(name, value);
  }

  /** Vitest writes nearly what jest writes, but knows no run-time errors. */
  get tool(): 'jest' | 'vitest' {
    return this.#said.has('numRuntimeErrorTestSuites') ? 'jest' : 'vitest';
  }

  get #success(): boolean {
    return this.#said.get('success') !== false;
  }

  /** What made a run red that has no failing test. */
  get unexplained(): { kind: 'build' | 'crash'; message: string } | undefined {
    if (this.#success || this.failedFiles > 0) return undefined;
    return this.files === 0
      ? { kind: 'build', message: NO_FILES }
      : { kind: 'crash', message: 'the run failed, and none of its tests did' };
  }

  /** Why the run ended before its time. */
  get early(): Parameters<Out['early']>[0] | undefined {
    if (this.tool === 'vitest') return this.unended ? (this.failedTests > 0 ? 'failFast' : 'crash') : undefined;
    if (this.#said.get('wasInterrupted') === true) return 'bailOut';
    return this.files < this.#number('numTotalTestSuites') ? 'failFast' : undefined;
  }

  get tally(): Tally {
    // Jest counts the files, too: what is missing there is missing here.
    const files = this.tool === 'jest' ? this.failedFiles - this.#number('numFailedTestSuites') : 0;
    return {
      passed: this.#number('numPassedTests'),
      failed: this.#number('numFailedTests'),
      skipped: this.#number('numPendingTests') + this.#number('numTodoTests'),
      counted: this.failedTests + files,
      result: this.#success ? 'passed' : 'failed',
    };
  }

  #number(name: string): number {
    return count(this.#said.get(name)) ?? 0;
  }
}
