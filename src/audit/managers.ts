/** The package managers' commands for an upgrade, as words for a POSIX shell. */
import { command } from '../base/shell.js';
import type { Fix } from './auditor.js';
import type { Way } from './versions.js';

export interface Target {
  package: string;
  /** To this one; absent: to whatever is allowed. */
  version?: string | undefined;
  /** The one that is installed. */
  installed?: string | undefined;
  direct?: boolean | undefined;
  breaking?: boolean | undefined;
  /** The folder of the project that asks for it; absent: its root. */
  folder?: string | undefined;
}

/** One command, or several in a row. */
type Words = readonly string[] | readonly (readonly string[])[] | undefined;

/** What others bring stays within their ranges, so that a breaking one is out of reach. */
function pnpmUpdate({ package: name, version, direct, breaking, folder }: Target, ...flags: string[]): Words {
  const where = folder === undefined ? [] : ['--filter', `./${folder}`];
  if (version !== undefined && direct) return ['pnpm', ...where, 'update', `${name}@^${version}`];
  // A pinned one of the project's own would stay, too.
  return breaking || direct === undefined
    ? undefined
    : ['pnpm', 'update', ...flags, '--depth', 'Infinity', '--no-save', name];
}

/** @param own how to change what the project itself asks for */
function yarnUpgrade({ package: name, version, direct, breaking }: Target, ...own: string[]): Words {
  const within = ['yarn', 'up', '-R', name];
  if (version === undefined || !direct) return breaking ? undefined : within;
  const asked = ['yarn', ...own, `${name}@^${version}`];
  return breaking ? asked : [asked, within];
}

/** undefined: there is no one command that does it. */
const COMMANDS = {
  // What nobody in the project asks for by itself stays within the bounds of those that do.
  npm: ({ package: name, version, direct, breaking }) => {
    if (version !== undefined && direct) return ['npm', 'install', `${name}@${version}`];
    return breaking ? undefined : ['npm', 'update', name];
  },
  // Where no one package can be named: it closes all that needs no breaking change.
  'npm-audit-fix': () => ['npm', 'audit', 'fix'],
  pnpm: target => pnpmUpdate(target),
  // Without `-r` pnpm 8 to 11 update nothing in the folders of a workspace, and with it nothing where there is none.
  'pnpm-workspace': target => pnpmUpdate(target, '-r'),
  // Yarn 1 leaves alone what others ask for, unless everything is upgraded.
  'yarn-1': ({ package: name, version, direct }) =>
    version !== undefined && direct ? ['yarn', 'upgrade', `${name}@^${version}`] : undefined,
  'yarn-1-upgrade': ({ breaking }) => (breaking ? undefined : ['yarn', 'upgrade']),
  // `-R` goes as far as the bounds allow, whoever asks for it; what others ask for stays within them, and so does a pinned one.
  // `up` would change all folders that ask for it, also one that is far ahead.
  yarn: target => {
    if (target.direct === undefined) return undefined;
    return yarnUpgrade(target, ...(target.folder === undefined ? [] : ['workspace', target.folder]), 'add');
  },
  // Yarn 2 and 3 do not tell who asks for it.
  'yarn-3': target => yarnUpgrade(target, 'up'),
  'yarn-within': target => yarnUpgrade({ ...target, direct: false }),
  // `bun update NAME` of 1.2 and 1.3 adds what others ask for to package.json, and leaves the old one where it was.
  bun: ({ package: name, version, direct }) =>
    version !== undefined && direct ? ['bun', 'add', `${name}@${version}`] : undefined,
  // A breaking one is a change of Cargo.toml, which may be that of another crate.
  cargo: ({ package: name, version, installed, breaking }) =>
    version !== undefined && breaking === false
      ? ['cargo', 'update', '-p', installed ? `${name}@${installed}` : name, '--precise', version]
      : undefined,
  pip: ({ package: name, version }) => (version === undefined ? undefined : ['pip', 'install', `${name}==${version}`]),
  // They keep to the bounds of pyproject.toml, and say nothing where these leave the package as it is.
  poetry: ({ package: name, breaking }) => (breaking ? undefined : ['poetry', 'update', name]),
  pdm: ({ package: name, breaking }) => (breaking ? undefined : ['pdm', 'update', name]),
  // Takes the bound out of the Pipfile.
  pipenv: ({ package: name }) => ['pipenv', 'update', name],
  // Fails where the bounds of pyproject.toml do not allow it.
  uv: ({ package: name, version }) => ['uv', 'lock', '--upgrade-package', version ? `${name}==${version}` : name],
  go: ({ package: name, version }) => ['go', 'get', `${name}@${version ?? 'latest'}`],
  // Both keep to the bounds of composer.json and Gemfile, and say nothing where these leave the package as it is.
  composer: ({ package: name, breaking }) =>
    breaking ? undefined : ['composer', 'update', name, '--with-all-dependencies'],
  // Without `--minor` it also takes the next major version where the Gemfile has no bound.
  bundler: ({ package: name, breaking }) =>
    breaking ? undefined : ['bundle', 'update', '--conservative', ...(breaking === false ? ['--minor'] : []), name],
} satisfies Record<string, (target: Target) => Words>;

