/**
 * `npm audit --json` of npm 7 and later (`auditReportVersion: 2`): the vulnerable packages by name, each with what makes it
 * so (`via`: an advisory, or the name of another one that it needs) and what it makes so (`effects`). Which versions are
 * installed is not told. Up to npm 7.11 it is not told what the project asks for either (`isDirect`), and the betas have the
 * advisories as the registry sent them.
 */
import type { Auditor, Finding, Fix, How, Out } from '../auditor.js';
import { boolean, type Fields, isObject, list, number, object, objects, strings, text } from '../fields.js';
import { firstOutside } from '../versions.js';
import { chainsOf, closureOf, type Links } from './shared/chains.js';
import { told, where } from './shared/npm-advisory.js';

/** One document: its vulnerable packages by name. What is only needed of what is shown is looked for when it is asked for. */
class Report implements Links {
  readonly all: Fields;
  #asked: ReadonlySet<string> | undefined;
  /** There is a version that all who need it allow, and `npm audit fix` takes it. */
  readonly #allowed: Fix = { available: true, breaking: false, how: found => allowed(found, this) };
  readonly #paths = (found: Finding): string[][] => chainsOf(found.package, this);

  constructor(document: unknown) {
    this.all = object(object(document).vulnerabilities);
  }

  entry(name: string): Fields | undefined {
    const entry = Object.hasOwn(this.all, name) ? this.all[name] : undefined;
    return isObject(entry) ? entry : undefined;
  }

  above(name: string): readonly string[] {
    return strings(this.entry(name)?.effects);
  }

  isDirect(name: string): boolean {
    const told = boolean(this.entry(name)?.isDirect);
    if (told !== undefined) return told;
    // What npm would install is always what the project itself asks for.
    this.#asked ??= new Set(
      Object.keys(this.all).flatMap(one => text(object(this.entry(one)?.fixAvailable).name) ?? []),
    );
    return this.#asked.has(name);
  }

  /** Adds to a finding what is told of its package. */
  complete(found: Finding, name: string, entry: Fields): Finding {
    found.fix = entry.fixAvailable === true ? this.#allowed : fixOf(name, entry.fixAvailable, this);
    found.direct ??= directOf(name, entry, this);
    found.paths ??= this.#paths;
    return found;
  }
}

function read(out: Out, document: unknown): void {
  const report = new Report(document);
  out.audited('npm');
  let [said, packages] = [0, 0];
  const missing = new Set<string>();
  for (const name in report.all) {
    const entry = report.all[name];
    if (!isObject(entry)) continue;
    packages++;
    if (!isReadable(entry.via)) out.unreadable({ ecosystem: 'npm', package: text(name), message: UNREADABLE });
    for (const found of findingsOf(name, entry)) {
      if (found === undefined) out.unreadable({ ecosystem: 'npm', message: 'an advisory of no package' });
      else out.finding(report.complete(found, name, entry));
      said++;
    }
    for (const below of list(entry.via))
      if (typeof below === 'string' && below !== '' && report.entry(below) === undefined) missing.add(below);
  }
  const { total } = object(object(object(document).metadata).vulnerabilities);
  complain(out, packages, said, missing, number(total) ?? 0);
}

const UNREADABLE = 'npm names it as vulnerable, and why is not readable';

/** Names, and advisories. */
const isReadable = (via: unknown): boolean =>
  Array.isArray(via) && via.every(one => typeof one === 'string' || isObject(one));

const directOf = (name: string, { isDirect }: Fields, links: Links): boolean | undefined =>
  boolean(isDirect) ?? (links.isDirect(name) || undefined);

