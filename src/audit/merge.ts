/** Findings to advisories: one vulnerability of one package is one advisory, under all of its names. */
import { groupBy } from '../base/group.js';
import { byCodePoint } from '../base/text.js';
import type { Advisory, Reachable, Severity } from '../record/types.js';
import type { Paths } from './auditor.js';
import { titleOf } from './fields.js';
import type { Told } from './findings.js';
import { distinct, type FixAndRemedies, fixOf, fixRank, type Remedy } from './fixes.js';
import { byRank, packageKey, pageOf } from './ids.js';
import { bandOf, rankOf, severityOf } from './levels.js';
import type { Score } from './severity.js';
import { compareVersions, firstOutside, isSafe, lowestAbove, lowestPatched } from './versions.js';

/** CVSS base scores, by vector. */
export type Scorer = (vector: string) => Score | undefined;

const PATHS = 10;
const MANIFESTS = 10;

/**
 * @param several there are several inputs, so that it matters which one told of it
 */
export function merge(findings: readonly Told[], score: Scorer, several: boolean): Merged[] {
  const names = new Aliases();
  for (const { ids } of findings) names.join(ids);
  const same = groupBy(findings, ({ ids }) => names.rootOf(ids[0] as string));
  const groups = [...same.values()].flatMap(group => (group.length === 1 ? [group] : byPackage(group)));
  return groups.map(group => new Merged(group, score, several));
}

const byPackage = (told: readonly Told[]): Told[][] => [
  ...groupBy(told, ({ ecosystem, package: name }) => `${ecosystem}\0${packageKey(ecosystem, name)}`).values(),
];

/** One advisory. Of a hundred thousand only a few are shown: what is needed for these alone is made when asked for. */
export class Merged {
  readonly #group: readonly Told[];
  readonly #score: Scorer;
  readonly #several: boolean;
  readonly severity: Severity;
  /** See `fixRank`. */
  readonly fixRank: number;
  #record: Advisory | undefined;
  #words: readonly Told[] | undefined;
  #fix: FixAndRemedies | undefined;

  constructor(group: readonly Told[], score: Scorer, several: boolean) {
    // The auditors' own names for it, the best first; and who is heard first of what only one can say.
    this.#group = group.length === 1 ? group : [...group].sort(byName);
    this.#score = score;
    this.#several = several;
    this.severity = severityIn(this.#group, score);
    const [first] = group as [Told];
    this.fixRank = fixRank(group.length === 1 ? first.fix : this.#way.fix);
  }

  get ecosystem(): string {
    return this.#first.ecosystem;
  }

  get package(): string {
    return this.#first.package;
  }

  get id(): string {
    return this.#first.ids[0] as string;
  }

  /** What was said of its record. */
  get allowed(): true | undefined {
    return this.#record?.allowed;
  }

  get status(): Advisory['status'] {
    return this.#record?.status;
  }

  /** Only used for development. */
  get dev(): boolean | undefined {
    return all(this.#group.map(one => one.dev));
  }

  /** Whether a version of the package is without it, as far as anybody says. */
  isSafe(version: string): boolean | undefined {
    const words = this.#known.map(told => isSafe(told.ecosystem, told, version));
    return words.includes(false) ? false : words.includes(true) || undefined;
  }

  /** What comes after a version that has it, as the ranges tell. */
  nextSafe(version: string): string[] {
    return this.#known.flatMap(({ ecosystem, range, patched, mended }) => {
      const patch = patched && lowestPatched(ecosystem, patched, version);
      const next = lowestAbove(ecosystem, [...(mended ?? []), ...(patch ? [patch] : [])], version);
      return [next, firstOutside(ecosystem, range, version)].filter(one => one !== undefined);
    });
  }

  get remedies(): readonly Remedy[] {
    return this.#way.remedies;
  }

  get record(): Advisory {
    this.#record ??= recordOf(this.#group, this.#way.fix, this.#score, this.#several);
    return this.#record;
  }

  get #known(): readonly Told[] {
    this.#words ??= distinct(this.#group);
    return this.#words;
  }

  get #first(): Told {
    return this.#group[0] as Told;
  }

  get #way(): FixAndRemedies {
    this.#fix ??= fixOf(this.#group);
    return this.#fix;
  }
}

/** The best name first; of the same, an order that does not depend on that of the inputs. */
const byName = (a: Told, b: Told): number =>
  byRank(a.ids[0] as string, b.ids[0] as string) ||
  byCodePoint(a.tool, b.tool) ||
  byCodePoint(detailsOf(a), detailsOf(b));

const detailsOf = ({ version = '', range = '', title = '', url = '', manifest = '', from }: Told): string =>
  [version, range, title, url, manifest, from].join('\0');

/** Names of one and the same thing, as sets that grow together. */
class Aliases {
  readonly #above = new Map<string, string>();

  join(ids: readonly string[]): void {
    const root = this.rootOf(ids[0] as string);
    for (const id of ids.slice(1)) {
      const other = this.rootOf(id);
      if (other !== root) this.#above.set(other, root);
    }
  }

