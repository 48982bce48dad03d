/**
 * `osv-scanner --format json`, version 1 and 2: each source (a lock file, a container's packages) with those of its packages
 * that have vulnerabilities, as OSV has them, and `groups` of those that are the same under several names. Direct or not and
 * the paths are not in it. (https://google.github.io/osv-scanner/output/#json)
 */
import type { Auditor, Finding, Fix, Out } from '../auditor.js';
import { type Fields, isObject, list, number, object, objects, string, strings, text } from '../fields.js';
import type { Manager } from '../managers.js';
import { isSafe } from '../versions.js';
import { type Installed, severityOfOsv, titleOfOsv, vectorsOfOsv, versionsOfOsv } from './shared/osv.js';

const TOOL = 'osv-scanner';
/** Go's own library: it comes with Go. */
const STDLIB = 'stdlib';
const DEV = /^(?:dev|develop|development|dev-dependencies|tests?|testing|test[A-Z]\w*)$/;

/** Of yarn.lock nobody knows which yarn it is: there is no one command. */
const MANAGERS: readonly [RegExp, Manager][] = [
  [/^(?:package-lock|npm-shrinkwrap)\.json$/, 'npm'],
  [/^bun\.lock$/, 'bun'],
  [/^pnpm-lock\.yaml$/, 'pnpm'],
  [/^Cargo\.lock$/, 'cargo'],
  [/^requirements.*\.txt$/, 'pip'],
  [/^poetry\.lock$/, 'poetry'],
  [/^Pipfile\.lock$/, 'pipenv'],
  [/^uv\.lock$/, 'uv'],
  [/^pdm\.lock$/, 'pdm'],
  [/^go\.mod$/, 'go'],
  [/^composer\.lock$/, 'composer'],
  [/^(?:Gemfile|gems)\.lock(?:ed)?$/, 'bundler'],
];

type Versions = ReturnType<typeof versionsOfOsv>;

/** Where a package was found. */
interface Source {
  path: string | undefined;
  manager: Manager | undefined;
}

function sourceOf({ source }: Fields): Source {
  const path = text(object(source).path);
  const name = path?.replace(/.*[/\\]/, '') ?? '';
  return { path, manager: MANAGERS.find(([pattern]) => pattern.test(name))?.[1] };
}

function packageOf(entry: Fields, source: Source, out: Out): void {
  const about = object(entry.package);
  const ecosystem = text(about.ecosystem) ?? 'GIT';
  // What is vendored has no name, only a commit.
  const name = text(about.name) ?? text(about.commit);
  const version = ecosystem === 'Go' && name !== STDLIB ? tagOf(text(about.version)) : text(about.version);
  if (about.deprecated === true) out.notice({ kind: 'deprecated', ecosystem, package: name, version });
  const what = { ecosystem, package: name ?? '', version };
  const dev = devOf(entry.dependency_groups);
  for (const licence of strings(entry.license_violations))
    out.notice({ kind: 'other', ecosystem, package: name, version, message: `its licence is not allowed: ${licence}` });
  for (const one of vulnerabilitiesOf(entry)) {
    const { ids, advisories } = one;
    if (name === undefined) out.unreadable({ ecosystem, version, ids, message: 'an entry that names no package' });
    else if (advisories.length > 0 && advisories.every(({ withdrawn }) => text(withdrawn)))
      out.notice({ kind: 'other', ecosystem, package: name, version, ids, message: 'the advisory is withdrawn' });
    else out.finding(told(what, one, source, dev));
  }
}

/** Go's tags begin with `v`. */
const tagOf = (version: string | undefined): string | undefined => version?.replace(/^(?=\d)/, 'v');

interface Vulnerability {
  ids: string[];
  /** GitHub's in front: they have a title and a word for the severity. */
  advisories: Fields[];
  group: Fields;
}

/** Each group, and what is in none. */
function vulnerabilitiesOf({ groups, vulnerabilities }: Fields): Vulnerability[] {
  const byId = new Map<string, Fields>(objects(vulnerabilities).map(one => [string(one.id), one]));
  const grouped = objects(groups).map(group => {
    const own = strings(group.ids);
    const advisories = own
      .map(id => byId.get(id))
      .filter(one => one !== undefined)
      .sort(byOrigin);
    for (const id of own) byId.delete(id);
    const ids = [
      ...advisories.map(({ id }) => id),
      ...own,
      ...strings(group.aliases),
      ...advisories.flatMap(aliasesOf),
    ];
    return { ids: strings([...new Set(ids)]), advisories, group };
  });
  const others = [...byId.values()].map(one => ({
    ids: strings([...new Set([one.id, ...aliasesOf(one)])]),
    advisories: [one],
    group: {},
  }));
  return [...grouped, ...others];
}