/** One for each advisory of the package; undefined: it has no name. npm has a `source` for each range of one. */
function findingsOf(name: string, { via }: Fields): readonly (Finding | undefined)[] {
  // As nearly all are: there may be a hundred thousand.
  if (Array.isArray(via) && via.length === 1) return isObject(via[0]) ? findingIn(name, via[0]) : [];
  const seen = new Map<string, Finding>();
  const others: (Finding | undefined)[] = [];
  for (const found of objects(via).flatMap(advisory => findingIn(name, advisory))) {
    const key = found?.ids[0];
    if (found === undefined || key === undefined || found.version !== undefined) others.push(found);
    else seen.set(key, joined(seen.get(key), found));
  }
  return [...seen.values(), ...others];
}

/** The first betas have it with its `findings`, as npm 6 has: one for each version. */
function findingIn(name: string, advisory: Fields): (Finding | undefined)[] {
  const { source, range, dependency, id = source, vulnerable_versions = range } = advisory;
  const found = told(
    advisory,
    dependency === name ? name : (text(dependency) ?? text(advisory.name) ?? text(name)),
    source ?? id,
    range ?? vulnerable_versions,
  );
  if (found === undefined || advisory.findings === undefined) return [found];
  const versions = objects(advisory.findings);
  if (versions.length === 0) return [found];
  return versions.map(({ version, paths }) => ({ ...found, version: text(version), ...where(strings(paths)) }));
}

function joined(first: Finding | undefined, other: Finding): Finding {
  if (first === undefined) return other;
  const ranges = new Set([first.range, other.range].filter(range => range !== undefined));
  return { ...first, ids: [...new Set([...first.ids, ...other.ids])], range: [...ranges].join(' || ') || undefined };
}

/**
 * An object: another version of what the project asks for, which `npm audit fix` leaves alone as it is outside of the range
 * that it asks for, major or not.
 */
function fixOf(name: string, fix: unknown, report: Report): Fix | undefined {
  if (fix === false) return NONE;
  const { name: other, version, isSemVerMajor } = object(fix);
  const asked = text(other);
  if (asked === undefined) return undefined;
  return {
    available: true,
    version: text(version),
    breaking: boolean(isSemVerMajor),
    package: asked === name ? undefined : asked,
    manager: isInWorkspace(report.entry(asked)) || isNested(name, asked, report) ? undefined : 'npm',
  };
}

const NONE: Fix = { available: false };

/** Who does it: where others hold it back, it is them whom npm has to update. */
function allowed({ package: name, range }: Finding, report: Report): How {
  const entry = object(report.entry(name));
  // npm 7's betas say so although there is none for who brings it.
  if (report.above(name).some(one => report.entry(one)?.fixAvailable === false)) return {};
  if (isInWorkspace(entry))
    return { version: firstOutside('npm', range, undefined), manager: 'npm-audit-fix', together: true };
  if (report.above(name).length === 0)
    return { version: firstOutside('npm', range, undefined), manager: 'npm', together: true };
  const tops = closureOf(name, report).filter(one => report.above(one).length === 0);
  const [top] = tops;
  const isOne = tops.length === 1 && strings(entry.nodes).length === 1 && directOf(name, entry, report) === false;
  return isOne && top !== undefined
    ? { package: top, manager: 'npm', together: true }
    : { version: firstOutside('npm', range, undefined), manager: 'npm-audit-fix', together: true };
}

/** Whether there is another one that others bring: to install one's own leaves it where it is. */
const isNested = (name: string, asked: string, report: Report): boolean =>
  asked === name && strings(report.entry(name)?.nodes).length > 1 && report.above(name).length > 0;

/** Whether it lies in a folder of a workspace: then another version at the top is no help. */
const isInWorkspace = (entry: Fields | undefined): boolean =>
  strings(entry?.nodes).some(node => !node.startsWith('node_modules/'));

/** What the report counts or names and does not hold: it is not whole. */
function complain(out: Out, packages: number, said: number, missing: ReadonlySet<string>, total: number): void {
  if (total > packages)
    out.incomplete('truncated', `npm counts ${total} vulnerable packages, and ${packages} are in the report`);
  else if (said === 0 && packages > 0)
    out.incomplete('truncated', 'the report has vulnerable packages, but no advisory');
  for (const name of missing)
    out.unreadable({
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
