/** The order in which advisories and notices are told: what to do first stands first. */
import { byCodePoint } from '../base/text.js';
import type { Advisory, Notice, Severity } from '../record/types.js';
import { fixRank } from './fixes.js';
import { rankOf } from './levels.js';

/** What the order goes by: advisories as they are told, or before they are. */
interface Ordered {
  severity: Severity;
  fixRank: number;
  package: string;
  id: string;
  ecosystem: string;
}

export const byUrgency = (a: Ordered, b: Ordered): number =>
  rankOf(a.severity) - rankOf(b.severity) ||
  a.fixRank - b.fixRank ||
  byCodePoint(a.package, b.package) ||
  byCodePoint(a.id, b.id) ||
  byCodePoint(a.ecosystem, b.ecosystem);

/** All of them, the first `count` in order: there may be a hundred thousand, of which two hundred are shown. */
export function mostUrgent<T extends Ordered>(all: readonly T[], count: number): T[] {
  const classes: T[][] = [];
  for (const one of all) {
    const at = rankOf(one.severity) * 3 + one.fixRank;
    classes[at] ??= [];
    classes[at].push(one);
  }
  const sorted: T[] = [];
  for (const group of classes) {
    if (group === undefined) continue;
    if (sorted.length < count) group.sort(byUrgency);
    for (const one of group) sorted.push(one);
  }
  return sorted;
}

/** The same of records. */
export const byUrgencyOfRecords = (a: Advisory, b: Advisory): number =>
  byUrgency({ ...a, fixRank: fixRank(a.fix) }, { ...b, fixRank: fixRank(b.fix) });

/** What was not audited first: it may hide anything. */
const KINDS: readonly Notice['kind'][] = [
  'notAudited',
  'unread',
  'allowExpired',
  'allowUnused',
  'unsound',
  'unmaintained',
  'abandoned',
  'deprecated',
  'yanked',
  'insecureSource',
  'other',
];

const key = ({ ecosystem = '', package: name = '', version = '', id = '', message = '', from = '' }: Notice) =>
  [name, version, id, ecosystem, message, from].join('\0');

export const byKind = (a: Notice, b: Notice): number =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byCodePoint(key(a), key(b));
