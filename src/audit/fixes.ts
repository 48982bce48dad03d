/** What the auditors say of the way out of one advisory, joined: one fix to show, and all ways for the plan. */
import { groupBy } from '../base/group.js';
import { byCodePoint } from '../base/text.js';
import type { AdvisoryFix } from '../record/types.js';
import type { Ecosystem, Fix, Upgrade } from './auditor.js';
import type { Told } from './findings.js';
import { commandFor, isGeneral, isPerVersion, type Manager, togetherWith } from './managers.js';
import { highest } from './versions.js';

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
}

export interface FixAndRemedies {
  fix: AdvisoryFix | undefined;
  remedies: readonly Remedy[];
}

/** 0: to be had without a breaking change; 1: to be had; 2: not, as far as anybody says. */
export const fixRank = (fix: Fix | AdvisoryFix | undefined): number =>
  !fix?.available ? 2 : fix.breaking === false ? 0 : 1;

/** @param group what was told of one advisory, whoever is to be heard first in front */
export function fixOf(group: readonly Told[]): FixAndRemedies {
  const verdicts = [...groupBy(group, ({ tool }) => tool).values()].map(verdictOf);
  const ways = verdicts.flatMap(verdict => (Array.isArray(verdict) ? [verdict] : []));
  // What needs no breaking change is better, and so is what has a command.
  const [best] = ways.flatMap(([way]) => way ?? []).sort((a, b) => worth(b) - worth(a));
  if (best) return { fix: shown(best, group[0]?.package), remedies: ways.flat() };
  return { fix: verdicts.includes('none') ? { available: false } : undefined, remedies: [] };
}

const worth = (remedy: Remedy): number =>
  (remedy.breaking === false ? 4 : remedy.breaking === undefined ? 2 : 0) + (commandOf(remedy) === undefined ? 0 : 1);

/** One auditor's: it is fixed only where each installed version is. The way to show comes first. */
function verdictOf(told: readonly Told[]): Remedy[] | 'none' | undefined {
  if (told.some(({ fix }) => fix?.available === false)) return 'none';
  const steps = told.map(stepOf);
  if (steps.includes(undefined)) return undefined;
  const { ecosystem } = told[0] as Told;
  const own = remedyOf(ecosystem, steps as Step[]);
  const together = told.map(togetherOf);
  return together.includes(undefined) ? [own] : [own, remedyOf(ecosystem, together as Step[])];
}

/** All of it, also what takes work. */
const upgradeOf = (told: Told): Upgrade | undefined =>
  told.fix?.available ? { ...told.fix, ...told.fix.how?.(told) } : undefined;

function stepOf(told: Told): Step | undefined {
  const upgrade = upgradeOf(told);
  if (upgrade === undefined) return undefined;
  const { manager, package: other, version, breaking } = upgrade;
  // Another package that brings it is one that the project asks for.
  const direct = other === undefined ? told.direct : true;
  return { manager, package: other ?? told.package, installed: told.version, version, direct, breaking };
}

/** The same by what closes all of its kind at once. */
function togetherOf(told: Told): Step | undefined {
  const upgrade = upgradeOf(told);
  const manager = upgrade?.together && upgrade.manager ? togetherWith(upgrade.manager) : undefined;
  return manager && { manager, package: told.package, breaking: false };
}

export function remedyOf(ecosystem: Ecosystem, steps: readonly Step[]): Remedy {
  const joined = [...groupBy(steps, keyOf).values()].map(group => join(ecosystem, group));
  return { ecosystem, steps: joined, breaking: worst(joined.map(({ breaking }) => breaking)) };
}

/** What is one upgrade: most managers go to one version whatever is installed. */
export const keyOf = (step: Step): string =>
  JSON.stringify([unitOf(step), step.manager && isPerVersion(step.manager) ? (step.installed ?? '') : '']);

/** Who upgrades what. */
export const unitOf = ({ manager, package: name }: Step): string =>
  JSON.stringify([manager ?? '', manager && isGeneral(manager) ? '' : name]);

export const worst = (breaking: readonly (boolean | undefined)[]): boolean | undefined =>
  breaking.includes(true) || (breaking.includes(undefined) ? undefined : false);

function join(ecosystem: Ecosystem, steps: readonly Step[]): Step {
  const [first] = steps as [Step];
  if (steps.length === 1) return first;
  const versions = steps.flatMap(({ version }) => version ?? []);
  return {
    ...first,
    version: highest(ecosystem, versions),
    direct: steps.some(({ direct }) => direct) || first.direct,
    breaking: worst(steps.map(({ breaking }) => breaking)),
  };
}

/** The command for all its steps; undefined where one of them has none. */
export function commandOf({ steps }: Remedy): string | undefined {
  const commands = steps.map(({ manager, ...target }) => manager && commandFor(manager, target));
  return commands.includes(undefined) ? undefined : [...new Set(commands)].join(' && ');
}

/** The packages that it upgrades. */
export const packagesOf = ({ steps }: Remedy): string[] =>
  [...new Set(steps.map(step => step.package))].sort(byCodePoint);

/** The highest version that a step leads to; undefined where they are of several packages. */
export function versionOf(remedy: Remedy): string | undefined {
  if (packagesOf(remedy).length > 1) return undefined;
  const versions = remedy.steps.flatMap(({ version }) => version ?? []);
  return highest(remedy.ecosystem, versions);
}

function shown(remedy: Remedy, vulnerable: string | undefined): AdvisoryFix {
  const [version, command, packages] = [versionOf(remedy), commandOf(remedy), packagesOf(remedy)];
  const [only] = packages;
  return {
    available: true,
    ...(packages.length === 1 && only !== undefined && only !== vulnerable && { package: only }),
    ...(version !== undefined && { version }),
    ...(remedy.breaking !== undefined && { breaking: remedy.breaking }),
    ...(command !== undefined && { command }),
  };
}
