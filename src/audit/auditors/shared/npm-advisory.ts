/**
 * An advisory as npm's registry tells it, whichever client asked: `{id, url, title, severity, vulnerable_versions, cvss}`
 * (POST /-/npm/v1/security/advisories/bulk), and with `module_name, github_advisory_id, cves, patched_versions, findings`
 * as npm 6, pnpm and yarn 1 to 3 got it (POST /-/npm/v1/security/audits).
 */
import type { Finding, Fix, Out } from '../../auditor.js';
import { type Fields, ghsaOf, object, objects, string, strings, text } from '../../fields.js';
import { isGeneral, type Manager } from '../../managers.js';
import { fixOutside, isBreaking, lowestPatched } from '../../versions.js';

const NPM = 'npm';
/** What yarn 4 calls a deprecated package, which it tells as it does an advisory: `request (deprecation)`. */
export const DEPRECATION = / \(deprecation\)$/;

/** So many paths of a finding are told. */
export const PATHS = 10;

/** What it tells of every version that is installed; undefined: no package. */
export function told(
  advisory: Fields,
  name = text(advisory.module_name),
  id = advisory.id,
  range = advisory.vulnerable_versions,
): Finding | undefined {
  const ids = idsOf(advisory, id);
  if (name === undefined) return undefined;
  const vector = text(object(advisory.cvss).vectorString);
  return {
    ecosystem: NPM,
    package: name,
    ids,
    range: text(range),
    severity: text(advisory.severity),
    vectors: vector === undefined ? undefined : [vector],
    title: text(advisory.title),
    url: text(advisory.url),
    // What the client makes of it.
    version: undefined,
    fix: undefined,
    direct: undefined,
    paths: undefined,
  };
}

/** GHSA, CVE, and what the registry itself calls it: mostly a number, `npm:1106913`. */
function idsOf({ github_advisory_id, url, cves }: Fields, id: unknown): string[] {
  const ghsa = text(github_advisory_id) ?? ghsaOf(url);
  const isNumber = typeof id === 'number' ? Number.isSafeInteger(id) && id >= 0 : /^\d+$/.test(string(id));
  const own = isNumber ? `npm:${id}` : text(id);
  if (cves === undefined && ghsa !== undefined && own !== undefined) return [ghsa, own];
  const ids = [ghsa, ...strings(cves), own].filter(one => one !== undefined);
  return ids.length > 2 ? [...new Set(ids)] : ids;
}

/** Says it of every version in which it was found; of none in particular where the advisory does not tell. */
export function say(out: Out, advisory: Fields, found: Finding, manager: Manager, path?: string): void {
  const findings = objects(advisory.findings);
  for (const { version, paths } of findings.length > 0 ? findings : [{ paths: path === undefined ? [] : [path] }]) {
    const installed = text(version);
    out.finding({
      ...found,
      version: installed,
      fix: within(fixOf(found.range, installed, manager, text(advisory.patched_versions))),
      ...where(strings(paths)),
    });
  }
}

/** What needs no breaking change an upgrade of everything brings, too; and nothing else. */
function within(fix: Fix | undefined): Fix | undefined {
  if (!fix?.available || fix.manager === undefined) return fix;
  if (fix.breaking === false) return { ...fix, together: true };
  return isGeneral(fix.manager) ? { ...fix, manager: undefined } : fix;
}

/** `mkdirp>minimist`: what the project asks for, down to the package. */
export function where(paths: readonly string[]): Pick<Finding, 'direct' | 'paths' | 'pathCount'> {
  if (paths.length === 0) return {};
  const few = paths.slice(0, PATHS).map(path => path.split('>'));
  return {
    direct: paths.some(path => !path.includes('>')),
    paths: few,
    pathCount: paths.length > PATHS ? paths.length : undefined,
  };
}

/** The first version that is safe, as the ranges tell it. */
export function fixOf(
  range: string | undefined,
  installed: string | undefined,
  manager?: Manager,
  patched?: string,
): Fix | undefined {
  if (patched === '<0.0.0') return { available: false };
  const outside = range === undefined ? undefined : fixOutside(NPM, range, installed);
  const out = outside?.available ? outside.version : undefined;
  const version = patched === undefined ? out : lowestPatched(NPM, [patched], installed);
  if (version === undefined)
    return outside && (outside.available ? { available: true, manager } : { available: false });
  const breaking = installed === undefined ? undefined : isBreaking(NPM, installed, version);
  return { available: true, version, breaking, manager };
}
