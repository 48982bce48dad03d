/** Who wrote a report: what it calls its tests, and what its repetitions mean. */
import type { Fields } from '../../format.js';
import type { Case, Identity, Suite } from './case.js';
import type { Explain } from './explain.js';

export interface Producer {
  /** As it stands in `tool`. */
  tool: string;
  identify(test: Case, suite: Suite, path: (path: string) => string): Identity;
  explain: Explain;
  /**
   * What a test that stands in its suite several times is: `attempts`, of which the last one counts; `reruns`, likewise,
   * with nothing said of those that failed; else several tests of one name.
   */
  repeated?: 'attempts' | 'reruns';
  /** What failed and is known to is skipped; the other way round, what was skipped may have failed. */
  judge?(test: Case): 'failed' | 'skipped' | undefined;
  /** What a compiler said, of what stands there as a test. */
  diagnostics?(test: Case): Fields[];
  /** It does not list all the tests that it counts. */
  partial?: true;
  /** The suite's name as it stands in `suite` of its tests; '' for the whole run; undefined: its counts say nothing. */
  suite(suite: Suite): string | undefined;
}
