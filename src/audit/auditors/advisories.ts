/**
 * What npm's registry answered to …/security/audits: `{actions, advisories: {id: {…}}, muted, metadata}`. npm 6 printed it so
 * and added a `runId`; pnpm 6 to 10 and yarn 2 and 3 as it came; pnpm 11 and later make up what they had of it. `actions` are
 * what npm 6 would do; to the others they say only what is used for development. A path begins with what the project asks
 * for, pnpm's with the folder of the project (`.`, `packages__api`; in pnpm 8 and 9 `packages/api > mkdirp@0.5.1 > …`).
 */
import { groupBy } from '../../base/group.js';
import type { Auditor, Finding, Fix, Out } from '../auditor.js';
import {
  boolean,
  entries,
  type Fields,
  isObject,
  list,
  number,
  object,
  objects,
  string,
  strings,
  text,
} from '../fields.js';
import type { Manager } from '../managers.js';
import { type Action, type Actions, actionsOf, fixBy, only } from './shared/npm-actions.js';
import { fixOf, PATHS, told } from './shared/npm-advisory.js';

type Tool = 'npm' | 'pnpm' | 'yarn';

/** What one document tells of itself. */
interface Context {
  out: Out;
  tool: Tool;
  manager: Manager;
  actions: Actions;
}

/** A way down to the package. */
interface Path {
  /** As printed. */
  text: string;
  /** The folder of the project that it begins with. */
  folder?: string | undefined;
  /** What is below, as printed. */
  rest: string;
}

function read(out: Out, document: unknown): void {
  const { advisories, metadata, actions } = object(document);
  const tool = toolOf(object(document));
  const context: Context = { out, tool, manager: managerOf(tool, advisories), actions: actionsOf(actions) };
  out.audited(tool);
  const severities = new Set<string>();
  for (const [, advisory] of entries(advisories)) {
    const found = isObject(advisory) ? told(advisory) : undefined;
    if (found === undefined) out.unreadable({ ecosystem: 'npm', message: `${tool} tells an advisory of no package` });
    else say(context, object(advisory), found);
    severities.add(string(object(advisory).severity));
  }
  compare(context, object(object(metadata).vulnerabilities), severities);
}

/** pnpm 11 has no actions; yarn's paths begin with no folder. Where nothing was found, nobody can tell pnpm from yarn. */
function toolOf({ runId, actions, advisories }: Fields): Tool {
  if (text(runId) !== undefined) return 'npm';
  if (actions === undefined) return 'pnpm';
  const all = pathsOf(advisories);
  return all.length === 0 || all.some(hasFolder) ? 'pnpm' : 'yarn';
}

function hasFolder(path: string): boolean {
  const head = path.slice(0, path.indexOf('>') + 1);
  return head === '.>' || head.endsWith(' >') || (head.includes('__') && !head.includes('/'));
}

/** The first paths are enough to see what they are like. */
const pathsOf = (advisories: unknown): string[] =>
  entries(advisories).flatMap(([, one]) =>
    objects(object(one).findings).flatMap(({ paths }) => strings(list(paths).slice(0, PATHS))),
  );

/** pnpm updates otherwise in a workspace. */
function managerOf(tool: Tool, advisories: unknown): Manager {
  if (tool === 'npm') return 'npm-audit-fix';
  if (tool === 'yarn') return 'yarn-3';
  return pathsOf(advisories).some(path => !path.startsWith('.')) ? 'pnpm-workspace' : 'pnpm';
}

/** Says it of every version in which it was found, and of each folder of a workspace. */
function say(context: Context, advisory: Fields, found: Finding): void {
  const findings = objects(advisory.findings);
  for (const finding of findings.length > 0 ? findings : [{}]) {
    const folders = groupBy(pathsIn(context, advisory, finding), ({ folder }) => folder ?? '');
    for (const paths of folders.size > 0 ? folders.values() : [[]]) {
      const folder = paths[0]?.folder;
      const manifest = folder === '.' ? undefined : folder;
      const about = installed(context, advisory, finding, found, paths);
      const fix = about.fix?.available ? { ...about.fix, folder: manifest } : about.fix;
      context.out.finding({ ...found, ...about, fix, manifest });
    }
  }
}

