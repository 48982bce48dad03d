/** What the auditors say of the way out of one advisory, joined: the fix to show, and the ways for the plan. */
import { groupBy } from '../base/group.js';
import { byCodePoint } from '../base/text.js';
import type { AdvisoryFix } from '../record/types.js';
import type { Ecosystem, Finding, Fix, Upgrade } from './auditor.js';
import type { Told } from './findings.js';
import { isSamePackage, packageKey } from './ids.js';
import { commandsFor, isGeneral, isPerVersion, type Manager, togetherWith } from './managers.js';
import { firstOutside, highest, isBreaking, isSafe, lowestAbove } from './versions.js';

/** One way to be rid of an advisory: the upgrade of one package, or of several. */
export interface Remedy {
  ecosystem: Ecosystem;
  steps: readonly Step[];
  breaking?: boolean | undefined;
}

/** The upgrade of one package; where the manager can have several versions of it, of one of them. */
export interface Step {
  manager?: Manager | undefined;
  package: string;
  installed?: string | undefined;
  version?: string | undefined;
  direct?: boolean | undefined;
  breaking?: boolean | undefined;
  /** The folder of the project that asks for it. */
  folder?: string | undefined;
  /** Where it is to be done: lock files, inputs. */
  places: readonly string[];
}

export interface FixAndRemedies {
  fix: AdvisoryFix | undefined;
  remedies: readonly Remedy[];
}

/** 0: to be had without a breaking change; 1: to be had; 2: not, as far as anybody says. */
export const fixRank = (fix: Fix | AdvisoryFix | undefined): number =>
  !fix?.available ? 2 : fix.breaking === false ? 0 : 1;

/**
 * It is fixed where each installed version is. Of one version that is believed who knows most of the project.
 * @param group what was told of one advisory, whoever is to be heard first in front
 */
export function fixOf(group: readonly Told[]): FixAndRemedies {
  const versions = groupBy(group, ({ version }) => version ?? '');
  const anywhere = versions.get('') ?? [];
  // Where nobody tells a version, it is one that nobody knows.
  if (versions.size > 1) versions.delete('');
  const words = [...versions.values()].map(told => wordOn(told === anywhere ? told : [...told, ...anywhere]));
  if (words.some(word => word.some(({ fix }) => fix?.available === false)))
    return { fix: { available: false }, remedies: [] };
  const told = words.flat();
  if (words.includes(NOBODY) || told.some(({ fix }) => fix === undefined)) return { fix: undefined, remedies: [] };
  const { ecosystem } = group[0] as Told;
  const known = distinct(group);
  const own = remedyOf(
    ecosystem,
    words.flatMap(word => stepsOf(word, known)),
  );
  const together = told.map(togetherOf);
  const general = together.includes(undefined) ? [] : [remedyOf(ecosystem, together as Step[])];
  return { fix: shown(own, group[0] as Told), remedies: [own, ...general] };
}

/** Those that know something else of the versions: many say the same of many installed ones. */
export const distinct = (group: readonly Told[]): Told[] =>
  group.length === 1
    ? [...group]
    : [
        ...new Map(
          group.map(one => [
            JSON.stringify([one.range, one.patched, one.mended, one.fix?.available && one.fix.version]),
            one,
          ]),
        ).values(),
      ];

const NOBODY: readonly Told[] = [];

/** What reads lock files knows what is published, and not what the project allows. */
const SCANNERS: ReadonlySet<string> = new Set(['osv-scanner']);

/** All that one auditor says of a version: one that says anything of a fix, the project's own first. */
function wordOn(told: readonly Told[]): readonly Told[] {
  const useful = told.filter(({ fix }) => fix !== undefined);
  const best = useful.find(({ tool }) => !SCANNERS.has(tool)) ?? useful[0];
  return best === undefined ? NOBODY : told.filter(one => one.tool === best.tool && one.version === best.version);
}

/** All of it, also what takes work. */
const upgradeOf = (told: Told): Upgrade => {
  const fix = told.fix as Upgrade;
  return { ...fix, ...fix.how?.(told) };
};

/** @param word what one auditor says of one installed version: there are several ways to it, or ranges that have it */
function stepsOf(word: readonly Told[], group: readonly Told[]): Step[] {
  const { ecosystem } = word[0] as Told;
  const steps = word.map(told => {
    const { manager, package: other, version, breaking, folder } = upgradeOf(told);
    const places = [placeOf(told)];
    // Another package that brings it is one that the project asks for.
    if (other !== undefined) return { manager, package: other, version, direct: true, breaking, places };
    const { package: name, version: installed, direct } = told;
    return { manager, package: name, installed, version, direct, breaking, folder, places };
  });
  return remedyOf(ecosystem, steps).steps.map(step => checked(ecosystem, step, group));
}

/** What one auditor takes for safe may be vulnerable by the word of another: then to the first that nobody warns of. */
function checked(ecosystem: Ecosystem, step: Step, group: readonly Told[]): Step {
  const [{ package: name }] = group as [Told];
  if (step.version === undefined || !isSamePackage(ecosystem, step.package, name)) return step;
  const safe = firstSafe(step.version, group);
  if (safe === step.version) return step;
  const breaking =
    safe === undefined ? undefined : step.breaking || isBreaking(ecosystem, step.installed ?? step.version, safe);
  return { ...step, version: safe, breaking };
}

const placeOf = (told: Told): string => {
  const { lockFile } = upgradeOf(told);
  return lockFile === undefined ? told.from : `${told.from} ${lockFile}`;
};