const aliasesOf = ({ aliases }: Fields): string[] => strings(aliases);

const byOrigin = (a: Fields, b: Fields): number => Number(isGithub(b)) - Number(isGithub(a));
const isGithub = ({ id }: Fields): boolean => string(id).startsWith('GHSA-');

/** The first of its advisories that says a thing is believed. */
function told(
  what: Installed,
  vulnerability: Vulnerability,
  { path, manager }: Source,
  dev: boolean | undefined,
): Finding {
  const { ids, advisories, group } = vulnerability;
  const first = <T>(from: (one: Fields) => T | undefined): T | undefined =>
    advisories.map(from).find(found => found !== undefined);
  const versions = advisories.map(one => versionsOfOsv(one, what, isStdlib(what) ? undefined : manager));
  const vectors = [...new Set(advisories.flatMap(one => vectorsOfOsv(one, what)))];
  const score = vectors.length > 0 ? undefined : number(group.max_severity);
  const id = first(one => text(one.id)) ?? string(ids[0]);
  // There may be very many: an object that is written out is made at once, one that is spread is not.
  return {
    ecosystem: what.ecosystem,
    package: what.package,
    version: what.version,
    ids,
    range: versions.find(({ range }) => range !== undefined)?.range,
    severity: first(severityOfOsv),
    vectors,
    score: score === undefined ? undefined : { value: score, version: 3 },
    title: first(titleOfOsv),
    url: id === '' ? undefined : `https://osv.dev/${encodeURIComponent(id)}`,
    fix: fixOf(what, versions, path),
    dev,
    reachable: reachableOf(group),
    manifest: path,
  };
}

/** One that there is, if one of the advisories knows it: the first version that none of them warns of. */
function fixOf(what: Installed, told: readonly Versions[], lockFile: string | undefined): Fix | undefined {
  const fixes = told.flatMap(({ fix }) => fix ?? []);
  const ups = fixes.flatMap(fix => (fix.available ? [fix] : []));
  const safe = ups.filter(({ version }) => version === undefined || isOutside(what, told, version));
  const fix = safe[0] ?? ups.find(({ version }) => version === undefined);
  if (fix === undefined && ups[0] !== undefined) return { available: true, manager: ups[0].manager, lockFile };
  if (fix === undefined) return fixes[0];
  const version = what.ecosystem === 'Go' && !isStdlib(what) ? tagOf(fix.version) : fix.version;
  return { ...fix, version, lockFile };
}

const isOutside = ({ ecosystem }: Installed, told: readonly Versions[], version: string): boolean =>
  told.every(({ range }) => isSafe(ecosystem, { range }, version) !== false);

const isStdlib = (what: Installed): boolean => what.ecosystem === 'Go' && what.package === STDLIB;

/** Before 2.0 the name of the file is such a group, too: `requirements`. */
function devOf(groups: unknown): boolean | undefined {
  const names = strings(groups);
  return names.length > 0 && names.every(name => DEV.test(name)) ? true : undefined;
}

/** What an analysis of the calls says of it. */
function reachableOf({ experimental_analysis, experimentalAnalysis }: Fields): Finding['reachable'] {
  const analyses = Object.values(object(experimental_analysis ?? experimentalAnalysis)).map(object);
  const called = analyses.map(one => one.called).filter(one => typeof one === 'boolean');
  if (called.length === 0) return undefined;
  return called.includes(true) ? 'called' : 'uncalled';
}

/** Version 2 prints the same where it could not ask its database, also with `--all-packages`. */
const DOUBT =
  'osv-scanner prints the same where it found nothing and where it failed; say what it exited with (--status 0)';

const hasFound = ({ packages }: Fields): boolean =>
  objects(packages).some(one => list(one.vulnerabilities).length + list(one.groups).length > 0);

function read(document: unknown, out: Out): void {
  const { results } = object(document);
  out.audited(TOOL);
  if (!objects(results).some(hasFound)) out.doubt(DOUBT);
  for (const result of objects(results)) {
    const source = sourceOf(result);
    for (const entry of objects(result.packages)) packageOf(entry, source, out);
  }
}

export const osvScanner: Auditor = {
  name: 'osv-scanner',
  prints: 'osv-scanner --format json',
  url: 'https://google.github.io/osv-scanner/output/#json',
  recognises: document => {
    if (!isObject(document) || !Array.isArray(document.results)) return false;
    return document.results.length === 0
      ? Object.keys(document).every(key => key === 'results' || key === 'experimental_config')
      : document.results.some(one => isObject(one) && Array.isArray(one.packages));
  },
  reader: out => ({ read: document => read(document, out) }),
};
