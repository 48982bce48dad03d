/** Histories to records: which tests are flaky, broken, stable, in the order in which they are told. */
import { byCodePoint } from '../base/text.js';
import type { Broken, Flaky, History, Stable } from '../record/types.js';
import { groups } from './groups.js';
import { type Named, rerun } from './rerun.js';
import { rounded, runsFor95, wilson } from './statistics.js';
import type { TestHistory } from './test-history.js';

export interface Verdicts {
  flaky: Flaky[];
  broken: Broken[];
  stable: Stable[];
  /** The flaky ones, in the same order, as they are to be run again. */
  again: Named[];
}

/** @param runs how many there were */
export function verdicts(tests: readonly TestHistory[], runs: number): Verdicts {
  const sorted = [...tests].sort((a, b) => byCodePoint(a.id, b.id));
  const flaky = sorted.filter(({ passed, failed }) => passed > 0 && failed > 0).sort((a, b) => b.failed - a.failed);
  const group = groups(flaky, runs);
  return {
    again: flaky.map(named),
    flaky: flaky.map(test => ({
      type: 'flaky',
      ...history(test, runs),
      runsFor95: runsFor95(test.failed / (test.failed + test.passed)),
      ...(group.has(test) && { group: group.get(test) as number }),
      ...cause(test),
    })),
    broken: sorted
      .filter(({ passed, failed }) => passed === 0 && failed > 0)
      .map(test => ({ type: 'broken', ...history(test, runs), ...cause(test) })),
    stable: sorted
      .filter(({ passed, failed }) => passed > 0 && failed === 0)
      .map(test => ({ type: 'stable', ...history(test, runs) })),
  };
}

function history(test: TestHistory, runs: number): History {
  const { tool, id, weak, suite, name, passed, failed, skipped, inferred, unseen, file, line } = test;
  const outcomes = test.letters(runs);
  const { low, high } = wilson(failed, passed + failed);
  return {
    tool,
    id,
    ...(weak && { weakId: true }),
    ...(suite !== undefined && { suite }),
    ...(name !== undefined && { name }),
    runs,
    missing: outcomes.split('-').length - 1,
    passed,
    failed,
    skipped,
    ...(inferred > 0 && { inferred }),
    ...(unseen > 0 && { unseen }),
    outcomes,
    rate: rounded(failed / (passed + failed)),
    rateLow: rounded(low),
    rateHigh: rounded(high),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
  };
}

const named = ({ tool, id, weak, isGroup, suite, name, file, line }: TestHistory): Named => ({
  tool,
  id,
  weakId: weak,
  isGroup,
  suite,
  name,
  file,
  line,
});

function cause(test: TestHistory): Pick<Broken, 'reasons' | 'rerun'> {
  const { reasons } = test;
  const command = rerun([named(test)])[0];
  return { ...(reasons.length > 0 && { reasons }), ...(command !== undefined && { rerun: command }) };
}
