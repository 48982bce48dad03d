/**
 * The fewest upgrades that close the most. To choose them is the set cover problem; what closes most of what is still open
 * is taken first, which is as good as it gets (https://en.wikipedia.org/wiki/Set_cover_problem#Greedy_algorithm) and
 * exact where an advisory has one way out, as nearly all have.
 */
import { groupBy } from '../base/group.js';
import { byCodePoint } from '../base/text.js';
import type { Severity, Upgrade } from '../record/types.js';
import {
  commandOf,
  isAll,
  keyOf,
  packagesOf,
  type Remedy,
  remedyOf,
  type Step,
  unitOf,
  versionOf,
  worst,
} from './fixes.js';
import { isSamePackage } from './ids.js';
import { rankOf } from './levels.js';
import type { Merged } from './merge.js';
import { byUrgency } from './order.js';
import { compareVersions, highest, isBreaking } from './versions.js';

export interface Plan {
  upgrades: Upgrade[];
  /** How many advisories they close, and how many no upgrade closes. */
  closes: number;
  left: number;
}

/** An advisory and the upgrade that closes it. */
interface Member {
  merged: Merged;
  remedy: Remedy;
}

/** One package that can be upgraded, or all that its manager upgrades at once. */
interface Unit {
  key: string;
  members: readonly Member[];
  /** It names no version, but upgrades whatever it can. */
  isGeneral: boolean;
}

export function plan(wanted: readonly Merged[]): Plan {
  // What comes first must not depend on the order of the inputs.
  const sorted = [...wanted].sort(byUrgency);
  const all = sorted.flatMap(merged => merged.remedies.map(remedy => ({ merged, remedy })));
  const units = new Queue([...groupBy(all, keyOfRemedy)].map(unitFrom).sort(byWorth));
  const closed = new Set<Merged>();
  const upgrades: Upgrade[] = [];
  for (let unit = units.next(closed); unit !== undefined; unit = units.next(closed)) {
    const choice = choose(unit.members);
    if (choice.closed.length === 0) continue;
    for (const { merged } of choice.closed) closed.add(merged);
    upgrades.push(upgradeOf(choice, unit));
  }
  upgrades.sort(byUse);
  return { upgrades, closes: closed.size, left: wanted.length - closed.size };
}

const keyOfRemedy = ({ remedy: { ecosystem, steps } }: Member): string =>
  JSON.stringify([ecosystem, ...new Set(steps.map(step => unitOf(ecosystem, step)).sort(byCodePoint))]);

/** An advisory is in a unit once, whoever told of it. */
function unitFrom([key, all]: [string, Member[]]): Unit {
  const members = [...new Map(all.map(member => [member.merged, member])).values()];
  return { key, members, isGeneral: members[0]?.remedy.steps.every(isAll) ?? false };
}

/** What names a version says more than what upgrades whatever it can. */
const byWorth = (a: Unit, b: Unit): number =>
  b.members.length - a.members.length || Number(a.isGeneral) - Number(b.isGeneral) || byCodePoint(a.key, b.key);

/** Units by how much they close; what was closed meanwhile is taken off when a unit's turn comes. */
class Queue {
  #next = 0;

  constructor(private readonly units: Unit[]) {}

  next(closed: ReadonlySet<Merged>): Unit | undefined {
    while (this.#next < this.units.length) {
      const first = this.units[this.#next++] as Unit;
      const members = first.members.filter(({ merged }) => !closed.has(merged));
      if (members.length === first.members.length) return first;
      if (members.length > 0) this.#insert({ ...first, members });
    }
    return undefined;
  }

  /** Among those whose turn has not come: the one before them is free. */
  #insert(unit: Unit): void {
    let at = --this.#next;
    for (; at + 1 < this.units.length && byWorth(this.units[at + 1] as Unit, unit) <= 0; at++)
      this.units[at] = this.units[at + 1] as Unit;
    this.units[at] = unit;
  }
}

/** What a unit is upgraded to, and what that closes. */
interface Choice {
  remedy: Remedy;
  closed: readonly Member[];
}

/** Of versions to choose from, so many of the highest are looked at. */
const CANDIDATES = 20;
/** So many advisories of one package are asked what comes after a version that has them. */
const LOOKED_AT = 200;

type MemberStep = Step & { member: Member };