  rootOf(id: string): string {
    let root = id;
    for (let above = this.#above.get(root); above !== undefined; above = this.#above.get(root)) root = above;
    // The way is made short for the next who asks.
    for (let at = id; at !== root; ) {
      const above = this.#above.get(at) as string;
      this.#above.set(at, root);
      at = above;
    }
    return root;
  }
}

function recordOf(group: readonly Told[], fix: Advisory['fix'], score: Scorer, several: boolean): Advisory {
  const [first] = group as [Told];
  const id = first.ids[0] as string;
  const { ecosystem } = first;
  const versions = unique(group.map(one => one.version)).sort(
    (a, b) => compareVersions(ecosystem, a, b) || byCodePoint(a, b),
  );
  const aliases = unique(group.flatMap(one => one.ids)).filter(other => other !== id);
  const { tool } = group.find(one => one.range) ?? first;
  const ranges = group.filter(one => one.tool === tool).flatMap(({ range }) => range?.split('||') ?? []);
  const range = unique(ranges.map(piece => piece.trim()));
  return {
    type: 'advisory',
    ecosystem,
    package: first.package,
    ...some('version', versions[0]),
    ...(versions.length > 1 && { versions }),
    ...some('range', range.join(' || ')),
    ...severity(group, score),
    id,
    ...list('aliases', aliases.sort(byRank)),
    ...some('title', titleOf(firstOf(group, one => one.title))),
    ...some('url', firstOf(group, one => one.url) ?? pageOf(id)),
    ...(fix && { fix }),
    ...some('direct', any(group.map(one => one.direct))),
    ...some('dev', all(group.map(one => one.dev))),
    ...paths(group),
    ...some('reachable', nearest(group.map(one => one.reachable))),
    ...list(
      'manifests',
      unique(group.map(one => one.manifest))
        .sort(byCodePoint)
        .slice(0, MANIFESTS),
    ),
    tools: unique(group.map(one => one.tool)).sort(byCodePoint),
    ...(several && { from: unique(group.map(one => one.from)).sort(byCodePoint) }),
  };
}

const unique = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value): value is string => value !== undefined && value !== '')),
];

const firstOf = <T>(group: readonly Told[], get: (one: Told) => T | undefined): T | undefined => {
  for (const one of group) {
    const value = get(one);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
};

const some = <K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } =>
  (value === undefined || value === '' ? {} : { [key]: value }) as { [key in K]?: T };
const list = <K extends string>(key: K, values: string[]): { [key in K]?: string[] } =>
  (values.length > 0 ? { [key]: values } : {}) as { [key in K]?: string[] };

/** One is enough; that none is has to be said of each. */
const any = (values: readonly (boolean | undefined)[]): boolean | undefined =>
  values.includes(true) ? true : values.every(value => value === false) ? false : undefined;
/** It has to be so of each. */
const all = (values: readonly (boolean | undefined)[]): boolean | undefined =>
  values.includes(false) ? false : values.every(value => value === true) ? true : undefined;

const NEAR: readonly Reachable[] = ['called', 'imported', 'required', 'uncalled'];
const nearest = (values: readonly (Reachable | undefined)[]) => NEAR.find(near => values.includes(near));

/** The worst word that an auditor has for it; without one what the newest CVSS vector gives, or a bare score. */
function severityIn(group: readonly Told[], score: Scorer): Severity {
  const best = wordIn(group) ?? bestScore(group, score);
  return typeof best === 'object' ? bandOf(best.score) : (best ?? 'unknown');
}

function severity(group: readonly Told[], score: Scorer): Pick<Advisory, 'severity' | 'score' | 'severitySource'> {
  const [word, best] = [wordIn(group), bestScore(group, score)];
  const source = word === undefined ? best && (`cvss${best.version}` as const) : 'reported';
  return { severity: severityIn(group, score), ...some('score', best?.score), ...some('severitySource', source) };
}

const wordIn = (group: readonly Told[]): Severity | undefined => {
  let worst: Severity | undefined;
  for (const one of group) {
    const word = severityOf(one.severity);
    if (word !== undefined && (worst === undefined || rankOf(word) < rankOf(worst))) worst = word;
  }
  return worst;
};

function bestScore(group: readonly Told[], score: Scorer): Score | undefined {
  const scores = [
    ...group.flatMap(one => one.vectors ?? []).flatMap(vector => score(vector) ?? []),
    ...group.flatMap(({ score }) => (score ? [{ score: score.value, version: score.version }] : [])),
  ].filter(({ score }) => score >= 0 && score <= 10);
  return scores.sort((a, b) => b.version - a.version || b.score - a.score)[0];
}

/** Ways to the package, the shortest first. */
function paths(group: readonly Told[]): Pick<Advisory, 'paths' | 'pathCount'> {
  const ways = unique(group.flatMap(pathsOf).map(path => path.join(' > ')));
  const count = ways.length + Math.max(...[...groupBy(group, one => one.tool).values()].map(untold));
  const length = (way: string) => way.split(' > ').length;
  const sorted = ways.sort((a, b) => length(a) - length(b) || byCodePoint(a, b)).slice(0, PATHS);
  return { ...list('paths', sorted), ...(count > sorted.length && { pathCount: count }) };
}

const pathsOf = (told: Told): Paths => (typeof told.paths === 'function' ? told.paths(told) : (told.paths ?? []));

/** How many more one auditor counts: of each version by itself, and of what is told twice once. */
function untold(told: readonly Told[]): number {
  const versions = groupBy(told, ({ version = '', manifest = '' }) => `${version}\0${manifest}`);
  const more = (one: Told) => (one.pathCount === undefined ? 0 : one.pathCount - pathsOf(one).length);
  return [...versions.values()].reduce((sum, group) => sum + Math.max(...group.map(more)), 0);
}
