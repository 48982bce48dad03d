/**
 * What the suites of a run say of tests that they do not name. Many runners print only what fails: of a test that did not,
 * nothing is known but that its suite ended, and that the suite's own count leaves no room for another failure.
 */
import type { Outcome, Suite } from '../record/types.js';

/** What became of one suite, over all the times it ran. */
export interface SuiteSeen {
  ended: boolean;
  agrees: boolean;
  tool: string;
  /** How many tests passed by the runner's count; NaN when it does not say. */
  passed: number;
  /** How many of them were named. */
  named: number;
  /** Some were skipped; and whether that is said each time. */
  skipped: boolean;
  saysSkipped: boolean;
}

export class Suites {
  readonly #seen = new Map<string, SuiteSeen>();
  /** Tools that skipped tests of suites which they do not name. */
  readonly #skipping = new Set<string>();

  outcome({ result, suite, tool }: Outcome): void {
    if (result === 'passed' && suite !== undefined) this.#of(suite, tool).named++;
  }

  suite({ suite, tool, agrees, passed = Number.NaN, skipped }: Suite): void {
    if (suite === undefined) {
      if (skipped) this.#skipping.add(tool);
      return;
    }
    const seen = this.#of(suite, tool);
    seen.ended = true;
    seen.agrees &&= agrees;
    seen.tool = tool;
    seen.passed += passed;
    seen.skipped ||= skipped !== undefined && skipped > 0;
    seen.saysSkipped &&= skipped !== undefined;
  }

  get(name: string): SuiteSeen | undefined {
    return this.#seen.get(name);
  }

  /**
   * The names of the suites that ended, whose count agrees and that skipped nothing: what they do not list as failed did
   * not fail. But where a suite named all that passed, a test that it did not name did not run.
   */
  clear(): string[] {
    return [...this.#seen.keys()].filter(name => this.clears(name));
  }

  /** Whether it is one of those. */
  clears(name: string): boolean {
    const suite = this.#seen.get(name);
    if (!suite?.ended || !suite.agrees) return false;
    // Where the suite does not say itself what it skipped, the run may.
    if (suite.skipped || (!suite.saysSkipped && this.#skipping.has(suite.tool))) return false;
    return Number.isNaN(suite.passed) ? suite.named === 0 : suite.named < suite.passed;
  }

  #of(name: string, tool: string): SuiteSeen {
    let seen = this.#seen.get(name);
    if (seen === undefined) {
      seen = { ended: false, agrees: true, tool, passed: 0, named: 0, skipped: false, saysSkipped: true };
      this.#seen.set(name, seen);
    }
    return seen;
  }
}
