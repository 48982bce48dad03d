/**
 * `bundle-audit check --format json`: `results`, each a gem (or Ruby itself) with an advisory, or a source that is not safe.
 * Direct or not and the paths are not in it. (https://github.com/rubysec/bundler-audit)
 */
import type { Auditor, Finding, Out } from '../auditor.js';
import { type Fields, isObject, list, number, object, string, strings, text, titleOf } from '../fields.js';
import { by } from '../managers.js';
import { fixPatched } from '../versions.js';

const TOOL = 'bundler-audit';
const ECOSYSTEM = 'RubyGems';

function result(entry: Fields, out: Out): void {
  if (entry.type === 'insecure_source') {
    const source = text(entry.source);
    out.notice({
      kind: 'insecureSource',
      message: titleOf(`gems come unprotected from ${source ?? 'a source'}`),
      url: source,
    });
    return;
  }
  const advisory = object(entry.advisory);
  // Ruby itself is an engine: `bundle` does not upgrade it.
  const isGem = isObject(entry.gem);
  const { name, version } = object(isGem ? entry.gem : entry.engine);
  const [found, installed, ids] = [text(name), text(version), idsOf(advisory)];
  if (found === undefined) {
    out.unreadable({ ecosystem: ECOSYSTEM, ids, message: 'an entry that names no gem' });
    return;
  }
  out.finding({
    ecosystem: ECOSYSTEM,
    package: found,
    version: installed,
    ids,
    severity: text(advisory.criticality),
    score: scoreOf(advisory),
    title: titleOf(advisory.title) ?? titleOf(advisory.description),
    url: text(advisory.url),
    patched: Array.isArray(advisory.patched_versions) ? strings(advisory.patched_versions) : undefined,
    fix: by(isGem ? 'bundler' : undefined, fixPatched(ECOSYSTEM, advisory.patched_versions, installed)),
  });
}

/** The fields have the number alone, `id` is the name of the advisory's file. */
function idsOf({ id, cve, osvdb, ghsa }: Fields): string[] {
  const numbered = (kind: string, value: unknown): string[] => {
    const found = typeof value === 'number' ? String(value) : text(value);
    return found === undefined ? [] : [`${kind}-${found}`];
  };
  const named = /^\d{4}-\d+$/.test(string(id)) ? `CVE-${id}` : text(id);
  return [
    ...new Set([
      ...numbered('GHSA', ghsa),
      ...numbered('CVE', cve),
      ...numbered('OSVDB', osvdb),
      ...(named ? [named] : []),
    ]),
  ];
}

function scoreOf({ cvss_v3, cvss_v2 }: Fields): Finding['score'] {
  const [third, second] = [number(cvss_v3), number(cvss_v2)];
  if (third !== undefined) return { value: third, version: 3 };
  return second === undefined ? undefined : { value: second, version: 2 };
}

function read(document: unknown, out: Out): void {
  out.audited(TOOL);
  for (const entry of list(object(document).results)) result(object(entry), out);
}

export const bundlerAudit: Auditor = {
  name: 'bundler-audit',
  prints: 'bundle-audit check --format json',
  url: 'https://github.com/rubysec/bundler-audit',
  recognises: document =>
    isObject(document) &&
    Array.isArray(document.results) &&
    text(document.version) !== undefined &&
    text(document.created_at) !== undefined,
  reader: out => ({ read: document => read(document, out) }),
};
