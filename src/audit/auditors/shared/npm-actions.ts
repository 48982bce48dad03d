/** What npm 6 would do about each path to an advisory: `actions[].{action, module, target, isMajor, resolves[].{id, path, dev}}`. */
import type { Fix } from '../../auditor.js';
import { boolean, objects, string, text } from '../../fields.js';

export interface Action {
  /** `install`, `update`, `review`. */
  kind: string;
  module: string | undefined;
  target: string | undefined;
  isMajor: boolean;
  dev: boolean | undefined;
}

export interface Actions {
  of(id: string, path: string): Action | undefined;
  /** The paths to an advisory. */
  pathsTo(id: string): string[];
  /** Whether all paths to an advisory are but for development. */
  isDev(id: string): boolean | undefined;
}

export function actionsOf(actions: unknown): Actions {
  const byPath = new Map<string, Action>();
  const devs = new Map<string, Set<boolean | undefined>>();
  const paths = new Map<string, string[]>();
  for (const { action, module, target, isMajor, resolves } of objects(actions)) {
    const told = { kind: string(action), module: text(module), target: text(target), isMajor: isMajor === true };
    for (const { id, path, dev } of objects(resolves)) {
      byPath.set(`${String(id)} ${string(path)}`, { ...told, dev: boolean(dev) });
      const all = paths.get(String(id)) ?? [];
      all.push(string(path));
      paths.set(String(id), all);
      const known = devs.get(String(id));
      if (known === undefined) devs.set(String(id), new Set([boolean(dev)]));
      else known.add(boolean(dev));
    }
  }
  return {
    of: (id, path) => byPath.get(`${id} ${path}`),
    pathsTo: id => paths.get(id) ?? [],
    isDev: id => only(devs.get(id) ?? new Set()),
  };
}

/** What all say. */
export const only = (values: ReadonlySet<boolean | undefined>): boolean | undefined =>
  values.size === 1 ? [...values][0] : undefined;

/**
 * What closes all paths. npm 6 updates but what the project itself asks for (6.14.18), so that of others only `npm audit fix`
 * does it, as far as that is no breaking change.
 */
export function fixBy(acts: readonly Action[], name: string): Fix | undefined {
  if (acts.some(({ kind }) => kind === 'review')) return { available: false };
  const known = acts.filter(({ kind }) => kind === 'install' || kind === 'update');
  const [first] = known;
  if (first?.module === undefined) return undefined;
  const breaking = known.some(({ isMajor }) => isMajor);
  const all = { available: true, breaking, together: breaking ? undefined : true } as const;
  const isOne = known.every(({ module, target }) => module === first.module && target === first.target);
  if (!isOne) return { ...all, manager: breaking ? undefined : 'npm-audit-fix' };
  const install = known.some(({ kind }) => kind === 'install');
  const of = { package: first.module === name ? undefined : first.module, version: first.target };
  return { ...all, ...of, manager: install ? 'npm' : 'npm-audit-fix' };
}
