/** Versions: which is the higher one, which is the first that is safe, and whether it breaks what uses the package. */
import * as pep440 from '@renovatebot/pep440';
import compareSemver from 'semver/functions/compare.js';
import parseSemver from 'semver/functions/parse.js';
import type { Ecosystem } from './auditor.js';

/** No version is longer; patterns of others are not made for more. */
const LONGEST = 256;

/** Which of two versions is higher, as the ecosystem orders them: negative, 0, positive. */
export function compareVersions(ecosystem: Ecosystem, one: string, other: string): number {
  const [a, b] = [one.slice(0, LONGEST), other.slice(0, LONGEST)];
  if (ecosystem === 'PyPI' && pep440.valid(a) && pep440.valid(b)) return pep440.compare(a, b);
  if (SEMVER.has(ecosystem) && parseSemver(a, true) && parseSemver(b, true)) return compareSemver(a, b, true);
  return compareParts(partsOf(a), partsOf(b));
}

const SEMVER: ReadonlySet<string> = new Set(['npm', 'crates.io', 'Go']);

type Parts = readonly (string | number)[];

/** `v1.2.3-rc1` -> 1, 2, 3, `rc`, 1. */
const partsOf = (version: string): Parts =>
  (version.replace(/^v(?=\d)|\+.*$/g, '').match(/\d+|[a-z]+/gi) ?? []).map(part =>
    /^\d/.test(part) ? Number(part) : part.toLowerCase(),
  );

/** As gems and Composer have it: a word makes it earlier than the version without, `1.0.rc1` < `1.0`. */
function compareParts(a: Parts, b: Parts): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one = 0, other = 0] = [a[at], b[at]];
    if (one === other) continue;
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    if (typeof one === 'number') return 1;
    if (typeof other === 'number') return -1;
    return one < other ? -1 : 1;
  }
  return 0;
}

/** The higher of two. */
export const higher = (ecosystem: Ecosystem, a: string, b: string): string =>
  compareVersions(ecosystem, a, b) >= 0 ? a : b;

export const highest = (ecosystem: Ecosystem, versions: readonly string[]): string | undefined =>
  versions.length > 0 ? versions.reduce((a, b) => higher(ecosystem, a, b)) : undefined;

/** The lowest of the versions that is above the installed one; where that is not known, the lowest of all. */
export function lowestAbove(
  ecosystem: Ecosystem,
  versions: readonly string[],
  installed: string | undefined,
): string | undefined {
  const above = versions.filter(one => installed === undefined || compareVersions(ecosystem, one, installed) > 0);
  return above.reduce<string | undefined>(
    (least, one) => (least !== undefined && compareVersions(ecosystem, least, one) <= 0 ? least : one),
    undefined,
  );
}

/** Whether there is a way out, as ranges tell it. */
export type Way =
  | { available: false }
  | { available: true; version?: string | undefined; breaking?: boolean | undefined };

/** A bound of a range: `>=`, `1.2.3`. */
interface Bound {
  operator: string;
  version: string;
}

const BOUND = /(>=|<=|!=|~>|={1,3}|[<>^~])? ?v?(\d[\w.+-]*)/g;
/** No range is longer; what is, is not understood as a whole. */
const RANGE = 100_000;

/** Ranges repeat, and a plan looks at each of them again and again. */
const parsed = new Map<string, Bound[]>();

function boundsOf(range: string): Bound[] {
  const known = parsed.get(range);
  if (known !== undefined) return known;
  const bounds = [...range.slice(0, RANGE).replace(/\s+/g, ' ').matchAll(BOUND)].map(
    ([, operator = '=', version = '']) => ({ operator, version }),
  );
  if (parsed.size > 10_000) parsed.clear();
  parsed.set(range, bounds);
  return bounds;
}

const LOWER: ReadonlySet<string> = new Set(['>=', '=', '==', '^', '~', '~>']);

/** npm's ranges have several pieces in one text: `>=0.2.1 <1.0.0 || >=1.2.3`. */
const pieces = (range: string): string[] => range.split('||');

/**
 * The first version above the installed one that one of the ranges of *patched* versions begins with: `>=1.2.3, <2`,
 * `^0.4.3`, `~> 2.2.8, >= 2.2.8.1`.
 */
export function lowestPatched(
  ecosystem: Ecosystem,
  ranges: readonly string[],
  installed: string | undefined,
): string | undefined {
  const begins = ranges.flatMap(pieces).flatMap(range => {
    const lower = boundsOf(range).filter(({ operator }) => LOWER.has(operator));
    return lower.length > 0 ? [lower.map(({ version }) => version).reduce((a, b) => higher(ecosystem, a, b))] : [];
  });
  return lowestAbove(ecosystem, begins, installed);
}

/**
 * The same as a fix: `> 1.2.3` names none that is safe, and says that there is one. undefined: all that are patched are older
 * than the installed one, or none is told.
 */
export function fixPatched(ecosystem: Ecosystem, ranges: unknown, installed: string | undefined): Way | undefined {
  if (!Array.isArray(ranges)) return undefined;
  if (ranges.length === 0) return { available: false };
  const told = ranges.filter((one): one is string => typeof one === 'string');
  const version = lowestPatched(ecosystem, told, installed);
  if (version === undefined && !told.some(range => ABOVE.test(range))) return undefined;
  const breaking = version && installed ? isBreaking(ecosystem, installed, version) : undefined;
  return { available: true, version, breaking };
}

