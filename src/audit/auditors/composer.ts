/**
 * `composer audit --format=json`: `advisories` by package, `abandoned` packages with what replaces them. PHP writes an empty
 * map as `[]`, and before 2.7 a list of which some were left out as a map. The installed version is not in it, nor who asks
 * for a package. (https://getcomposer.org/doc/03-cli.md#audit)
 */
import type { Auditor, Out } from '../auditor.js';
import { entries, type Fields, ghsaOf, isObject, object, objects, string, text, titleOf } from '../fields.js';
import { by } from '../managers.js';
import { fixOutside } from '../versions.js';

const TOOL = 'composer';
const ECOSYSTEM = 'Packagist';
/** So many of the packages that are ignored are told. */
const IGNORED = 10;

function advisory(name: string, entry: Fields, out: Out): void {
  const ids = idsOf(entry);
  const found = text(entry.packageName) ?? text(name);
  if (found === undefined) {
    unread(found, ids, out);
    return;
  }
  const range = text(entry.affectedVersions);
  out.finding({
    ecosystem: ECOSYSTEM,
    package: found,
    ids,
    range,
    severity: text(entry.severity),
    title: titleOf(entry.title),
    url: text(entry.link),
    // Which of several ends is the one is not known without the version.
    fix: range === undefined ? undefined : by('composer', fixOutside(ECOSYSTEM, range, undefined)),
  });
}

function unread(name: string | undefined, ids: readonly string[], out: Out): void {
  out.unreadable({ ecosystem: ECOSYSTEM, package: name, ids, message: 'an entry that is no advisory' });
}

/** GHSA, CVE, and Packagist's own. */
function idsOf({ cve, sources, link, advisoryId }: Fields): string[] {
  const remote = objects(sources).flatMap(({ remoteId }) => text(remoteId) ?? []);
  const known = remote.filter(id => /^(?:GHSA|CVE)-/i.test(id));
  return [...new Set([...known, ghsaOf(link), text(cve), text(advisoryId)].filter(id => id !== undefined))];
}

/** A list, or what PHP makes of one from which some were taken. */
const isList = (value: unknown): boolean =>
  Array.isArray(value) ||
  (isObject(value) && /^\d/.test(Object.keys(value)[0] ?? '') && Object.values(value).every(isObject));

/** Lists of packages that are not wanted, malware for one (2.10): Composer fails for them as for an advisory. */
function unwanted(name: string, entry: Fields, out: Out): void {
  const found = text(entry.packageName) ?? text(name);
  const [id, why] = [
    text(entry.id),
    ['not wanted', string(entry.listName), string(entry.reason)].filter(Boolean).join(': '),
  ];
  if (found === undefined) unread(undefined, id ? [id] : [], out);
  else out.finding({ ecosystem: ECOSYSTEM, package: found, ids: id ? [id] : [], title: why, url: text(entry.url) });
}

function read(document: unknown, out: Out): void {
  const all = object(document);
  out.audited(TOOL);
  for (const [name, list] of entries(all.advisories)) {
    if (isList(list)) for (const [, entry] of entries(list)) advisory(name, object(entry), out);
    else unread(name, [], out);
  }
  for (const [name, replacement] of entries(all.abandoned))
    out.notice({ kind: 'abandoned', ecosystem: ECOSYSTEM, package: name, replacement: text(replacement) });
  for (const [name, list] of entries(all.filter))
    for (const [, entry] of entries(list)) unwanted(name, object(entry), out);
  for (const [name, entry] of entries(all.cooldown))
    out.notice({
      kind: 'other',
      ecosystem: ECOSYSTEM,
      package: name,
      version: text(object(entry).prettyVersion),
      message: 'too new: it is within its cooldown',
    });
  for (const [, message] of entries(all['unreachable-repositories']))
    out.notice({ kind: 'notAudited', message: titleOf(message) });
  leftOut(all['ignored-advisories'], out);
}

/** What composer.json leaves out does not stay silent. */
function leftOut(ignored: unknown, out: Out): void {
  const names = entries(ignored).map(([name]) => name);
  const more = names.length > IGNORED ? `, and ${names.length - IGNORED} more` : '';
  if (names.length > 0)
    out.notice({
      kind: 'other',
      message: `composer ignores advisories of ${names.slice(0, IGNORED).join(', ')}${more}`,
    });
}

export const composer: Auditor = {
  name: 'composer',
  prints: 'composer audit --format=json',
  url: 'https://getcomposer.org/doc/03-cli.md#audit',
  recognises: document => {
    if (!isObject(document)) return false;
    const { advisories } = document;
    if (Array.isArray(advisories) && advisories.length === 0) return !('metadata' in document);
    // npm 6 and pnpm have advisories by their number, not lists by package.
    return isObject(advisories) && !('metadata' in document) && Object.values(advisories).some(isList);
  },
  reader: out => ({ read: document => read(document, out) }),
};
