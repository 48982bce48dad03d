/** The baseline as plain sets of names: pure, for use as a library. */
import { byCodePoint } from '../base/text.js';
import { type Baseline, VERSION } from './file.js';
import { parseFailures } from './plain.js';

export interface SetDiff {
  /** In both. */
  preExisting: string[];
  /** In the current set only. */
  newFailures: string[];
  /** In the baseline only: whether fixed, removed or not run, sets cannot tell. */
  fixed: string[];
}

/** The baseline of a plain text: the names of its failures (see `parseFailures`), sorted by code point, each once. */
export function captureBaseline(text: string): Baseline {
  return { version: VERSION, failures: parseFailures(text).sort(byCodePoint) };
}

/** A baseline, a list of names, or the plain text that they are in. */
export type Failures = Pick<Baseline, 'failures'> | readonly string[] | string;

/** What is new, known and gone, each sorted by code point. */
export function diffBaseline(baseline: Failures, current: Failures): SetDiff {
  const [before, now] = [names(baseline), names(current)];
  return {
    preExisting: sorted(now, name => before.has(name)),
    newFailures: sorted(now, name => !before.has(name)),
    fixed: sorted(before, name => !now.has(name)),
  };
}

function names(from: Failures): Set<string> {
  if (typeof from === 'string') return new Set(parseFailures(from));
  return new Set('failures' in from ? from.failures : from);
}

function sorted(from: Set<string>, wanted: (name: string) => boolean): string[] {
  return [...from].filter(wanted).sort(byCodePoint);
}
