/** The package managers' commands for an upgrade, as words for a POSIX shell. */
import { command } from '../base/shell.js';

export interface Target {
  package: string;
  /** To this one; absent: to whatever is allowed. */
  version?: string | undefined;
  /** The one that is installed. */
  installed?: string | undefined;
  direct?: boolean | undefined;
  breaking?: boolean | undefined;
}

type Words = readonly string[] | undefined;

/** What others bring stays within their ranges, so that a breaking one is out of reach. */
function pnpmUpdate({ package: name, version, direct, breaking }: Target, ...flags: string[]): Words {
  if (version !== undefined && direct) return ['pnpm', 'update', '-r', `${name}@${version}`];
  return breaking ? undefined : ['pnpm', 'update', ...flags, '--depth', 'Infinity', '--no-save', name];
}

/** undefined: there is no one command that does it. */
const COMMANDS = {
  npm: ({ package: name, version, direct }) =>
    version !== undefined && direct ? ['npm', 'install', `${name}@${version}`] : ['npm', 'update', name],
  // Where no one package can be named: it closes all that needs no breaking change.
  'npm-audit-fix': () => ['npm', 'audit', 'fix'],
  pnpm: target => pnpmUpdate(target),
  // Without `-r` pnpm 8 to 11 update nothing in the folders of a workspace, and with it nothing where there is none.
  'pnpm-workspace': target => pnpmUpdate(target, '-r'),
  // Yarn 1 leaves alone what others ask for.
  'yarn-1': ({ package: name, version, direct }) =>
    version !== undefined && direct ? ['yarn', 'upgrade', `${name}@^${version}`] : undefined,
  // `-R` goes as far as the ranges allow, whoever asks for it; what is asked for by others stays within them.
  yarn: ({ package: name, version, direct, breaking }) => {
    if (!breaking) return ['yarn', 'up', '-R', name];
    return version !== undefined && direct ? ['yarn', 'up', `${name}@^${version}`] : undefined;
  },
  bun: ({ package: name, version, direct }) =>
    version !== undefined && direct ? ['bun', 'add', `${name}@${version}`] : ['bun', 'update', name],
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

/** Whether it has several versions of a package at once, and upgrades each of them by itself. */
export const isPerVersion = (manager: Manager): boolean => PER_VERSION.has(manager);

const PER_VERSION: ReadonlySet<Manager> = new Set(['cargo', 'yarn', 'pnpm', 'pnpm-workspace']);

/** Who closes all that a manager can close by itself, at once. */
export const togetherWith = (manager: Manager): Manager | undefined => (manager === 'npm' ? GENERAL : undefined);

/** Whether it upgrades whatever it can, and no package by its name. */
export const isGeneral = (manager: Manager): boolean => manager === GENERAL;

const GENERAL = 'npm-audit-fix';

/** The names of packages that a manager would take for a flag, a folder or an address. */
const NO_NAME = /^[-./~]|:|\/\//;

/** The command that does it, quoted; undefined where there is none. */
export function commandFor(manager: Manager, target: Target): string | undefined {
  if (NO_NAME.test(target.package)) return undefined;
  const words: Words = COMMANDS[manager](target);
  return words && command(...words);
}
