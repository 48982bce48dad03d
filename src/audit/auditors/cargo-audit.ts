/**
 * `cargo audit --json`: one report, or one a binary (`cargo audit bin`). `vulnerabilities.list` has one entry for each
 * version of a crate and each advisory; `warnings` has lists by their kind, of which `yanked` has no advisory. Direct or not
 * and the paths are not in it. (https://docs.rs/rustsec/latest/rustsec/report/struct.Report.html)
 */
import type { Auditor, Note, Out } from '../auditor.js';
import { type Fields, isObject, list, number, object, objects, string, strings, text, titleOf } from '../fields.js';
import { by } from '../managers.js';
import { fixPatched } from '../versions.js';

const TOOL = 'cargo-audit';
const ECOSYSTEM = 'crates.io';
/** So many of the ids that are ignored are told. */
const IGNORED = 10;

const KINDS: ReadonlyMap<string, Note['kind']> = new Map([
  ['unmaintained', 'unmaintained'],
  ['unsound', 'unsound'],
  ['yanked', 'yanked'],
]);

function vulnerability(entry: Fields, out: Out): void {
  const { name, version, ids, title, url } = told(entry);
  if (name === undefined) {
    out.unreadable({ ecosystem: ECOSYSTEM, ids, message: 'an entry that names no crate' });
    return;
  }
  const { cvss } = object(entry.advisory);
  const versions = object(entry.versions);
  out.finding({
    ecosystem: ECOSYSTEM,
    package: name,
    version,
    ids,
    range: rangeOf(versions),
    vectors: text(cvss) === undefined ? undefined : [string(cvss)],
    title,
    url,
    patched: Array.isArray(versions.patched) ? strings(versions.patched) : undefined,
    fix: by('cargo', fixPatched(ECOSYSTEM, versions.patched, version)),
  });
}

function warning(kind: string, entry: Fields, out: Out): void {
  const { name, version, ids, title, url } = told(entry);
  out.notice({
    kind: KINDS.get(kind) ?? 'other',
    ecosystem: ECOSYSTEM,
    package: name,
    version,
    ids,
    message: title,
    url,
  });
}

/** Before 0.12 they were one list, each with its kind: a word, or that word with an advisory. */
function oldWarning(entry: Fields, out: Out): void {
  const [kind = ''] = isObject(entry.kind) ? Object.keys(entry.kind) : [string(entry.kind)];
  warning(kind, { ...entry, ...object(object(entry.kind)[kind]) }, out);
}

const RUSTSEC = /^RUSTSEC-\d{4}-\d{4,}$/;

interface Told {
  name: string | undefined;
  version: string | undefined;
  ids: string[];
  title: string | undefined;
  url: string | undefined;
}

/** What vulnerabilities and warnings have in common. */
function told(entry: Fields): Told {
  const [crate, advisory] = [object(entry.package), object(entry.advisory)];
  const id = text(advisory.id);
  return {
    name: text(crate.name) ?? text(advisory.package),
    version: text(crate.version),
    ids: [...(id === undefined ? [] : [id]), ...strings(advisory.aliases)],
    title: titleOf(advisory.title) ?? titleOf(advisory.description),
    // As cargo audit itself has it: `url` is that of the first announcement.
    url: id !== undefined && RUSTSEC.test(id) ? `https://rustsec.org/advisories/${id}` : text(advisory.url),
  };
}

const FROM = /^>=\s*([\w.+-]+)$/;
const BELOW = /^<\s*([\w.+-]+)$/;

/** The versions that are vulnerable, where they are in one piece. */
function rangeOf(versions: Fields): string | undefined {
  if (!Array.isArray(versions.patched)) return undefined;
  const [patched, unaffected] = [list(versions.patched), list(versions.unaffected)];
  const begin = unaffected.length === 0 ? '' : only(unaffected, BELOW);
  const end = patched.length === 0 ? '' : only(patched, FROM);
  if (begin === undefined || end === undefined) return undefined;
  return [begin && `>=${begin}`, end && `<${end}`].filter(bound => bound !== '').join(', ') || '*';
}

/** The version in the one range of a list; undefined where there are more, or it is of another form. */
const only = (ranges: readonly unknown[], form: RegExp): string | undefined =>
  ranges.length === 1 ? form.exec(string(ranges[0]))?.[1] : undefined;

/** What `audit.toml` or the command line leave out does not stay silent. */
function leftOut(settings: Fields, out: Out): void {
  const say = (message: string): void => out.notice({ kind: 'other', message });
  const ignored = strings(settings.ignore);
  const more = ignored.length > IGNORED ? `, and ${ignored.length - IGNORED} more` : '';
  if (ignored.length > 0) say(`cargo audit ignores ${ignored.slice(0, IGNORED).join(', ')}${more}`);
  if (text(settings.severity)) say(`cargo audit leaves out what is of a severity below ${settings.severity}`);
  const systems = [settings.target_os, settings.target_arch].flatMap(one => text(one) ?? strings(one));
  if (systems.length > 0) say(`cargo audit leaves out what does not concern ${systems.slice(0, IGNORED).join(', ')}`);
}

function read(document: unknown, out: Out): void {
  const { vulnerabilities, warnings, settings } = object(document);
  const { list: found, count } = object(vulnerabilities);
  out.audited(TOOL);
  for (const entry of list(found)) vulnerability(object(entry), out);
  const missing = (number(count) ?? 0) - list(found).length;
  if (missing > 0) out.incomplete('truncated', `${missing} of ${count} vulnerabilities are not in the report`);
  if (Array.isArray(warnings)) for (const entry of warnings) oldWarning(object(entry), out);
  for (const [kind, entries] of Object.entries(object(warnings)))
    for (const entry of objects(entries)) warning(kind, entry, out);
  leftOut(object(settings), out);
}

export const cargoAudit: Auditor = {
  name: 'cargo-audit',
  prints: 'cargo audit --json',
  url: 'https://docs.rs/rustsec/latest/rustsec/report/struct.Report.html',
  recognises: document =>
    isObject(document) &&
    isObject(document.vulnerabilities) &&
    Array.isArray(document.vulnerabilities.list) &&
    ['lockfile', 'database', 'settings'].some(field => isObject(document[field])),
  reader: out => ({ read: document => read(document, out) }),
};
