/**
 * `yarn npm audit --json` of yarn 4.0.1 and later: a line per advisory, the tree that it draws for people as JSON
 * (`npmAuditUtils.getReportTree` of plugin-npm-cli); nothing at all where there is none. Deprecated packages are told
 * likewise, without an address. `Dependents` has one for each version that is installed, and does not tell which; if the
 * project asks for it itself, that is the one. Yarn 2 and 3 print what npm 6 does, 4.0.0 a bulk map.
 */
import type { Auditor, Finding, Fix, Out } from '../auditor.js';
import { type Fields, isObject, object, string, strings, text, titleOf } from '../fields.js';
import { DEPRECATION, fixOf, told } from './shared/npm-advisory.js';

/** `@shop/api@workspace:packages/api`, also in a virtual one: a package of the project, and where it is. */
const WORKSPACE = /^(@?[^@]+)@(?:.*#)?workspace:([^#:]+)/;

/** A folder of the project, by its name and its path. */
interface Folder {
  name: string;
  path: string;
}

function read(out: Out, document: unknown): void {
  const { value, children } = object(document);
  const tree = object(children);
  const { ID: id, URL: url, Issue: title, Severity: severity, 'Vulnerable Versions': range } = tree;
  const versions = strings(tree['Tree Versions']);
  const found = told({ id, url, title, severity, vulnerable_versions: range }, text(value));
  if (text(value) !== undefined && DEPRECATION.test(string(id))) deprecated(out, string(value), versions, title);
  else if (found === undefined) out.unreadable({ ecosystem: 'npm', message: 'yarn tells an advisory of no package' });
  else
    for (const version of versions.length > 0 ? versions : [undefined])
      say(out, { ...found, version }, tree, versions.length);
}

/** `Dependents` does not tell which version each of them asks for; of one there is no doubt. */
function say(out: Out, found: Finding, tree: Fields, versions: number): void {
  const dependents = strings(tree.Dependents);
  const folders = dependents.flatMap(one => folderOf(one) ?? []);
  const fix = fixOf(found.range, found.version, 'yarn');
  if (folders.length === 0) {
    out.finding({ ...found, fix, direct: dependents.length > 0 ? false : undefined });
  } else if (versions > 1 && folders.length < dependents.length) {
    out.finding({ ...found, fix });
  } else if (versions > 1 && folders.length > 1) {
    const whoever = fix?.available ? { ...fix, manager: undefined } : fix;
    out.finding({ ...found, fix: whoever, direct: true, paths: [[found.package]] });
  } else for (const folder of folders) out.finding({ ...found, ...askedBy(folder, found.package, fix) });
}

function askedBy({ name, path }: Folder, asked: string, fix: Fix | undefined): Partial<Finding> {
  const isRoot = path === '.';
  return {
    fix: fix?.available && !isRoot ? { ...fix, folder: name } : fix,
    direct: true,
    paths: [[asked]],
    manifest: isRoot ? undefined : path,
  };
}

function folderOf(dependent: string): Folder | undefined {
  const [, name, path] = WORKSPACE.exec(dependent) ?? [];
  return name === undefined || path === undefined ? undefined : { name, path };
}

function deprecated(out: Out, name: string, versions: readonly string[], title: unknown): void {
  const message = titleOf(title);
  for (const version of versions.length > 0 ? versions : [undefined])
    out.notice({ kind: 'deprecated', ecosystem: 'npm', package: name, version, message });
}

export const yarn: Auditor = {
  name: 'yarn',
  prints: 'yarn npm audit --json',
  url: 'https://yarnpkg.com/cli/npm/audit',
  recognises: document =>
    isObject(document) && 'value' in document && isObject(document.children) && 'Issue' in document.children,
  reader(out) {
    out.audited('yarn');
    return { read: document => read(out, document) };
  },
};
