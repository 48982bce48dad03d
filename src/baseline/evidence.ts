/** What a run shows of the tests that did not fail in it. */
import type { AidoRecord, Fixed, Outcome, Suite } from '../record/types.js';

/** What became of one suite, over all the times it ran. */
interface SuiteSeen {
  ended: boolean;
  agrees: boolean;
  /** How many tests passed by the runner's count; NaN when it does not say. */
  passed: number;
  /** How many of them were named. */
  named: number;
}

export class Evidence {
  private readonly results = new Map<string, Outcome['result']>();
  private readonly suites = new Map<string, SuiteSeen>();

  /** @param wanted the ids that will be asked about: of others, nothing is kept */
  constructor(private readonly wanted: ReadonlySet<string> | ReadonlyMap<string, unknown>) {}

  add(record: AidoRecord): void {
    if (record.type === 'outcome') this.outcome(record);
    else if (record.type === 'suite') this.suite(record);
  }

  private outcome({ id, suite, result }: Outcome): void {
    // Of several attempts the last one counts.
    if (this.wanted.has(id)) this.results.set(id, result);
    if (result === 'passed' && suite !== undefined) this.of(suite).named++;
  }

  private suite({ suite, agrees, passed = Number.NaN }: Suite): void {
    if (suite === undefined) return;
    const seen = this.of(suite);
    seen.ended = true;
    seen.agrees &&= agrees;
    seen.passed += passed;
  }

  private of(suite: string): SuiteSeen {
    const seen = this.suites.get(suite) ?? { ended: false, agrees: true, passed: 0, named: 0 };
    this.suites.set(suite, seen);
    return seen;
  }

  /** How it is known that a failure which did not come again is fixed; undefined: it is not known. */
  fixed(id: string): Fixed['evidence'] | undefined {
    const result = this.results.get(id);
    if (result) return result === 'passed' ? 'passed' : undefined;
    return suitesOf(id).some(suite => this.clears(suite)) ? 'suite' : undefined;
  }

  /**
   * Whether a suite ended and its count agrees: then what it does not list as failed did not fail. But where it named all
   * that passed, a test that it did not name did not run.
   */
  private clears(name: string): boolean {
    const suite = this.suites.get(name);
    if (!suite?.ended || !suite.agrees) return false;
    const namesAll = Number.isNaN(suite.passed) ? suite.named > 0 : suite.named >= suite.passed;
    return !namesAll;
  }
}

/** The suites that an id may belong to: itself, and all that stands before a separator. */
function suitesOf(id: string): string[] {
  const all = [id];
  for (const { index } of id.matchAll(/ |::/g)) all.push(id.slice(0, index));
  return all;
}
