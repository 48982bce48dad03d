/**
 * `pip-audit -f json`: each distribution with its vulnerabilities, `{dependencies: […], fixes: […]}`, before 2.0 the list
 * alone. One that was not audited has a `skip_reason` in the place of its version. No severity, nor what asks for what;
 * from 2.0 a description has no line breaks. (https://github.com/pypa/pip-audit/blob/main/pip_audit/_format/json.py)
 */
import type { Auditor, Fix, Out } from '../auditor.js';
import { type Fields, isObject, list, object, objects, strings, text, titleOf } from '../fields.js';
import { isBreaking, lowestAbove } from '../versions.js';

const TOOL = 'pip-audit';
const MENDED = 200;
const ECOSYSTEM = 'PyPI';

/** The version that `--fix` has brought, by what was there before. */
type Fixed = ReadonlyMap<string, string>;

const keyOf = (name: string, version: string): string => `${name}\n${version}`;

function fixedIn(fixes: readonly Fields[]): Fixed {
  return new Map(
    fixes.flatMap(({ name, old_version, new_version }) => {
      const [what, from, to] = [text(name), text(old_version), text(new_version)];
      return what && from && to ? [[keyOf(what, from), to] as const] : [];
    }),
  );
}

function dependency(entry: Fields, fixed: Fixed, out: Out): void {
  const [name, version] = [text(entry.name), text(entry.version)];
  const about = { ecosystem: ECOSYSTEM, package: name, version };
  if (text(entry.skip_reason) !== undefined) {
    out.notice({ ...about, kind: 'notAudited', message: titleOf(entry.skip_reason) });
    return;
  }
  if (!Array.isArray(entry.vulns)) {
    out.unreadable({ ...about, message: 'an entry without a list of vulnerabilities' });
    return;
  }
  const upgraded = fixed.get(keyOf(name ?? '', version ?? ''));
  if (upgraded !== undefined && entry.vulns.length > 0)
    out.notice({ ...about, kind: 'other', message: `pip-audit has upgraded it to ${upgraded}` });
  else for (const vulnerability of entry.vulns) finding(name, version, object(vulnerability), out);
}

function finding(name: string | undefined, version: string | undefined, vulnerability: Fields, out: Out): void {
  const id = text(vulnerability.id);
  const ids = [...(id === undefined ? [] : [id]), ...strings(vulnerability.aliases)];
  if (name === undefined) {
    out.unreadable({ ecosystem: ECOSYSTEM, version, ids, message: 'an entry that names no package' });
    return;
  }
  out.finding({
    ecosystem: ECOSYSTEM,
    package: name,
    version,
    ids,
    // `N/A`: it has none.
    title: vulnerability.description === 'N/A' ? undefined : titleOf(vulnerability.description),
    mended: mendedIn(vulnerability.fix_versions),
    fix: fixOf(vulnerability.fix_versions, version),
  });
}

function mendedIn(versions: unknown): string[] | undefined {
  // A list without end is looked at only so far.
  const mended = strings(versions).slice(0, MENDED);
  return mended.length > 0 ? mended : undefined;
}

function fixOf(versions: unknown, installed: string | undefined): Fix | undefined {
  if (!Array.isArray(versions)) return undefined;
  if (versions.length === 0) return { available: false };
  const version = lowestAbove(ECOSYSTEM, strings(versions), installed);
  // Where all of them are older, later ones are not fixed, or by a version that is not told.
  if (version === undefined) return undefined;
  const breaking = installed ? isBreaking(ECOSYSTEM, installed, version) : undefined;
  return { available: true, version, breaking, manager: 'pip' };
}

function read(document: unknown, out: Out): void {
  const dependencies = isObject(document) ? document.dependencies : document;
  const fixed = fixedIn(objects(object(document).fixes));
  out.audited(TOOL);
  if (list(dependencies).length === 0) out.doubt(NOTHING);
  for (const entry of list(dependencies)) dependency(object(entry), fixed, out);
}

const NOTHING =
  'pip-audit has audited no package, as with --dry-run; if there is none, say what it exited with (--status 0)';

/** Whether an entry is one of its. */
const isDependency = (entry: unknown): boolean =>
  isObject(entry) && 'name' in entry && ('vulns' in entry || 'skip_reason' in entry);

export const pipAudit: Auditor = {
  name: 'pip-audit',
  prints: 'pip-audit -f json',
  url: 'https://github.com/pypa/pip-audit',
  // An empty list is also what others print: it is no audit.
  recognises: document => {
    if (Array.isArray(document)) return document.some(isDependency);
    if (!isObject(document) || !Array.isArray(document.dependencies)) return false;
    return document.dependencies.length === 0
      ? Array.isArray(document.fixes)
      : document.dependencies.some(isDependency);
  },
  reader: out => ({ read: document => read(document, out) }),
};
