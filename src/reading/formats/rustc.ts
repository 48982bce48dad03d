/** rustc, clippy, rustdoc, and what cargo says when it builds: errors with a place, without one, and what follows from them. */
import { normalise } from '../../record/identity.js';
import type { Block, Draft, Format, Line, Out, Reader } from '../format.js';
import { ARROW, Diagnostic, HEADING, HINTS, headingFields } from './rustc/diagnostic.js';
import { renderedOf } from './rustc/json.js';
import { addToPanic, panicFields, panicOf } from './shared/rust-panic.js';

const SHORT = /^([^:]{1,400}\.rs):(\d+):(\d+): (error|warning)(?:\[(\w+)\])?: (.*)$/;
/** Whose places are ours: other tools draw the same arrow. */
const OURS = /(?:\.rs|\.toml|\.md)$|^</;
const ERROR_CODE = /^error\[E\d{4}\]: /;

/** Errors without a place. What else begins with `error: ` may be any tool's. */
const PLACELESS =
  /^error: (?:linking with `[^`]+` failed: |linker `[^`]+` not found|couldn't read `|can't find crate for )/;
/** With these cargo gives up, before it has begun. */
const CARGO_ENDS = [
  /^error: (?:no (?:library|bin|test|example|bench|default-run)s? (?:targets? )?(?:named|found|available)|no targets matched)/,
  /^error: (?:package ID specification |package `[^`]+` cannot be built |no matching package |cyclic package dependency)/,
  /^error: (?:could not find `Cargo\.toml` in |cannot create the lock file |the lock file .{1,300} needs to be updated)/,
  /^error: (?:failed to select a version for |no such command: `|toolchain '[^']+' is not installed)/,
  /^error: (?:rustc \S+ is not supported by |the package '[^']+' does not contain this feature)/,
  /^error: (?:manifest path `|none of the selected packages contains )/,
];
/** A path of this machine in such a message. */
const PATH = /(?:at `|lock file )((?:\/|[A-Z]:\\)[^\s`]+)/;
const BUILD_SCRIPT = /^error: failed to run custom build command for `([^ `]+)/;
const BUILD_SCRIPT_SAYS = /^(error|warning): (\S+@\d[\w.+-]*): (.*)$/;
const NOT_BUILT = /^error: (could not (?:compile|document) `[^`]+`(?: \([^)]*\))?)/;
const CONSEQUENCES = [
  /^error: (build (?:failed|script logged errors))$/,
  /^error: (process didn't exit successfully): .*\((?:signal|exit (?:status|code)): /,
];
const ABORTING = /^error: aborting due to (?:(\d+) )?previous errors?(?:; \d+ warnings? emitted)?$/;
const DIED = /^ {2}process didn't exit successfully: .*\((signal: [^)]*)\)$/;
const COMPILER_CRASH = /^error: (internal compiler error(?:\[\w+\])?: .*|the compiler unexpectedly panicked\b.*)$/;
const HARMLESS =
  /^(?:failed to select a version for `|Some errors (?:have detailed explanations|occurred): |For more information about (?:this|an) error, try `rustc|warning: (?:build failed, waiting for other jobs|`[^`]+` \([^)]*\) generated \d+ warnings?)|\{"reason":")/;
const HEADING_LINES = 12;
const CRASH_LINES = 400;

export const rustc: Format = {
  name: 'rustc',
  url: 'https://doc.rust-lang.org/rustc/json.html',
  hints: [...HINTS, '╭▸', 'panicked at ', 'Caused by:', 'Usage: cargo ', '"compiler-message"'],
  reader: out => new RustcReader(out),
};

class RustcReader implements Reader {
  readonly #out: Out;
  /** Errors since the compiler last said how many there were. */
  #errors = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    if (HARMLESS.test(text) && !text.startsWith('{')) return 'mine';
    return this.#short(line) ?? this.#rendered(line) ?? this.#placed(line) ?? this.#heading(line) ?? this.#cargo(line);
  }

  excuse(line: Line): boolean {
    // What calls itself a warning makes nothing red, whoever says it.
    return HARMLESS.test(line.text) || line.text.startsWith('warning: ');
  }

  #short(line: Line): undefined | 'mine' {
    const [, file, at, column, severity, code, message] = SHORT.exec(line.text) ?? [];
    if (file === undefined) return undefined;
    const place = { file, line: Number(at), column: Number(column) };
    this.#say({ kind: 'build', ...place, ...(code && { code }), severity: severity as string, message }, line);
    return 'mine';
  }

  #say(fields: ReturnType<typeof headingFields> & { message?: string | undefined }, first: Line, last?: Line): Draft {
    const isError = fields.severity === 'error';
    if (isError) this.#errors++;
    const { message = '', ...rest } = fields;
    return isError
      ? this.#out.failure({ ...rest, kind: 'build', message }, first, last)
      : this.#out.warning({ ...rest, message }, first, last);
  }

  /** A diagnostic with its lines up to the current one; the block reads the rest. */
  #diagnostic(lines: Line[]): Diagnostic {
    const draft = this.#say(headingFields(lines.map(line => line.text)), lines[0] as Line, lines.at(-1));
    for (const line of lines) draft.add(line);
    return new Diagnostic(draft, path => this.#out.path(path));
  }

  /** An arrow: the heading is above it, one line or several. */
  #placed(line: Line): undefined | Block {
    const file = ARROW.exec(line.text)?.[1];
    if (file === undefined || !OURS.test(file)) return undefined;
    const lines: Line[] = [];
    for (let n = 1; n <= HEADING_LINES; n++) {
      const before = this.#out.back(n);
      if (before === undefined || !/^(?:(?:error|warning)\b| {4})/.test(before.text)) return undefined;
      lines.unshift(before);
      if (HEADING.test(before.text)) break;
    }
    if (!HEADING.test(lines[0]?.text ?? '')) return undefined;
    for (const before of lines) this.#out.claim(before);
    const block = this.#diagnostic(lines);
    block.line(line);
    return block;
  }

  #heading(line: Line): undefined | Block {
    const { text } = line;
    if (COMPILER_CRASH.test(text) || panicOf(text)?.thread === 'rustc') return this.#crash(line);
    if (ERROR_CODE.test(text) || PLACELESS.test(text)) return this.#diagnostic([line]);
    return CARGO_ENDS.some(pattern => pattern.test(text)) ? this.#cargoEnds(line) : undefined;
  }

  #rendered(line: Line): undefined | 'mine' {
    if (!line.text.startsWith('{')) return undefined;
    const rendered = renderedOf(line.text);
    if (rendered === undefined) return undefined;
    const lines = rendered.split('\n').map(text => ({ ...line, text }));
    const place = lines.findIndex(({ text }) => ARROW.test(text));
    if (!HEADING.test(lines[0]?.text ?? '') || place < 0) return 'mine';
    const block = this.#diagnostic(lines.slice(0, place));
    for (const next of lines.slice(place)) block.line(next);
    block.end();
    return 'mine';
  }

  #cargo(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const script = BUILD_SCRIPT.exec(text)?.[1];
    if (script !== undefined) return this.#buildScript(script, line);
    const notBuilt = NOT_BUILT.exec(text)?.[1];
    if (notBuilt !== undefined) return this.#notBuilt(notBuilt, line);
    const [, severity, crate, said] = BUILD_SCRIPT_SAYS.exec(text) ?? [];
    if (severity !== undefined) {
      this.#say({ kind: 'build', severity, message: `${crate}: ${said}` }, line);
      return 'mine';
    }
    const aborting = ABORTING.exec(text);
    if (aborting !== null) return this.#aborting(Number(aborting[1] ?? 1), line);
    for (const pattern of CONSEQUENCES) {
      const message = pattern.exec(text)?.[1];
      if (message === undefined) continue;
      this.#out.consequence({ kind: 'build', severity: 'error', message }, line);
      return 'mine';
    }
    return /^(?:Caused by:$|Usage: cargo )/.test(text) ? this.#above(line) : undefined;
  }

  /** Cargo's own error, up to a blank line. */
  #cargoEnds(line: Line): Block {
    const draft = this.#own(line.text.slice(7), line);
    draft.add(line);
    let left = HEADING_LINES;
    return {
      line: next => {
        if (next.text === '' || left-- === 0 || HEADING.test(next.text)) return undefined;
        draft.add(next);
        return 'more';
      },
    };
  }

  /** Cargo's own error: it could not begin, so that no run has ended. */
  #own(message: string, first: Line, last?: Line): Draft {
    const file = PATH.exec(message)?.[1];
    const id = file && normalise(message.replace(file, this.#out.path(file)));
    const fields = { kind: 'build' as const, severity: 'error', message };
    return this.#say({ ...fields, ...(file && { file }), ...(id && { id }) }, first, last);
  }

  #aborting(failed: number, line: Line): 'mine' {
    this.#out.tally({ failed, counted: this.#errors }, line);
    this.#out.close();
    this.#errors = 0;
    return 'mine';
  }

  #notBuilt(message: string, line: Line): Block {
    this.#errors = 0;
    let signal: string | undefined;
    return {
      line: ({ text }) => {
        signal ??= DIED.exec(text)?.[1];
        return /^(?:|Caused by:| {2}process didn't exit successfully: .*)$/.test(text) ? 'more' : undefined;
      },
      end: () => {
        this.#out.consequence({ kind: 'build', severity: 'error', message }, line);
        if (signal !== undefined)
          this.#out.failure({ kind: 'crash', severity: 'error', message: `${message}: ${signal}` }, line);
      },
    };
  }

  /** `error: …` of cargo itself, known by what stands below it. */
  #above(line: Line): undefined | Block {
    const lines = [line];
    for (let n = 1; n <= HEADING_LINES; n++) {
      const before = this.#out.back(n);
      if (before === undefined || /^(?:Caused by|warning: )/.test(before.text)) return undefined;
      lines.unshift(before);
      if (before.text.startsWith('error: ')) break;
    }
    const head = lines[0] as Line;
    if (!head.text.startsWith('error: ')) return undefined;
    for (const before of lines) this.#out.claim(before);
    const draft = this.#own(head.text.slice(7), head, line);
    for (const before of lines) draft.add(before);
    return {
      line: next => {
        if (!/^(?:| {2}.*|Caused by:|For more information, try .*)$/.test(next.text)) return undefined;
        draft.add(next);
        const cause = /^ {2}(\S.*)$/.exec(next.text)?.[1];
        if (cause !== undefined && !draft.fields.message?.includes('\n')) draft.fields.message += `\n${cause}`;
        return 'more';
      },
    };
  }

  /** What the script printed stands below, indented; its panic tells most, or else the last line of its standard error. */
  #buildScript(crate: string, line: Line): Block {
    const message = `failed to run custom build command for \`${crate}\``;
    this.#out.consequence({ kind: 'build', severity: 'error', message }, line);
    const draft = this.#own(message, line);
    draft.add(line);
    let isErr = false;
    let last = '';
    let panic: ReturnType<typeof panicOf>;
    let inPanic = false;
    return {
      line: next => {
        const { text } = next;
        if (!/^(?:| {2}.*|Caused by:|note: .*)$/.test(text)) return undefined;
        draft.add(next);
        const said = text.slice(2);
        if (panic !== undefined) inPanic = inPanic && addToPanic(panic, said);
        else if (said.startsWith('--- ')) isErr = said === '--- stderr';
        else if (isErr && said.trim() !== '') {
          panic = panicOf(said);
          inPanic = panic !== undefined;
          last = said.trim();
        }
        return 'more';
      },
      end: () => {
        const why = panic === undefined ? { message: last } : panicFields(panic);
        Object.assign(draft.fields, why, { message: `${message}\n${why.message}`, id: `${crate}: ${message}` });
      },
    };
  }

  #crash(line: Line): Block {
    const panic = panicOf(line.text);
    const heading = COMPILER_CRASH.exec(line.text)?.[1];
    const draft = this.#out.failure({ kind: 'crash', message: heading ?? '' }, line);
    draft.add(line);
    let left = CRASH_LINES;
    return {
      line: next => {
        if (NOT_BUILT.test(next.text) || left-- === 0) return undefined;
        draft.add(next);
        const [, file, at, column] = ARROW.exec(next.text) ?? [];
        if (file !== undefined) Object.assign(draft.fields, { file, line: Number(at), column: Number(column) });
        if (heading === undefined && panic?.message.length === 0) panic.message.push(next.text);
        return next.text === 'end of query stack' ? 'last' : 'more';
      },
      end: () => {
        if (heading === undefined && panic !== undefined) draft.fields.message = panic.message.join('\n');
      },
    };
  }
}