export type Manager = keyof typeof COMMANDS;

/** A way out that ranges tell, and who takes it. */
export const by = (manager: Manager | undefined, way: Way | undefined): Fix | undefined =>
  way?.available ? { ...way, manager } : way;

/** Whether it has several versions of a package at once, and upgrades each of them by itself. */
export const isPerVersion = (manager: Manager): boolean => PER_VERSION.has(manager);

const PER_VERSION: ReadonlySet<Manager> = new Set(['cargo', 'yarn', 'yarn-3', 'yarn-within', 'pnpm', 'pnpm-workspace']);

/** Who closes all that a manager can close by itself, at once. */
const TOGETHER: Partial<Record<Manager, Manager>> = {
  npm: 'npm-audit-fix',
  'npm-audit-fix': 'npm-audit-fix',
  'yarn-1': 'yarn-1-upgrade',
  'yarn-1-upgrade': 'yarn-1-upgrade',
};

export const togetherWith = (manager: Manager): Manager | undefined => TOGETHER[manager];

/** Whether it upgrades whatever it can, and no package by its name. */
export const isGeneral = (manager: Manager): boolean => TOGETHER[manager] === manager;

/**
 * Names as each kind of manager has them. Anything else it would take for a flag, a folder, an address, a pattern or a
 * requirement, however well a shell's words are quoted.
 */
const NAMES: readonly [RegExp, readonly Manager[]][] = [
  [
    /^(?:@[^/@:#*\s]+\/)?[^-/@:#*.~\s][^/@:#*]*$/,
    ['npm', 'pnpm', 'pnpm-workspace', 'yarn-1', 'yarn', 'yarn-3', 'yarn-within', 'bun'],
  ],
  [/^(?!(?:all|std|cmd)$|.*\.\.)[^-./@*\s][^@*\s]*$/, ['go']],
  [/^[^-/@:*\s][^@:*\s]*$/, ['composer']],
];
const PLAIN = /^[^-/@:;*\s][^/@:;*\s]*$/;
const VERSION = /^v?\d[^\s/@:#]*$/;

/** A folder that pnpm would not take for a pattern, nor yarn for a flag. */
const FOLDER = /^[^-\s*!{}[\]()|.][^\s*!{}[\]()|]*$/;

const isName = (manager: Manager, name: string): boolean =>
  (NAMES.find(([, managers]) => managers.includes(manager))?.[0] ?? PLAIN).test(name);

/** The commands that do it, quoted; undefined where there is none. */
export function commandsFor(manager: Manager, target: Target): string[] | undefined {
  if (!isGeneral(manager) && !isName(manager, target.package)) return undefined;
  if (target.version !== undefined && !VERSION.test(target.version)) return undefined;
  if (target.folder !== undefined && !FOLDER.test(target.folder)) return undefined;
  const words: Words = COMMANDS[manager](target);
  if (words === undefined) return undefined;
  const commands = words.filter(word => typeof word !== 'string');
  return commands.length > 0 ? commands.map(one => command(...one)) : [command(...(words as readonly string[]))];
}