/** What one auditor takes for safe may be vulnerable by the word of another: the first version that nobody warns of. */
function firstSafe(version: string, group: readonly Told[]): string | undefined {
  const { ecosystem } = group[0] as Told;
  const warned = (one: string): Told | undefined => group.find(told => isSafe(ecosystem, told, one) === false);
  if (warned(version) === undefined) return version;
  const known = group.flatMap(({ fix }) => (fix?.available && fix.version && !fix.package ? [fix.version] : []));
  const next = new Set(known);
  for (const one of next) {
    const out = firstOutside(ecosystem, warned(one)?.range, one);
    if (out !== undefined && next.size < 20) next.add(out);
  }
  const safe = [...next].filter(one => warned(one) === undefined);
  return lowestAbove(ecosystem, safe, version);
}

/** The same by what closes all of its kind at once. */
function togetherOf(told: Told): Step | undefined {
  const upgrade = upgradeOf(told);
  const manager = upgrade.together && upgrade.manager ? togetherWith(upgrade.manager) : undefined;
  return manager && { manager, package: told.package, breaking: false, places: [placeOf(told)] };
}

export function remedyOf(ecosystem: Ecosystem, steps: readonly Step[]): Remedy {
  const groups = groupBy(byLockFile(steps), step => keyOf(ecosystem, step));
  const joined = [...groups.values()].map(group => join(ecosystem, group));
  const order = (step: Step) => Number(isAll(step));
  const sorted = joined.sort((a, b) => order(a) - order(b) || byCodePoint(keyOf(ecosystem, a), keyOf(ecosystem, b)));
  return { ecosystem, steps: sorted, breaking: worst(sorted.map(({ breaking }) => breaking)) };
}

/** What a lock file holds is upgraded by who wrote that, though pip-audit looks at what is installed. */
function byLockFile(steps: readonly Step[]): readonly Step[] {
  const writer = steps.find(({ manager }) => manager !== undefined && manager !== 'pip');
  return writer === undefined
    ? steps
    : steps.map(step => (step.manager === 'pip' ? { ...step, manager: writer.manager } : step));
}

/** What is one upgrade: most managers go to one version whatever is installed. */
export const keyOf = (ecosystem: Ecosystem, step: Step): string =>
  JSON.stringify([
    unitOf(ecosystem, step),
    step.manager ?? '',
    step.manager && isPerVersion(step.manager) ? (step.installed ?? '') : '',
    step.folder ?? '',
  ]);

/** What is upgraded. */
export const unitOf = (ecosystem: Ecosystem, step: Step): string =>
  isAll(step) ? `all ${step.manager}` : `one ${packageKey(ecosystem, step.package)}`;

/** Whether it upgrades whatever it can. */
export const isAll = ({ manager }: Step): boolean => manager !== undefined && isGeneral(manager);

export const worst = (breaking: readonly (boolean | undefined)[]): boolean | undefined =>
  breaking.includes(true) || (breaking.includes(undefined) ? undefined : false);

function join(ecosystem: Ecosystem, steps: readonly Step[]): Step {
  const [first] = steps as [Step];
  if (steps.length === 1) return first;
  const versions = steps.flatMap(({ version }) => version ?? []);
  // Where one of them is not to a version, what it takes is the manager's choice.
  const version = versions.length === steps.length ? highest(ecosystem, versions) : undefined;
  const further = (step: Step): boolean | undefined =>
    step.breaking ||
    (version === step.version || version === undefined || step.installed === undefined
      ? step.breaking
      : isBreaking(ecosystem, step.installed, version));
  return {
    ...first,
    version,
    direct: steps.some(({ direct }) => direct) || first.direct,
    breaking: worst(steps.map(further)),
    places: [...new Set(steps.flatMap(({ places }) => places))].sort(byCodePoint),
  };
}

/** The commands for all its steps; undefined where one of them has none, or where each place needs another. */
export function commandOf({ steps }: Remedy): string | undefined {
  const all = steps.map(({ manager, ...target }) => manager && commandsFor(manager, target));
  if (all.includes(undefined)) return undefined;
  const different = new Set(all.map(commands => commands?.join(' && ')));
  const places = new Set(steps.map(({ places }) => places.join('\n')));
  if (different.size > 1 && places.size > 1) return undefined;
  return [...new Set((all as string[][]).flat())].join(' && ');
}

/** The packages that it upgrades. */
export const packagesOf = ({ ecosystem, steps }: Remedy): string[] =>
  [...new Map(steps.map(step => [packageKey(ecosystem, step.package), step.package])).values()].sort(byCodePoint);

/** The highest version that a step leads to; undefined where they are of several packages. */
export function versionOf(remedy: Remedy): string | undefined {
  if (packagesOf(remedy).length > 1) return undefined;
  const versions = remedy.steps.flatMap(({ version }) => version ?? []);
  return highest(remedy.ecosystem, versions);
}

function shown(remedy: Remedy, { ecosystem, package: vulnerable }: Finding): AdvisoryFix {
  const [command, packages] = [commandOf(remedy), packagesOf(remedy)];
  const [only = ''] = packages;
  const isVulnerable = (name: string): boolean => isSamePackage(ecosystem, name, vulnerable);
  // Of several that are upgraded, the vulnerable one's.
  const steps = packages.length > 1 ? remedy.steps.filter(step => isVulnerable(step.package)) : remedy.steps;
  const version = versionOf({ ...remedy, steps });
  return {
    available: true,
    ...(packages.length === 1 && !isVulnerable(only) && { package: only }),
    ...(version !== undefined && { version }),
    ...(remedy.breaking !== undefined && { breaking: remedy.breaking }),
    ...(command !== undefined && { command }),
  };
}
