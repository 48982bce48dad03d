/**
 * What a libtest binary was built from, named as nextest names it: `crate`, `crate::bin/tool`, `crate::it`; doctests,
 * which nextest does not run, are `crate::doc`. Cargo tells it twice and never whole: the `Running` line before a target
 * has the file and the crate's name, the rerun line after a red one has package and kind. Dashes are underscores here,
 * as in the crate's file name, since only that is printed for green and red targets alike.
 */
export interface Target {
  kind: 'lib' | 'bin' | 'test' | 'example' | 'bench' | 'doc' | undefined;
  /** The package's or the crate's name, where it is told. */
  crate?: string;
  name?: string;
  /** The crate is no more than likely. */
  guessed?: true;
}

const RUNNING =
  /^\s{0,12}Running (?:(unittests) ?)?([^(`]{0,300}\.rs )?\(?([^\s()`]{1,400}[/\\])([\w.-]+?)-[0-9a-f]{16}(?:\.exe)?\)?$/;
const DOCTESTS = /^\s{0,12}Doc-tests (\S+)$/;
const RERUN = /error: (?:doc)?(?:test|bench) failed, to rerun pass ['`](.*)['`]$/;
const RERUN_PACKAGE = /(?:^| )(?:-p|--package) (?:\S*[#/])?([\w-]+)(?:@\S+)?(?= |$)/;
const RERUN_KIND = /(?:^| )--(lib|bin|test|example|bench|doc)(?: ([\w-]+))?(?= |$)/;

const crateName = (name: string): string => name.replaceAll('-', '_');

/** The target that a `Running` or `Doc-tests` line announces. */
export function announced(text: string): Target | undefined {
  const doc = DOCTESTS.exec(text)?.[1];
  if (doc !== undefined) return { kind: 'doc', crate: crateName(doc) };
  const [, unit, source = '', , stem] = RUNNING.exec(text) ?? [];
  if (stem === undefined) return undefined;
  const name = crateName(stem);
  const path = source.trim().replaceAll('\\', '/');
  const kind = unit ? unitKind(path) : fileKind(path);
  if (kind === 'lib') return { kind, crate: name };
  // A package's own program bears its name, unless the manifest says otherwise.
  return path.endsWith('main.rs') && unit ? { kind, name, crate: name, guessed: true } : { kind, name };
}

/** A package's targets follow its library, and only that one's line names the crate. */
function inPackage(target: Target, before: Target | undefined): Target {
  if (before?.crate === undefined || target.kind === 'lib' || target.kind === 'doc') return target;
  if (target.crate !== undefined && target.crate !== before.crate) return target;
  const { guessed: _, ...known } = target;
  return { ...known, crate: before.crate, ...(before.guessed && { guessed: true as const }) };
}

function unitKind(path: string): Target['kind'] {
  if (path === '') return undefined;
  return /(?:^|\/)(?:main\.rs|bin\/[^/]+(?:\/main)?\.rs)$/.test(path) ? 'bin' : 'lib';
}

function fileKind(path: string): Target['kind'] {
  const folder = /^(?:.*\/)?(tests|examples|benches)\//.exec(path)?.[1];
  return folder === undefined
    ? undefined
    : ({ tests: 'test', examples: 'example', benches: 'bench' } as const)[folder as 'tests'];
}

/** The target that `error: test failed, to rerun pass …` names; the line may be glued to a test's output. */
export function rerun(text: string): Target | undefined {
  const args = RERUN.exec(text)?.[1];
  if (args === undefined) return undefined;
  const crate = RERUN_PACKAGE.exec(args)?.[1];
  const [, kind, name] = RERUN_KIND.exec(args) ?? [];
  return {
    kind: kind as Target['kind'],
    ...(crate && { crate: crateName(crate) }),
    ...(name && { name: crateName(name) }),
  };
}

/** What both lines say of one target; undefined where they speak of two: the streams were joined out of order. */
function joined(before: Target | undefined, after: Target): Target | undefined {
  if (before === undefined) return after;
  const sameKind = before.kind === undefined || after.kind === undefined || before.kind === after.kind;
  const sameName = !before.name || !after.name || before.name === after.name;
  if (!sameKind || !sameName) return undefined;
  const isUnit = before.kind === 'lib' || before.kind === 'doc';
  const crate = isUnit ? (before.crate ?? after.crate) : (after.crate ?? before.crate);
  const name = after.name ?? (after.kind === 'lib' ? undefined : before.name);
  return {
    kind: after.kind ?? before.kind,
    ...(crate && { crate }),
    ...(name && { name }),
    ...(before.guessed && after.crate === undefined && { guessed: true as const }),
  };
}

export function suiteOf({ kind, crate, name }: Target): string {
  if (kind === 'lib') return crate ?? '';
  const own = kind === 'doc' ? 'doc' : kind === 'test' || kind === undefined ? name : `${kind}/${name}`;
  return [crate, own].filter(Boolean).join('::');
}

/** The targets as cargo announces and blames them. */
export class Targets {
  /** Announced, and no run of it has been read. */
  #next: Target | undefined;
  /** The one before, of the same package where that has several. */
  #before: Target | undefined;
  /** Standard error and output were joined out of order: which run is whose cannot be known. */
  #disordered = false;

  /** The suite of what is printed now, outside of a run. */
  get suite(): string | undefined {
    return this.#next?.crate === undefined ? undefined : suiteOf(this.#next);
  }

  announce(target: Target): void {
    if (this.#next !== undefined) this.#disordered = true;
    this.#next = inPackage(target, this.#before);
    this.#before = this.#next;
  }

  /** A run begins: whose it is, if that is known. */
  begin(): Target | undefined {
    const target = this.#disordered ? undefined : this.#next;
    this.#next = undefined;
    return target;
  }

  /** @param ran the target whose run was read before; without a run the announced one is meant */
  blame(blamed: Target, ran: Target | undefined, hasRun: boolean): Target | undefined {
    const target = joined(hasRun ? ran : this.#next, blamed);
    if (target?.crate !== undefined) this.#before = target;
    if (!hasRun) this.#next = undefined;
    return target;
  }

  /** A target was blamed of which nothing has been read. */
  disorder(): void {
    this.#disordered = true;
  }

  /** Cargo was started once more. */
  reset(): void {
    this.#next = undefined;
    this.#before = undefined;
    this.#disordered = false;
  }
}
