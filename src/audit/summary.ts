/** The last line: how many there are of what, and whether that is all. */
import { byCodePoint } from '../base/text.js';
import { weightiest } from '../reading/totals.js';
import type { Advisory, Incomplete, Notice, Reason, Summary } from '../record/types.js';
import { packageKey } from './ids.js';
import { SEVERITIES } from './levels.js';
import type { Merged } from './merge.js';

/** Inputs that are not whole, by name. */
const INCOMPLETE = 100;

export interface Facts {
  advisories: readonly Merged[];
  notices: readonly Notice[];
  tools: Iterable<string>;
  incomplete: readonly Incomplete[];
  interrupted: boolean;
}

/** @param more counts of what was asked for */
export function summarise(facts: Facts, more: Partial<Summary>): Summary {
  const { advisories, notices, tools, incomplete } = facts;
  const allowed = count(advisories, one => one.allowed === true);
  const skipped = count(notices, one => one.kind === 'notAudited');
  const reason: Reason | undefined = facts.interrupted
    ? 'interrupted'
    : weightiest(incomplete.map(({ reason }) => reason));
  return {
    type: 'summary',
    by: 'aido-audit',
    tools: [...tools].sort(byCodePoint),
    advisories: advisories.length,
    ...Object.fromEntries(SEVERITIES.map(word => [word, count(advisories, one => one.severity === word)])),
    fixable: count(advisories, one => one.fixRank < 2),
    fixableWithoutBreaking: count(advisories, one => one.fixRank === 0),
    packages: packages(advisories),
    notices: notices.length,
    ...(skipped > 0 && { notAudited: skipped }),
    ...(allowed > 0 && { allowed }),
    ...(incomplete.length > 0 && { incomplete: incomplete.slice(0, INCOMPLETE) }),
    ...more,
    complete: reason === undefined,
    ...(reason && { reason }),
  };
}

const count = <T>(all: readonly T[], is: (one: T) => boolean): number => {
  let found = 0;
  for (const one of all) if (is(one)) found++;
  return found;
};

function packages(advisories: readonly Merged[]): number {
  const names = new Map<string, Set<string>>();
  for (const { ecosystem, package: name } of advisories) {
    const known = names.get(ecosystem);
    if (known === undefined) names.set(ecosystem, new Set([packageKey(ecosystem, name)]));
    else known.add(packageKey(ecosystem, name));
  }
  return [...names.values()].reduce((sum, { size }) => sum + size, 0);
}

/** What the comparison with an earlier output gave. */
export function statuses(advisories: readonly Merged[], past: readonly Advisory[]): Partial<Summary> {
  const all = [...advisories, ...past].map(one => one.status);
  const of = (status: Advisory['status']) => count(all, one => one === status);
  return { new: of('new'), worse: of('worse'), unchanged: of('unchanged'), gone: of('gone'), absent: of('absent') };
}
