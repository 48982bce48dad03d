/** Tests that fail together. */
import { groupBy } from '../base/group.js';
import { SEEN, type TestHistory } from './test-history.js';

/**
 * Tests that failed in the same runs, in two of them at least, are probably of one cause.
 * @returns the number of its group, from 1 in the order given, for each test that has one
 */
export function groups(tests: readonly TestHistory[], runs: number): Map<TestHistory, number> {
  const together = groupBy(tests, test => {
    const failed = failedIn(test, runs);
    return failed.length < 2 ? [] : failed.join();
  });
  const found = new Map<TestHistory, number>();
  let group = 0;
  for (const all of together.values()) {
    if (all.length < 2) continue;
    group++;
    for (const test of all) found.set(test, group);
  }
  return found;
}

function failedIn(test: TestHistory, runs: number): number[] {
  const failed: number[] = [];
  for (let run = 0; run < runs; run++) if (test.at(run) === SEEN.failed || test.at(run) === SEEN.red) failed.push(run);
  return failed;
}
