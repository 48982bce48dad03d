/**
 * `yarn npm audit --json` of yarn 4.0.1 and later: a line per advisory, the tree that it draws for people as JSON
 * (`npmAuditUtils.getReportTree` of plugin-npm-cli); nothing at all where there is none. Deprecated packages are told
 * likewise, without an address. `Dependents` has one for each version that is installed, and does not tell which; if the
 * project asks for it itself, that is the one. Yarn 2 and 3 print what npm 6 does, 4.0.0 a bulk map.
 */
import type { Auditor, Finding, Out } from '../auditor.js';
import { type Fields, isObject, object, string, strings, text, titleOf } from '../fields.js';
import { DEPRECATION, fixOf, told } from './shared/npm-advisory.js';

/** `@shop/api@workspace:packages/api`, also in a virtual one: where that package of the project is. */
const WORKSPACE = /[@#]workspace:([^#:]+)/;

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
      out.finding({ ...found, version, fix: fixOf(found.range, version, 'yarn'), ...where(tree, found.package) });
}

function deprecated(out: Out, name: string, versions: readonly string[], title: unknown): void {
  const message = titleOf(title);
  for (const version of versions.length > 0 ? versions : [undefined])
    out.notice({ kind: 'deprecated', ecosystem: 'npm', package: name, version, message });
}

function where(tree: Fields, name: string): Pick<Finding, 'direct' | 'paths' | 'manifest'> {
  const dependents = strings(tree.Dependents);
  const workspaces = dependents.flatMap(one => WORKSPACE.exec(one)?.[1] ?? []);
  if (dependents.length === 0) return {};
  if (workspaces.length === 0) return { direct: false };
  const isOne = strings(tree['Tree Versions']).length === 1;
  if (!isOne && workspaces.length < dependents.length) return {};
  const [workspace] = workspaces;
  const manifest = isOne && workspaces.length === 1 && workspace !== '.' ? workspace : undefined;
  return { direct: true, paths: [[name]], manifest };
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
