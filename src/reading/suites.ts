/**
 * What the suites of a run say of tests that they do not name. Many runners print only what fails: of a test that did not,
 * nothing is known but that its suite ended, and that the suite's own count leaves no room for another failure.
 */
import type { Outcome, Suite } from '../record/types.js';

/** What became of one suite, over all the times it ran; or of all that a tool ran. */
export interface SuiteSeen {
  ended: boolean;
  agrees: boolean;
  tool: string;
  /** How many tests it ran, and how many of them passed, by the runner's count; NaN when it does not say. */
  total: number;
  passed: number;
  skipped: number;
  /** How many of those that passed, and of those that were skipped, were named. */
  namedPassed: number;
  namedSkipped: number;
  /** It is said each time how many were skipped. */
  saysSkipped: boolean;
}

export class Suites {
  readonly #suites = new Map<string, SuiteSeen>();
  /** By tool: what is said of the whole run, without a suite. */
  readonly #sessions = new Map<string, SuiteSeen>();
  /** Tools that did not name all that passed. */
  readonly #reticent = new Set<string>();

  outcome({ result, suite, tool }: Outcome): void {
    if (result === 'failed') return;
    const seen = suite === undefined ? this.#of(this.#sessions, tool, tool) : this.#of(this.#suites, suite, tool);
    if (result === 'passed') seen.namedPassed++;
    else seen.namedSkipped++;
  }

  suite({ suite, tool, agrees, passed = Number.NaN, failed = Number.NaN, skipped }: Suite): void {
    const seen = suite === undefined ? this.#of(this.#sessions, tool, tool) : this.#of(this.#suites, suite, tool);
    seen.ended = true;
    seen.agrees &&= agrees;
    seen.tool = tool;
    seen.total += passed + failed + (skipped ?? 0);
    seen.passed += passed;
    seen.skipped += skipped ?? 0;
    seen.saysSkipped &&= skipped !== undefined;
  }

  get(name: string): SuiteSeen | undefined {
    return this.#suites.get(name);
  }

  /** The run is over: what its suites named counts for the whole, too. */
  end(): void {
    const named = new Map<string, { passed: number; counted: number }>();
    for (const suite of this.#suites.values()) {
      const session = this.#sessions.get(suite.tool);
      if (session !== undefined) {
        session.namedPassed += suite.namedPassed;
        session.namedSkipped += suite.namedSkipped;
      }
      const all = named.get(suite.tool) ?? { passed: 0, counted: 0 };
      all.passed += suite.namedPassed;
      // One that does not count says at least whether it named any.
      all.counted += atLeast(suite);
      named.set(suite.tool, all);
    }
    for (const [tool, { passed, counted }] of named) if (passed < counted) this.#reticent.add(tool);
    for (const [tool, session] of this.#sessions) {
      if (!session.ended) continue;
      if (session.namedPassed < atLeast(session)) this.#reticent.add(tool);
      else if (!Number.isNaN(session.passed)) this.#reticent.delete(tool);
    }
  }

  /** Whether there are tests that passed in the run, which is over, and that the tool did not name. */
  isReticent(tool?: string): boolean {
    return tool === undefined ? this.#reticent.size > 0 : this.#reticent.has(tool);
  }

  /** What a tool says of its whole run, when that is over; undefined: nothing. */
  session(tool: string): SuiteSeen | undefined {
    const session = this.#sessions.get(tool);
    return session?.ended ? session : undefined;
  }

  /**
   * Whether a suite ended, its count agrees and it skipped nothing: what it does not list as failed did not fail. But where
   * it named all that passed, a test that it did not name did not run.
   */
  clears(name: string): boolean {
    const suite = this.#suites.get(name);
    if (!suite?.ended || !suite.agrees) return false;
    // Where the suite does not say itself what it skipped, the run may.
    if (suite.skipped > 0 || (!suite.saysSkipped && (this.#sessions.get(suite.tool)?.skipped ?? 0) > 0)) return false;
    return Number.isNaN(suite.passed) ? suite.namedPassed === 0 : suite.namedPassed < suite.passed;
  }

  #of(map: Map<string, SuiteSeen>, name: string, tool: string): SuiteSeen {
    let seen = map.get(name);
    if (seen === undefined) {
      seen = { ...NOTHING, tool };
      map.set(name, seen);
    }
    return seen;
  }
}

/** How many passed; where that is not counted, and none is named, there may be one. */
const atLeast = ({ passed, namedPassed }: SuiteSeen): number =>
  Number.isNaN(passed) ? Math.max(1, namedPassed) : passed;

const NOTHING: Omit<SuiteSeen, 'tool'> = {
  ended: false,
  agrees: true,
  total: 0,
  passed: 0,
  skipped: 0,
  namedPassed: 0,
  namedSkipped: 0,
  saysSkipped: true,
};
