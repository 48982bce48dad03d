/** What npm 6 would do about each path to an advisory: `actions[].{action, module, target, isMajor, resolves[].{id, path, dev}}`. */
import { groupBy } from '../../../base/group.js';
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
  const all = objects(actions).flatMap(({ action, module, target, isMajor, resolves }) => {
    const told = { kind: string(action), module: text(module), target: text(target), isMajor: isMajor === true };
    return objects(resolves).map(({ id, path, dev }) => ({
      id: String(id),
      path: string(path),
      action: { ...told, dev: boolean(dev) },
    }));
  });
  const byPath = new Map(all.map(({ id, path, action }) => [`${id} ${path}`, action]));
  const byId = groupBy(all, ({ id }) => id);
  return {
    of: (id, path) => byPath.get(`${id} ${path}`),
    pathsTo: id => (byId.get(id) ?? []).map(({ path }) => path),
    isDev: id => only(new Set((byId.get(id) ?? []).map(({ action }) => action.dev))),
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
