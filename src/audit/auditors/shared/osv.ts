/** An advisory in the form of OSV, and what it says of one package. (https://ossf.github.io/osv-schema/) */
import type { Ecosystem, Fix } from '../../auditor.js';
import { type Fields, object, objects, string, text, titleOf } from '../../fields.js';
import { packageKey } from '../../ids.js';
import { severityOf } from '../../levels.js';
import type { Manager } from '../../managers.js';
import { compareVersions, isBreaking, lowestAbove } from '../../versions.js';

/** Versions from one on: up to another that is fixed, or that is the last; without an end where there is none yet. */
interface Stretch {
  from: string;
  fixed?: string | undefined;
  last?: string | undefined;
}

/** One package of one ecosystem in the version that is installed. */
export interface Installed {
  ecosystem: Ecosystem;
  package: string;
  version?: string | undefined;
}

/** What orders its versions as `compareVersions` does. */
const ORDERED: ReadonlySet<string> = new Set(['npm', 'crates.io', 'PyPI', 'Go', 'Packagist', 'RubyGems']);

export const titleOfOsv = ({ summary, details }: Fields): string | undefined => titleOf(summary) ?? titleOf(details);

/** The word that GitHub's advisories have, or those of a distribution: `{"type":"Ubuntu","score":"medium"}`. */
export const severityOfOsv = ({ database_specific, severity }: Fields): string | undefined =>
  text(object(database_specific).severity) ??
  text(objects(severity).find(({ type, score }) => !/^CVSS/.test(string(type)) && severityOf(text(score)))?.score);

/** Those of the advisory, and those that it has for the package. */
export function vectorsOfOsv(advisory: Fields, what: Installed): string[] {
  const all = [advisory, ...affectedOf(advisory, what)].flatMap(({ severity }) => objects(severity));
  return [...new Set(all.filter(({ type }) => /^CVSS/.test(string(type))).flatMap(({ score }) => text(score) ?? []))];
}

/** What its events say of the versions that are vulnerable, and of a way out of the one that is installed. */
export function versionsOfOsv(
  advisory: Fields,
  what: Installed,
  manager?: Manager,
): { range: string | undefined; fix: Fix | undefined } {
  const all = stretchesOf(advisory, what);
  return { range: rangeOf(all), fix: fixOf(all, what, manager) };
}

/** `>=1.0.0, <1.2.6 || <0.2.4`; undefined where it only lists versions or commits. */
function rangeOf(stretches: readonly Stretch[]): string | undefined {
  const all = stretches.map(({ from, fixed, last }) =>
    from === last
      ? `=${from}`
      : [isFirst(from) ? '' : `>=${from}`, fixed ? `<${fixed}` : last ? `<=${last}` : ''].filter(Boolean).join(', '),
  );
  if (all.length === 0) return undefined;
  return all.includes('') ? '*' : [...new Set(all)].join(' || ');
}

function fixOf(all: readonly Stretch[], what: Installed, manager?: Manager): Fix | undefined {
  const own = all.length > 1 ? all.filter(stretch => isWithin(stretch, what)) : all;
  const hit = own.length > 0 ? own : all;
  if (hit.length === 0) return undefined;
  if (hit.some(({ fixed, last }) => fixed === undefined && last === undefined)) return { available: false };
  const version = fixedIn(what, hit);
  return version === undefined ? undefined : upgradeTo(what, version, manager);
}

export function upgradeTo({ ecosystem, version: installed }: Installed, version: string, manager?: Manager): Fix {
  const breaking = installed && ORDERED.has(ecosystem) ? isBreaking(ecosystem, installed, version) : undefined;
  return { available: true, version, breaking, manager };
}

function fixedIn({ ecosystem, version }: Installed, stretches: readonly Stretch[]): string | undefined {
  const fixed = stretches.flatMap(stretch => stretch.fixed ?? []);
  // The order of a distribution's versions is not known here.
  return fixed.length === 1 ? fixed[0] : lowestAbove(ecosystem, fixed, version);
}

const isFirst = (version: string): boolean => /^0(?:\.0)*(?:-0)?$/.test(version);

function isWithin({ from, fixed, last }: Stretch, { ecosystem, version }: Installed): boolean {
  if (version === undefined) return true;
  if (!isFirst(from) && compareVersions(ecosystem, version, from) < 0) return false;
  if (fixed !== undefined) return compareVersions(ecosystem, version, fixed) < 0;
  return last === undefined || compareVersions(ecosystem, version, last) <= 0;
}

function stretchesOf(advisory: Fields, what: Installed): Stretch[] {
  return affectedOf(advisory, what)
    .flatMap(({ ranges }) => objects(ranges))
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => stretchesIn(inOrder(what.ecosystem, objects(events))));
}

/** They may be written in any order: mostly each end follows its beginning. */
function inOrder(ecosystem: Ecosystem, events: readonly Fields[]): readonly Fields[] {
  const isPaired = events.every(({ introduced }, at) => (introduced === undefined) === (at % 2 === 1));
  if (isPaired || !ORDERED.has(ecosystem)) return events;
  return [...events].sort((a, b) => compareVersions(ecosystem, versionIn(a), versionIn(b)));
}

const versionIn = (event: Fields): string => string(event.introduced ?? event.fixed ?? event.last_affected);

/** Each begins with `introduced`; what ends it follows. */
function stretchesIn(events: readonly Fields[]): Stretch[] {
  const found: Stretch[] = [];
  for (const event of events) {
    const [from, last] = [text(event.introduced), found.at(-1)];
    if (from !== undefined) found.push({ from });
    else if (last && last.fixed === undefined) {
      last.fixed = text(event.fixed);
      last.last ??= text(event.last_affected);
    }
  }
  return found;
}

/** What it says of the package: `Debian` is `Debian:12`, too. */
function affectedOf({ affected }: Fields, what: Installed): Fields[] {
  const name = packageKey(what.ecosystem, what.package);
  return objects(affected).filter(one => {
    const { name: other, ecosystem } = object(one.package);
    return baseOf(string(ecosystem)) === baseOf(what.ecosystem) && packageKey(what.ecosystem, string(other)) === name;
  });
}

const baseOf = (ecosystem: string): string => ecosystem.replace(/:.*/, '');