/** npm 6 sometimes tells them only with what it would do. */
function pathsIn({ tool, actions }: Context, { id, findings }: Fields, { paths }: Fields): Path[] {
  const told = strings(paths);
  const all = told.length === 0 && objects(findings).length === 1 ? actions.pathsTo(String(id)) : told;
  return all.map(one => pathOf(tool, one));
}

function installed(context: Context, advisory: Fields, finding: Fields, found: Finding, paths: readonly Path[]) {
  const version = text(finding.version);
  const id = String(advisory.id);
  const known = paths.length > 0 ? paths.map(path => path.text) : context.actions.pathsTo(id);
  const acts = known.flatMap(path => context.actions.of(id, path) ?? []);
  return {
    version,
    fix: fixFor(paths.length > 1 && isMixed(paths) ? within(context) : context, advisory, found, version, acts),
    dev: devOf(context, id, finding, acts.length === paths.length ? acts : []),
    direct: paths.length > 0 ? paths.some(({ rest }) => !rest.includes('>')) : undefined,
    paths: paths.length > 0 ? paths.slice(0, PATHS).map(({ rest }) => stepsOf(rest)) : undefined,
    pathCount: paths.length > PATHS ? paths.length : undefined,
  };
}

const isMixed = (paths: readonly Path[]): boolean =>
  paths.some(({ rest }) => rest.includes('>')) && paths.some(({ rest }) => !rest.includes('>'));

/** Yarn 2 and 3 tell all paths of a package with one version: what the project itself asks for may be another one. */
const within = (context: Context): Context =>
  context.tool === 'yarn' ? { ...context, manager: 'yarn-within' } : context;

/** Yarn says of everything that it is none. */
function devOf({ tool, actions }: Context, id: string, finding: Fields, acts: readonly Action[]): boolean | undefined {
  if (tool === 'yarn') return undefined;
  if (acts.length > 0) return only(new Set(acts.map(({ dev }) => dev)));
  return boolean(finding.dev) ?? actions.isDev(id);
}

function pathOf(tool: Tool, printed: string): Path {
  const end = tool === 'pnpm' ? printed.indexOf('>') : -1;
  if (end === -1) return { text: printed, rest: printed };
  const folder = printed.slice(0, end).trim().replaceAll('__', '/');
  return { text: printed, folder, rest: printed.slice(end + 1).trim() };
}

/** pnpm 8 and 9 say versions, too: `mkdirp@0.5.1 > minimist@0.0.8`, `api@link:../api`. */
const stepsOf = (path: string): string[] => path.split('>').map(step => nameOf(step.trim()));

function nameOf(step: string): string {
  const end = step.indexOf('@', 1);
  return end === -1 ? step : step.slice(0, end);
}

function fixFor(
  { tool, manager }: Context,
  { patched_versions, patched_versions_unpublished }: Fields,
  { package: name, range }: Finding,
  version: string | undefined,
  acts: readonly Action[],
): Fix | undefined {
  // pnpm 11 looks whether there is one.
  if (patched_versions_unpublished === true) return { available: false };
  const fix = fixOf(range, version, manager, text(patched_versions));
  if (tool !== 'npm') return fix;
  // What it would do is not told: then it is not told either whether it does it by itself.
  return fixBy(acts, name) ?? (fix?.available && fix.breaking !== false ? { ...fix, manager: undefined } : fix);
}

const LEVELS = ['info', 'low', 'moderate', 'high', 'critical'];

/** pnpm and yarn leave out what they were told to ignore, and count it; npm has everything. */
function compare({ out, tool }: Context, counts: Fields, severities: ReadonlySet<string>): void {
  const missing = LEVELS.filter(level => (number(counts[level]) ?? 0) > 0 && !severities.has(level));
  if (missing.length === 0) return;
  const counted = missing.map(level => `${number(counts[level])} ${level}`).join(', ');
  if (tool === 'npm') out.incomplete('truncated', `npm counts ${counted} that the report does not hold`);
  else
    out.notice({
      kind: 'other',
      message: `${tool} counts ${counted} that it does not list (ignored, or below the level)`,
    });
}

export const advisories: Auditor = {
  name: 'advisories',
  prints: 'pnpm audit --json',
  url: 'https://pnpm.io/cli/audit',
  recognises: document =>
    isObject(document) &&
    isObject(document.advisories) &&
    (Array.isArray(document.actions) || isObject(object(document.metadata).vulnerabilities)),
  reader: out => ({ read: document => read(out, document) }),
};