function choose(members: readonly Member[]): Choice {
  const { ecosystem } = (members[0] as Member).remedy;
  const all = members.flatMap(member => member.remedy.steps.map(step => ({ ...step, member })));
  const lost = new Set<Member>();
  const steps = [...groupBy(all, step => keyOf(ecosystem, step)).values()].flatMap(group => {
    const version = best(ecosystem, group);
    for (const step of group) if (!closes(ecosystem, step, version)) lost.add(step.member);
    return group.map(({ member: _, ...step }) => ({ ...step, version }));
  });
  const closed = members.filter(member => !lost.has(member));
  const remedy = remedyOf(ecosystem, steps);
  const own = highest(
    ecosystem,
    closed.flatMap(member => versionOf(member.remedy) ?? []),
  );
  const top = versionOf(remedy);
  // Further than each of them by itself: that step may break something of its own.
  const isFar = top !== undefined && own !== undefined && isBreaking(ecosystem, own, top);
  return { remedy: { ...remedy, breaking: worst([...closed.map(one => one.remedy.breaking), isFar]) }, closed };
}

/** The version that closes most of them; of several the lowest. undefined: it is the manager's choice. */
function best(ecosystem: string, group: readonly MemberStep[]): string | undefined {
  const count = (version: string) => group.filter(step => closes(ecosystem, step, version)).length;
  const top = highest(
    ecosystem,
    group.flatMap(({ version }) => version ?? []),
  );
  // As nearly always: none of them has a vulnerability again in the version that mends the last.
  if (top === undefined || count(top) === group.length) return top;
  const most = candidates(ecosystem, group)
    .map(version => ({ version, count: count(version) }))
    .reduce<{ version?: string; count: number }>((most, one) => (one.count >= most.count ? one : most), { count: 0 });
  // A command without a version closes what has none, and what has one within the same bounds.
  const isFree = group.some(({ version }) => version === undefined);
  return isFree && most.count < group.length ? undefined : most.version;
}

/** The highest first. Where one has a vulnerability again, the version that is without comes into question, too. */
function candidates(ecosystem: string, group: readonly MemberStep[]): string[] {
  const sorted = (versions: Iterable<string>) =>
    [...versions].sort((a, b) => compareVersions(ecosystem, b, a) || byCodePoint(a, b)).slice(0, CANDIDATES);
  const found = new Set(sorted(new Set(group.flatMap(({ version }) => version ?? []))));
  const merged = new Set(group.slice(0, LOOKED_AT).map(({ member }) => member.merged));
  for (const version of found) {
    if (found.size > 2 * CANDIDATES) break;
    for (const one of merged)
      for (const next of one.isSafe(version) === false ? one.nextSafe(version) : []) found.add(next);
  }
  return sorted(found);
}

/** Whether an upgrade to the version does what the step is to do: a higher one may have the vulnerability again. */
function closes(ecosystem: string, step: MemberStep, to: string | undefined): boolean {
  const { version, member } = step;
  if (to === undefined || version === to || isAll(step)) return true;
  if (version !== undefined && compareVersions(ecosystem, version, to) > 0) return false;
  const isOwn = isSamePackage(ecosystem, step.package, member.merged.package);
  return (isOwn ? member.merged.isSafe(to) : undefined) ?? version !== undefined;
}

function upgradeOf({ remedy, closed }: Choice, { members, isGeneral }: Unit): Upgrade {
  const records = closed.map(({ merged }) => merged.record);
  const [version, command] = [versionOf(remedy), commandOf(remedy)];
  // Where each installed one goes to another, the highest may be none for all.
  const isOne = version !== undefined && closed.every(({ merged }) => merged.isSafe(version) !== false);
  return {
    type: 'upgrade',
    ecosystem: remedy.ecosystem,
    packages: isGeneral ? [...new Set(records.map(record => record.package))].sort(byCodePoint) : packagesOf(remedy),
    ...(isOne && !isGeneral && { version }),
    closes: closed.length,
    ...(remedy.breaking !== undefined && { breaking: remedy.breaking }),
    ...(command !== undefined && { command }),
    severity: records.map(record => record.severity).sort((a, b) => rankOf(a) - rankOf(b))[0] as Severity,
    ids: records.map(({ id }) => id).sort(byCodePoint),
    ...(remedy.breaking && safe(members)),
  };
}

/** How far one gets without a breaking change. */
function safe(members: readonly Member[]): Pick<Upgrade, 'safeVersion' | 'safeCloses' | 'safeCommand'> {
  const harmless = members.filter(({ remedy }) => remedy.breaking === false);
  if (harmless.length === 0) return {};
  const { remedy, closed } = choose(harmless);
  const [version, command] = [versionOf(remedy), commandOf(remedy)];
  return {
    ...(version !== undefined && { safeVersion: version }),
    safeCloses: closed.length,
    ...(command !== undefined && { safeCommand: command }),
  };
}

const byUse = (a: Upgrade, b: Upgrade): number =>
  b.closes - a.closes ||
  Number(a.breaking !== false) - Number(b.breaking !== false) ||
  rankOf(a.severity) - rankOf(b.severity) ||
  byCodePoint(a.command ?? '~', b.command ?? '~') ||
  byCodePoint(a.packages.join(), b.packages.join());
