/**
 * `npm audit --json` of npm 7 and later (`auditReportVersion: 2`): the vulnerable packages by name, each with what makes it
 * so (`via`: an advisory, or the name of another one that it needs) and what it makes so (`effects`). Which versions are
 * installed is not told. Up to npm 7.11 it is not told what the project asks for either (`isDirect`), and the betas have the
 * advisories as the registry sent them.
 */
import type { Auditor, Finding, Fix, How, Out } from '../auditor.js';
import { boolean, type Fields, isObject, list, number, object, objects, strings, text } from '../fields.js';
import { fixOutside } from '../versions.js';
import { chainsOf, closureOf, type Links } from './shared/chains.js';
import { told } from './shared/npm-advisory.js';

type Entries = ReadonlyMap<string, Fields>;

function read(out: Out, document: unknown): void {
  const { vulnerabilities, metadata } = object(document);
  const all = entriesOf(object(vulnerabilities));
  const links = linksOf(all);
  out.audited('npm');
  let said = 0;
  for (const [name, entry] of all) {
    for (const found of findingsOf(name, entry)) {
      if (found === undefined)
        out.notice({ kind: 'other', ecosystem: 'npm', package: text(name), message: 'an advisory without an id' });
      else {
        found.fix = fixOf(name, entry, all, links, found.range);
        found.direct = directOf(name, entry, links);
        found.paths = () => chainsOf(name, links);
        out.finding(found);
      }
      said++;
    }
  }
  complain(out, all, said, number(object(object(metadata).vulnerabilities).total) ?? 0);
}

function entriesOf(vulnerabilities: Fields): Entries {
  const all = new Map<string, Fields>();
  for (const name in vulnerabilities) {
    const entry = vulnerabilities[name];
    if (isObject(entry)) all.set(name, entry);
  }
  return all;
}

/** What is only needed of what is shown is found when it is asked for: a report may have a hundred thousand packages. */
function linksOf(all: Entries): Links {
  let asked: ReadonlySet<string> | undefined;
  return {
    above: name => strings(all.get(name)?.effects),
    isDirect(name) {
      // What npm would install is always what the project itself asks for.
      asked ??= new Set([...all.values()].flatMap(({ fixAvailable }) => text(object(fixAvailable).name) ?? []));
      return all.get(name)?.isDirect === true || asked.has(name);
    },
  };
}

const directOf = (name: string, { isDirect }: Fields, links: Links): boolean | undefined =>
  boolean(isDirect) ?? (links.isDirect(name) || undefined);

/** One for each advisory of the package; undefined: it has no name. npm has a `source` for each range of one. */
function findingsOf(name: string, { via }: Fields): readonly (Finding | undefined)[] {
  const [only, second] = objects(via);
  if (only === undefined) return [];
  if (second === undefined) return [findingOf(name, only)];
  const seen = new Map<string, Finding>();
  const nameless: undefined[] = [];
  for (const advisory of objects(via)) {
    const found = findingOf(name, advisory);
    const key = found?.ids[0];
    if (found === undefined || key === undefined) nameless.push(undefined);
    else seen.set(key, joined(seen.get(key), found));
  }
  return [...seen.values(), ...nameless];
}

function findingOf(name: string, advisory: Fields): Finding | undefined {
  const { source, range, dependency, id = source, vulnerable_versions = range } = advisory;
  return told(
    advisory,
    text(dependency) ?? text(advisory.name) ?? text(name),
    source ?? id,
    range ?? vulnerable_versions,
  );
}

function joined(first: Finding | undefined, other: Finding): Finding {
  if (first === undefined) return other;
  const ranges = new Set([first.range, other.range].filter(range => range !== undefined));
  return { ...first, ids: [...new Set([...first.ids, ...other.ids])], range: [...ranges].join(' || ') || undefined };
}

/**
 * `true`: there is a version that all who need it allow, and `npm audit fix` takes it. An object: another version of what the
 * project asks for, which `npm audit fix` leaves alone as it is outside of the range that it asks for, major or not.
 */
function fixOf(
  name: string,
  { fixAvailable: fix }: Fields,
  all: Entries,
  links: Links,
  range: string | undefined,
): Fix | undefined {
  if (fix === false) return { available: false };
  if (fix === true) return { available: true, breaking: false, how: () => allowed(name, all, links, range) };
  const { name: other, version, isSemVerMajor } = object(fix);
  const asked = text(other);
  if (asked === undefined) return undefined;
  return {
    available: true,
    version: text(version),
    breaking: boolean(isSemVerMajor),
    package: asked === name ? undefined : asked,
    manager: isInWorkspace(all.get(asked)) ? undefined : 'npm',
  };
}

/** Who does it: where others hold it back, it is them whom npm has to update. */
function allowed(name: string, all: Entries, links: Links, range: string | undefined): How {
  const entry = object(all.get(name));
  if (isInWorkspace(entry)) return { ...versionOf(range), manager: 'npm-audit-fix', together: true };
  if (links.above(name).length === 0) return { ...versionOf(range), manager: 'npm', together: true };
  const tops = closureOf(name, links).filter(one => links.above(one).length === 0);
  const [top] = tops;
  const isOne = tops.length === 1 && strings(entry.nodes).length === 1 && directOf(name, entry, links) === false;
  return isOne && top !== undefined
    ? { package: top, manager: 'npm', together: true }
    : { ...versionOf(range), manager: 'npm-audit-fix', together: true };
}

function versionOf(range: string | undefined): { version?: string | undefined } {
  const outside = range === undefined ? undefined : fixOutside('npm', range, undefined);
  return outside?.available ? { version: outside.version } : {};
}

/** Whether it lies in a folder of a workspace: then another version at the top is no help. */
const isInWorkspace = (entry: Fields | undefined): boolean =>
  strings(entry?.nodes).some(node => !node.startsWith('node_modules/'));

/** What the report counts or names and does not hold: it is not whole. */
function complain(out: Out, all: Entries, said: number, total: number): void {
  if (total > all.size)
    out.incomplete('truncated', `npm counts ${total} vulnerable packages, and ${all.size} are in the report`);
  else if (said === 0 && all.size > 0)
    out.incomplete('truncated', 'the report has vulnerable packages, but no advisory');
  const missing = new Set<string>();
  for (const { via } of all.values())
    for (const name of list(via)) if (typeof name === 'string' && name !== '' && !all.has(name)) missing.add(name);
  for (const name of missing)
    out.notice({
      kind: 'other',
      ecosystem: 'npm',
      package: name,
      message: 'npm names it as vulnerable and tells no advisory',
    });
}

export const npm: Auditor = {
  name: 'npm',
  prints: 'npm audit --json',
  url: 'https://docs.npmjs.com/cli/commands/npm-audit',
  recognises: document => isObject(document) && document.auditReportVersion === 2 && isObject(document.vulnerabilities),
  reader: out => ({ read: document => read(out, document) }),
};
