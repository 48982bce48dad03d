/** `--diff OLD`: what an audit says that an earlier one did not, and what it says no more. */
import { groupBy } from '../base/group.js';
import type { Advisory, Notice } from '../record/types.js';
import { fixRank } from './fixes.js';
import { packageKey } from './ids.js';
import { rankOf } from './levels.js';

/** What is known of the audit at hand. */
export interface Now {
  advisories: readonly Advisory[];
  notices: readonly Notice[];
  tools: ReadonlySet<string>;
  /** The names of the inputs. */
  inputs: readonly string[];
  /** Each input was read to its end. */
  whole: boolean;
  /** Only what can be fixed counts. */
  fixable: boolean;
}

/**
 * Says of each advisory whether it is new.
 * @returns those of the earlier output that are not seen any more
 */
export function diff(old: readonly Advisory[], now: Now): Advisory[] {
  const known = groupBy(old, keysOf);
  const seen = new Set<Advisory>();
  for (const advisory of now.advisories) {
    const same = keysOf(advisory).flatMap(key => known.get(key) ?? []);
    for (const one of same) seen.add(one);
    advisory.status = same.length === 0 ? 'new' : isWorse(advisory, same, now.fixable) ? 'worse' : 'unchanged';
  }
  const skipped = new Set(now.notices.flatMap(notice => (notice.kind === 'notAudited' ? placeOf(notice) : [])));
  return old
    .filter(one => !seen.has(one))
    .map(one => ({ ...one, status: hasLooked(one, now) && !skipped.has(placeOf(one)) ? 'gone' : 'absent' }));
}

/** Of a higher severity than it was, or allowed then and no more: it has not passed the gate as it is now. */
const isWorse = ({ severity, allowed, fix }: Advisory, before: readonly Advisory[], fixable: boolean): boolean =>
  before.every(
    one =>
      rankOf(one.severity) > rankOf(severity) ||
      (one.allowed === true && !allowed) ||
      (fixable && fixRank(one.fix) === 2 && fixRank(fix) < 2),
  );

const placeOf = ({ ecosystem = '', package: name = '' }: Pick<Notice, 'ecosystem' | 'package'>): string =>
  JSON.stringify([ecosystem, packageKey(ecosystem, name)]);

const keysOf = (advisory: Advisory): string[] =>
  [...new Set([advisory.id, ...(advisory.aliases ?? [])])].map(id => `${placeOf(advisory)} ${id}`);

/** They ask the same registry for the same packages, and what one of them prints may be taken for another's. */
const ALIKE: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** It is gone where somebody who saw it has looked again, at the same place. */
const hasLooked = ({ tools, from }: Advisory, now: Now): boolean =>
  now.whole &&
  tools.some(tool => now.tools.has(tool) || (ALIKE.has(tool) && [...ALIKE].some(other => now.tools.has(other)))) &&
  (from === undefined || from.some(name => now.inputs.includes(name)));
