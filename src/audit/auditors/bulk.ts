/**
 * What npm's registry answers (POST /-/npm/v1/security/advisories/bulk), as it came: `{"lodash":[{id, url, title, severity,
 * vulnerable_versions, cwe, cvss}]}`, `{}` where there is none. That is all that `bun audit --json` prints, and
 * `yarn npm audit --json` of 4.0.0 alone, which adds deprecated packages. Which version is installed is not told.
 */
import type { Auditor, Out } from '../auditor.js';
import { entries, type Fields, isObject, list, string, text, titleOf } from '../fields.js';
import type { Manager } from '../managers.js';
import { DEPRECATION, fixOf, told } from './shared/npm-advisory.js';

const isAdvisory = (value: unknown): value is Fields =>
  isObject(value) && typeof value.vulnerable_versions === 'string' && ('id' in value || 'url' in value);

const isDeprecation = (value: unknown): value is Fields => isObject(value) && DEPRECATION.test(string(value.id));

function read(out: Out, document: unknown): void {
  const packages = entries(document);
  const isYarn = packages.some(([, advisories]) => list(advisories).some(isDeprecation));
  const manager = isYarn ? 'yarn' : 'bun';
  out.audited(manager);
  for (const [name, advisories] of packages) {
    if (!Array.isArray(advisories)) untold(out, name);
    else for (const one of advisories) say(out, manager, name, one);
  }
}

function say(out: Out, manager: Manager, name: string, advisory: unknown): void {
  const found = isObject(advisory) ? told(advisory, text(name)) : undefined;
  if (isDeprecation(advisory)) {
    const [version, message] = [text(advisory.vulnerable_versions), titleOf(advisory.title)];
    out.notice({ kind: 'deprecated', ecosystem: 'npm', package: name, version, message });
  } else if (found === undefined) untold(out, name);
  else out.finding({ ...found, fix: fixOf(found.range, undefined, manager) });
}

const untold = (out: Out, name: string): void =>
  out.unreadable({ ecosystem: 'npm', package: text(name), message: 'an entry that is no advisory' });

export const bulk: Auditor = {
  name: 'bulk',
  prints: 'bun audit --json',
  url: 'https://bun.com/docs/install/audit',
  recognises(document) {
    if (!isObject(document)) return false;
    const values = Object.values(document);
    return values.length === 0 || values.some(value => list(value).some(isAdvisory));
  },
  reader: out => ({ read: document => read(out, document) }),
};