const ABOVE = /^\s*>[^=,]*$/;

/**
 * What a range of *vulnerable* versions says of the first one that is not: `<4.17.21`, `>=1.0.0 <1.2.3 || >=2.0.0 <2.1.0`
 * (also with `|` and commas). A range with no upper end has none; of one that ends with `<=` nobody knows.
 */
export function fixOutside(ecosystem: Ecosystem, range: string, installed: string | undefined): Way | undefined {
  const sets = range
    .split('|')
    .map(boundsOf)
    .filter(set => set.length > 0);
  if (sets.length === 0) return /^\s*(?:\*|$)/.test(range) ? { available: false } : undefined;
  const hit = installed === undefined ? sets : sets.filter(set => isWithin(ecosystem, set, installed));
  const ends = hit.map(set => set.find(({ operator }) => operator.startsWith('<') || operator === '='));
  const open = ends.filter(end => end === undefined).length;
  // Which of the pieces has the version is not known where that is not told.
  if (open > 0) return installed !== undefined || open === ends.length ? { available: false } : undefined;
  if (ends.length === 0 || ends.some(end => end?.operator !== '<')) return undefined;
  const [first, ...others] = new Set(ends.map(end => end?.version));
  return { available: true, ...(others.length === 0 && first !== undefined && { version: first }) };
}

/** That version alone, where it is told. */
export function firstOutside(
  ecosystem: Ecosystem,
  range: string | undefined,
  installed: string | undefined,
): string | undefined {
  const way = range === undefined ? undefined : fixOutside(ecosystem, range, installed);
  return way?.available ? way.version : undefined;
}

/** Whether a version is in a range of vulnerable ones, as the auditors print them. */
export const isVulnerable = (ecosystem: Ecosystem, range: string, version: string): boolean =>
  range.split('|').some(set => {
    const bounds = boundsOf(set);
    return bounds.length > 0 && isWithin(ecosystem, bounds, version);
  });

function isWithin(ecosystem: Ecosystem, set: readonly Bound[], version: string): boolean {
  return set.every(bound => {
    const order = compareVersions(ecosystem, version, bound.version);
    switch (bound.operator) {
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      case '=':
      case '==':
      case '===':
        return order === 0;
      case '!=':
        return order !== 0;
      case '>=':
        return order >= 0;
      default:
        return order >= 0 && isInSeries(bound, version);
    }
  });
}

/** What else `^1.2.3`, `~1.2.3` and `~> 1.2.3` allow. */
function isInSeries({ operator, version: from }: Bound, version: string): boolean {
  if (operator === '^') return isBreaking('npm', from, version) === false;
  const numbers = numbersOf(from);
  const fixed = operator === '~' ? Math.min(2, numbers.length) : Math.max(1, numbers.length - 1);
  return numbers.slice(0, fixed).join() === numbersOf(version).slice(0, fixed).join();
}

/** What an auditor tells of the versions that are vulnerable and those that are not. */
export interface Known {
  range?: string | undefined;
  patched?: readonly string[] | undefined;
  mended?: readonly string[] | undefined;
}

/** Whether a version is without it; undefined: nobody says. */
export function isSafe(ecosystem: Ecosystem, { range, patched, mended }: Known, version: string): boolean | undefined {
  if (range !== undefined && boundsOf(range).length > 0) return !isVulnerable(ecosystem, range, version);
  if (patched !== undefined) return patched.flatMap(pieces).some(one => isWithin(ecosystem, boundsOf(one), version));
  return mended && isMended(ecosystem, mended, version);
}

/** It has what the last mended version before it has, if that is of its own series or the last of all. */
function isMended(ecosystem: Ecosystem, mended: readonly string[], version: string): boolean {
  const before = mended.filter(one => compareVersions(ecosystem, one, version) <= 0);
  const last = highest(ecosystem, before);
  if (last === undefined) return false;
  return before.length === mended.length || numbersOf(last)[0] === numbersOf(version)[0];
}

/**
 * Whether a step from one version to another may break what uses the package: where the major version changes, or of one
 * below 1 the minor, as `^` has it (https://doc.rust-lang.org/cargo/reference/semver.html). Go keeps what is in one module
 * compatible (https://go.dev/doc/modules/major-version), also below 1.
 */
export function isBreaking(ecosystem: Ecosystem, from: string, to: string): boolean | undefined {
  const [a, b] = [from, to].map(version => numbersOf(version)) as [number[], number[]];
  if (ecosystem === 'PyPI' && isYear(a[0]) && isYear(b[0])) return undefined;
  if (a[0] !== b[0]) return true;
  if (ecosystem === 'Go' || a[0] !== 0) return false;
  if (a[1] !== b[1]) return true;
  return ecosystem !== 'PyPI' && a[1] === 0 && a[2] !== b[2];
}

/** `2024.2.2`: a date, which tells nothing of what has changed (https://calver.org). */
const isYear = (major = 0): boolean => major >= 1990 && major < 2100;

/** The epoch of a Python version (`1!2.0`) counts as its major version. */
const numbersOf = (version: string): number[] =>
  (/^v?(?:\d+!)?\d+(?:\.\d+)*/.exec(version)?.[0].match(/\d+/g) ?? []).map(Number);
