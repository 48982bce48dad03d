/**
 * `govulncheck -json` (also `-format json`): messages in a row, each an object with one field: `config`, `progress`, `SBOM`,
 * `osv` (an advisory for some module that is required, whatever its version), `finding`. Only a finding counts; there is
 * one for each depth that was reached: `trace[0]` has the module, then its package (imported), then its function (called).
 * No message ends a run. (https://pkg.go.dev/golang.org/x/vuln/internal/govulncheck)
 */
import type { Auditor, Finding, Out, Reader } from '../auditor.js';
import { type Fields, isObject, object, objects, string, strings, text } from '../fields.js';
import { type Installed, titleOfOsv, upgradeTo, versionsOfOsv } from './shared/osv.js';

const TOOL = 'govulncheck';
const ECOSYSTEM = 'Go';
/** The standard library comes with Go itself. */
const STDLIB = 'stdlib';
const KINDS = ['config', 'progress', 'SBOM', 'osv', 'finding'];
/** Said after the advisories were got: of the database's failing nothing is in the output. */
const CHECKING = /^Checking the /;

/** How far a run came: it tells only what it is, it began to look, it has looked. */
type State = 'none' | 'begun' | 'scanning' | 'checked';

type Told = ReturnType<typeof versionsOfOsv>;

class Run implements Reader {
  readonly #advisories = new Map<string, Fields>();
  readonly #told = new Map<string, Told>();
  #state: State = 'none';
  #level = '';

  constructor(private readonly out: Out) {}

  read(document: unknown): void {
    const { config, progress, osv, finding } = object(document);
    if (config !== undefined) this.#begin(object(config));
    else if (progress !== undefined) this.#progress(string(object(progress).message));
    else if (osv !== undefined) this.#advisory(object(osv));
    else if (finding !== undefined) this.#finding(object(finding));
  }

  end(): void {
    if (this.#state === 'begun')
      this.out.failed('govulncheck stopped before it looked for vulnerabilities; standard error has the reason');
    // Of one before 1.1 that finds nothing, this is all there is; just so looks one that could not ask its database.
    if (this.#state === 'scanning') {
      this.#checked();
      this.out.doubt(
        'this govulncheck prints the same where it found nothing and where it failed; say what it exited with (--status 0)',
      );
    }
    this.#state = 'none';
  }

  #checked(): void {
    if (this.#state !== 'checked') this.out.audited(TOOL);
    this.#state = 'checked';
  }

  #begin({ scan_level }: Fields): void {
    this.end();
    this.#state = 'begun';
    this.#level = string(scan_level);
    this.#advisories.clear();
    this.#told.clear();
  }

  #progress(message: string): void {
    if (CHECKING.test(message)) this.#checked();
    else if (/^Scanning /.test(message) && this.#state === 'begun') this.#state = 'scanning';
    else if (/^Fetching /.test(message)) this.#state = 'begun';
  }

  #advisory(osv: Fields): void {
    // Before 1.1 they are said only once they have all been got.
    if (this.#state === 'scanning') this.#checked();
    this.#advisories.set(string(osv.id), osv);
  }

  #finding({ osv, fixed_version, trace }: Fields): void {
    this.#checked();
    const frames = objects(trace);
    const [id, name] = [text(osv), text(frames[0]?.module)];
    if (id === undefined || name === undefined) {
      const message = 'a finding that names no module or no id';
      this.out.unreadable({ ecosystem: ECOSYSTEM, package: name, ids: id ? [id] : [], message });
      return;
    }
    const advisory = this.#advisories.get(id) ?? {};
    const what = { ecosystem: ECOSYSTEM, package: name, version: versionOf(name, frames[0]?.version) };
    const told = this.#toldOf(id, advisory, what);
    this.out.finding({
      ...what,
      ids: [id, ...strings(advisory.aliases)],
      range: told.range,
      title: titleOfOsv(advisory),
      url: text(object(advisory.database_specific).url),
      fix: fixOf(what, versionOf(name, fixed_version), told.fix),
      reachable: this.#reachable(frames[0] as Fields),
      ...wayTo(frames),
    });
  }

  /** It is asked for each depth, and for each function. */
  #toldOf(id: string, advisory: Fields, what: Installed): Told {
    const key = `${id}\n${what.package}\n${what.version}`;
    const told = this.#told.get(key) ?? versionsOfOsv(advisory, what);
    this.#told.set(key, told);
    return told;
  }

  #reachable({ package: imported, function: called }: Fields): Finding['reachable'] {
    if (text(called) !== undefined) return 'called';
    if (text(imported) !== undefined) return 'imported';
    // Of a module nothing is known where it did not look into it.
    return this.#level === 'module' ? undefined : 'required';
  }
}

/** `v0.3.7`; the standard library's is Go's own: `1.21.4`. */
function versionOf(module: string, version: unknown): string | undefined {
  const found = text(version);
  return module === STDLIB ? found?.replace(/^(?:go|v)(?=\d)/, '') : found;
}

function fixOf(what: Installed, version: string | undefined, told: Finding['fix']): Finding['fix'] {
  const manager = what.package === STDLIB ? undefined : ('go' as const);
  if (version !== undefined) return upgradeTo(what, version, manager);
  return told?.available ? undefined : { available: false };
}

/** The trace, from the vulnerable function up to the project's own, as the modules it goes through. */
function wayTo(frames: readonly Fields[]): Pick<Finding, 'direct' | 'paths'> {
  // The project's own modules have no version.
  const modules = frames.filter(({ version }) => text(version)).map(({ module }) => string(module));
  if (frames.length < 2 || modules.length === frames.length) return {};
  const path = modules.filter((module, at) => module !== modules[at - 1] && (at === 0 || module !== STDLIB)).reverse();
  return { direct: path.length === 1 || undefined, paths: [path] };
}

export const govulncheck: Auditor = {
  name: 'govulncheck',
  prints: 'govulncheck -json',
  url: 'https://pkg.go.dev/golang.org/x/vuln/cmd/govulncheck',
  recognises: document => {
    if (!isObject(document)) return false;
    const [kind = '', ...others] = Object.keys(document);
    if (others.length > 0 || !KINDS.includes(kind) || !isObject(document[kind])) return false;
    return kind !== 'config' || /^v\d/.test(string(document[kind].protocol_version));
  },
  reader: out => new Run(out),
};
