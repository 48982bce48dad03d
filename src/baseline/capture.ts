/** The failures of a run, counted by id. */
import type { Failure } from '../record/types.js';
import type { Tally } from './file.js';

export function emptyTally(): Tally {
  return { counts: new Map(), weak: new Set() };
}

/**
 * A test fails or does not, however often that is said (attempts, several record files in one): it counts once. The same
 * diagnostic at two places is two failures, and so are two tests whose suites are not known (but not two attempts at one).
 */
export function tallyFailure(
  { counts, weak }: Tally,
  { kind, id, weakId, attempt = 1 }: Pick<Failure, 'kind' | 'id' | 'weakId' | 'attempt'>,
): void {
  const before = counts.get(id) ?? 0;
  const again = kind === 'test' && (!weakId || attempt > 1);
  counts.set(id, again ? Math.max(before, 1) : before + 1);
  if (weakId) weak.add(id);
}

/** What is in either; the larger count where it is in both. */
export function joinTallies(a: Tally, b: Tally): Tally {
  const counts = new Map(a.counts);
  for (const [id, count] of b.counts) counts.set(id, Math.max(count, counts.get(id) ?? 0));
  return { counts, weak: new Set([...a.weak, ...b.weak]) };
}
