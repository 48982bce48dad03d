/** The baseline: the failures that are known, as aido-baseline keeps them in `.aidokit/baseline.json`. */
import { readState } from '../base/state-file.js';
import { byCodePoint } from '../base/text.js';
import { validateBaseline } from '../record/validate.js';
import { escapeLine } from '../record/write.js';

export const VERSION = 1;

export interface Baseline {
  /** Absent in files of old: 1. */
  version?: number;
  /** Ids, each once, sorted by code point. */
  failures: string[];
  /** How often an id occurs, where that is more than once. */
  counts?: Record<string, number>;
  /** Ids whose suite could not be known: each matches only a sole candidate of that name. */
  weak?: string[];
}

/** How often each id was seen, and which ids are weak: what a baseline is made of. */
export interface Tally {
  counts: Map<string, number>;
  weak: Set<string>;
}

/**
 * Reads and checks a baseline; undefined when there is none.
 * @throws AidoError BAD_STATE: damaged, or newer than the program
 */
export function readBaseline(path: string): Promise<Baseline | undefined> {
  return readState<Baseline>(path, { version: VERSION, invalid: validateBaseline });
}

export function toTally({ failures, counts = {}, weak = [] }: Baseline): Tally {
  const count = (id: string) => (Object.hasOwn(counts, id) ? (counts[id] as number) : 1);
  return { counts: new Map(failures.map(id => [id, count(id)])), weak: new Set(weak) };
}

export function fromTally({ counts, weak }: Tally): Baseline {
  const failures = [...counts.keys()].sort(byCodePoint);
  const several = failures.filter(id => (counts.get(id) as number) > 1);
  const unsure = failures.filter(id => weak.has(id));
  return {
    version: VERSION,
    failures,
    ...(several.length && { counts: Object.fromEntries(several.map(id => [id, counts.get(id) as number])) }),
    ...(unsure.length && { weak: unsure }),
  };
}

/** One id a line, so that a change of the baseline is easy to review and to merge. */
export function formatBaseline(baseline: Baseline): string {
  return `${escapeLine(JSON.stringify(baseline, null, 2))}\n`;
}
