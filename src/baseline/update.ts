/** The ratchet: what a run changes in a baseline. */
import { joinTallies } from './capture.js';
import type { Diff } from './diff.js';
import { type Baseline, fromTally, type Tally, toTally } from './file.js';

export interface UpdateOptions {
  /** Accept the failures that are new. */
  add?: boolean | undefined;
  /** Remove those of which the run says nothing. */
  prune?: boolean | undefined;
  /** The run did not end: nothing is removed. */
  partial?: boolean | undefined;
}

/**
 * The baseline without what is fixed, with the counts that went down; `add` and `prune` as asked for. The baseline may
 * have changed since the diff was made of it: only what the diff speaks of changes.
 */
export function updateBaseline(baseline: Baseline, diff: Diff, { add, prune, partial }: UpdateOptions): Baseline {
  const tally = toTally(baseline);
  if (!partial) {
    for (const id of [...diff.fixed, ...(prune ? diff.absent : [])]) tally.counts.delete(id);
    for (const [id, count] of diff.current.counts) {
      if (count < (tally.counts.get(id) ?? 0)) tally.counts.set(id, count);
    }
  }
  return fromTally(add ? joinTallies(tally, addedBy(diff)) : tally);
}

function addedBy({ added, current, recognised }: Diff): Tally {
  const ids = [...added];
  const count = (id: string) => (current.counts.get(id) as number) - (recognised.has(id) ? 1 : 0);
  return {
    counts: new Map(ids.map(id => [id, count(id)])),
    weak: new Set(ids.filter(id => current.weak.has(id))),
  };
}
