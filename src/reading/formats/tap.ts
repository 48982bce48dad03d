/**
 * TAP 12 to 14 of any producer (node-tap, tape, ava, node:test, Test::More, bats, mocha, pytest-tap, …) and `prove`.
 * The leaf is the failure; a parent is one only when nothing below it failed.
 */
import type { Block, Draft, Fields, Format, Line, Out, Reader } from '../format.js';
import { fromText, fromYaml, type Said } from './tap/diagnostic.js';
import { Document, explain } from './tap/document.js';
import { glued, type Point, pointOf, unescaped } from './tap/point.js';
import { Prove } from './tap/prove.js';

/** Kernel self tests print their comments before the point. */
const KERNEL = /^(?:exit=|TIMEOUT )/;
const VERSION = /^K?TAP version \d+$/;
const PLAN = /^( *)1\.\.(\d{1,9})(?:\s*#.*)?$/;
const BAIL_OUT = /^\s*Bail out!\s*(.*)$/;
const COUNT = /^# (pass|fail|failed|cancelled) +(\d+)(?: of \d+)?(?: tests?)?$/;
const COUNTS = /^# \{ total: \d+.*?\}$/;
const PERL_COUNT = /^# Looks like you failed (\d+) tests? of \d+\.$/;
const PERL_END =
  /^# (test count\(\d+\) != plan\(.*\)|Looks like (?:you planned|your test|your TAP).*|Tests were run but no plan was declared.*)$/;
/** ava, told to stop at the first failure. */
const REMAINING = /^# \d+ tests? remaining in /;
const BATS_END = /^# (bats warning: Executed .*)$/;
const DIED = /\bat (\S+) line (\d+)\.$/;
/** node:test: failed only because of what is in it. */
const CHILDREN = /^(?:subtestsFailed|cancelledByParent)$/;
const BRACE = /^ *\}$/;
const YAML = /^( +)---$/;
/** How much of a diagnostic is kept to find its message in it. */
const LINES = 300;

const digits = (before: string): string[] => [...'123456789'].map(digit => before + digit);

export const tap: Format = {
  name: 'tap',
  url: 'https://testanything.org/tap-version-14-specification.html',
  hints: [
    'not ok',
    'ok - ',
    ...digits('ok '),
    ...digits('1..'),
    '1..0',
    'TAP version',
    '  ---',
    'Bail out!',
    '# pass',
    '# fail',
    '# cancelled',
    '# { total',
    '# Looks',
    'done_testing',
    'bats warning',
    ') != ',
    'remaining',
    // The same with each word in a colour of its own.
    'ok\x1b[',
    '..\x1b[',
    'TAP\x1b',
    '# \x1b[',
    '# { \x1b',
    ...Prove.hints,
  ],
  reader: out => new TapReader(out),
};

class TapReader implements Reader {
  readonly #out: Out;
  readonly #prove: Prove;
  #document: Document;
  #keys = 0;
  #open = false;
  #seen = new Map<string, number>();
  #bailOut: string | undefined;
  /** Some failures say which file they are from: those that do not are not known by name alone. */
  #suites = false;
  #node = false;

  constructor(out: Out) {
    this.#out = out;
    this.#document = this.#fresh();
    this.#prove = new Prove(out, {
      document: () => this.#document,
      next: suite => this.#next(suite),
      close: () => this.#close(),
      key: () => String(++this.#keys),
    });
  }

  #fresh(suite?: string): Document {
    const document = new Document(this.#out, () => String(++this.#keys));
    document.suite = suite;
    return document;
  }

  /** A document ends where the next begins. */
  #next(suite?: string): void {
    this.#document.finish();
    this.#document = this.#fresh(suite);
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const point = pointOf(text) ?? (this.#document.begun ? glued(text, this.#document.last) : undefined);
    // A bare `not ok` is TAP only where something else is.
    if (point !== undefined && (point.number !== undefined || this.#open)) return this.#point(point, line);
    const harness = this.#prove.line(line);
    if (harness !== undefined) return harness;
    return (
      this.#yaml(line) ??
      this.#version(line) ??
      this.#plan(line) ??
      this.#bail(line) ??
      this.#count(line) ??
      this.#end(line)
    );
  }

  #point(point: Point, line: Line): 'mine' | Block {
    const document = this.#document;
    if (point.indent === 0 && point.number === 1 && document.points > 0 && document.fulfilled)
      this.#next(document.suite);
    this.#begin();
    const draft = this.#document.point(point, line);
    // What is green opens no block: it would make every line of a log be looked at. See #yaml.
    if (point.ok) return 'mine';
    if (!point.directive) this.#prove.join(point, draft);
    return new Diagnostic(point, draft, said => this.#explain(point, line, draft, said));
  }

  /** The diagnostic of a point that passed: what is in it is not TAP. */
  #yaml(line: Line): Block | undefined {
    if (!YAML.test(line.text)) return undefined;
    const before = this.#out.back(1);
    const point = before === undefined ? undefined : pointOf(before.text);
    if (point === undefined) return undefined;
    const diagnostic = new Diagnostic(point, undefined, () => {});
    return diagnostic.line(line) === 'more' ? diagnostic : undefined;
  }

  #begin(): void {
    this.#open = true;
  }

  #explain(point: Point, line: Line, leaf: Draft | undefined, said: Said): void {
    const { failureType, producer } = said;
    if (producer === 'node') this.#suites = this.#node = true;
    // A quote before it: the log ends within the word.
    const ownReason = /^\w+$/.test(failureType ?? '') && !CHILDREN.test(failureType as string);
    const own = ownReason && !point.ok && !point.directive;
    const draft = leaf ?? (own ? this.#document.own(point, line) : undefined);
    if (draft === undefined) return;
    explain(draft, said);
    if (producer === 'tape') this.#tape(draft, line);
    if (producer === 'node' || (said.fields.file?.endsWith('.t') ?? false)) {
      this.#suites = true;
      if (draft.fields.file !== undefined) draft.fields.suite ??= draft.fields.file;
    }
  }

  /** tape prints the name of a test as a comment before its assertions. */
  #tape(draft: Draft, point: Line): void {
    for (let n = 1; n <= 2000; n++) {
      const line = this.#out.back(n);
      if (line === undefined || VERSION.test(line.text)) return;
      if (line.no >= point.no || !line.text.startsWith('# ')) continue;
      draft.fields.name = `${line.text.slice(2)} > ${draft.fields.name}`;
      return;
    }
  }

  #version({ text }: Line): 'mine' | undefined {
    if (!VERSION.test(text)) return undefined;
    if (this.#document.begun) this.#next();
    this.#begin();
    this.#out.begin();
    return 'mine';
  }

  #plan(line: Line): 'mine' | Block | undefined {
    const [, indent, count] = PLAN.exec(line.text) ?? [];
    if (count === undefined) return undefined;
    if (indent !== '') return this.#open ? this.#braceEnd() : undefined;
    if (this.#document.plan !== undefined) this.#next(this.#document.suite);
    this.#begin();
    if (Number(count) > 0 && this.#document.failed === undefined) this.#out.begin();
    this.#document.plan = Number(count);
    this.#document.line = line;
    // Nothing planned and no reason given is no evidence of a run.
    if (this.#document.fulfilled && (this.#document.points > 0 || line.text.includes('#'))) this.#document.end(line);
    return 'mine';
  }

  /** A closing brace bears no hint: it is waited for after the plan of what is in it. */
  #braceEnd(): Block {
    return {
      line: ({ text }) => {
        if (/^ *# /.test(text)) return 'more';
        if (!BRACE.test(text)) return undefined;
        this.#document.closeBrace(text.length - 1);
        return 'last';
      },
    };
  }

  #bail(line: Line): 'mine' | undefined {
    const reason = BAIL_OUT.exec(line.text)?.[1];
    if (reason === undefined) return undefined;
    this.bailOut(reason, line);
    return 'mine';
  }

  bailOut(reason: string, line: Line): void {
    this.#document.bailedOut = true;
    this.#out.early('bailOut');
    if (this.#bailOut === reason) return;
    this.#bailOut = reason;
    this.#out.failure({ kind: 'crash', message: `Bail out! ${unescaped(reason)}`.trim() }, line);
  }

  /** What the producer counted: node and node-tap count leaves, others the outermost points. */
  #count(line: Line): 'mine' | undefined {
    const { text } = line;
    const document = this.#document;
    if (!this.#open || !text.startsWith('# ')) return undefined;
    const [, what, count] = COUNT.exec(text) ?? [];
    const total = COUNTS.test(text) ? (/\bfail: (\d+)/.exec(text)?.[1] ?? '0') : PERL_COUNT.exec(text)?.[1];
    if (what === undefined && total === undefined) return undefined;
    if (document.quiet) return 'mine';
    if (total !== undefined) document.failed = Number(total);
    else if (what === 'cancelled') document.failed = (document.failed ?? 0) + Number(count);
    else if (what !== 'pass' && !document.stopped) document.failed = Number(count);
    if (document.points > 0) document.end(line);
    return 'mine';
  }

  #end(line: Line): 'mine' | undefined {
    if (REMAINING.test(line.text)) return this.#remaining();
    const ended = (PERL_END.exec(line.text) ?? BATS_END.exec(line.text))?.[1];
    if (ended === undefined) return undefined;
    // A harness hides the points and says by itself how it ended.
    if (this.#document.begun && !this.#document.quiet) {
      this.#document.ended = ended;
      this.#document.end(line);
    }
    const before = this.#out.back(1);
    const died = before !== undefined && DIED.test(before.text);
    if (died) {
      this.#out.claim(before);
      this.#prove.died(before.text);
    }
    const [, file, row] = died ? (DIED.exec(before.text) as RegExpExecArray) : [];
    const place = file === undefined ? {} : { file, line: Number(row) };
    const message = died ? `${before.text}\n${ended}` : ended;
    this.#out.consequence({ kind: 'crash', message, ...place }, line);
    return 'mine';
  }

  #remaining(): 'mine' {
    this.#document.stopped = true;
    this.#out.early('failFast');
    return 'mine';
  }

  excuse({ text }: Line): boolean {
    return (
      ((this.#open || this.#prove.running) && /^\s*#/.test(text)) || /^\s*ok\b/.test(text) || this.#prove.excuse(text)
    );
  }

  end(): void {
    this.#close();
  }

  #close(): void {
    this.#prove.flush();
    this.#document.finish();
    this.#document = this.#fresh();
    this.#out.close((fields, key) => this.#complete(fields, key));
  }

  /** The n-th failing test of one name is told apart from the first: assertions often bear a default name. */
  #distinct(id: string): string {
    const n = (this.#seen.get(id) ?? 0) + 1;
    if (n > 1 || this.#seen.size < NAMES) this.#seen.set(id, n);
    return n === 1 ? id : `${id} (${n})`;
  }

  #complete(fields: Fields, key: string): void {
    if (key === '' || fields.name === undefined) return;
    const suite = fields.suite === undefined ? undefined : this.#out.path(fields.suite);
    // A file that failed as a whole: its name is its path, as it was given or in full.
    if (suite === this.#out.path(fields.name) || suite?.endsWith(`/${fields.name}`)) fields.name = suite as string;
    const id = suite === undefined || suite === fields.name ? fields.name : `${suite} > ${fields.name}`;
    // Node's other reporters do not tell apart tests of one name in a file either.
    fields.id ??= fields.kind === 'test' && !this.#node ? this.#distinct(id) : id;
    if (suite === undefined && this.#suites) fields.weakId = true;
    else if (suite !== undefined) fields.suite = suite;
  }
}

/** Names that are told apart, at most. */
const NAMES = 20_000;

/** What follows a test point and belongs to it: a YAML block, or comments, or indented text. */
class Diagnostic implements Block {
  readonly #point: Point;
  readonly #draft: Draft | undefined;
  readonly #say: (said: Said) => void;
  #lines: Line[] = [];
  #yaml: string | undefined;

  constructor(point: Point, draft: Draft | undefined, say: (said: Said) => void) {
    this.#point = point;
    this.#draft = draft;
    this.#say = say;
  }

  line(line: Line): 'more' | 'last' | undefined {
    const { text } = line;
    if (this.#yaml !== undefined) return this.#inYaml(line, this.#yaml);
    const yaml = this.#lines.length === 0 ? YAML.exec(text)?.[1] : undefined;
    if (yaml !== undefined && yaml.length > this.#point.indent) {
      this.#yaml = yaml;
      return 'more';
    }
    if (this.#point.directive || KERNEL.test(this.#point.remark ?? '') || !this.#isText(text)) return undefined;
    if (text !== '') this.#add(line);
    return 'more';
  }

  #inYaml(line: Line, indent: string): 'more' | 'last' | undefined {
    if (line.text === `${indent}...`) return 'last';
    if (line.text.trim() !== '' && !line.text.startsWith(indent)) return undefined;
    this.#add({ ...line, text: line.text.slice(indent.length) });
    return 'more';
  }

  /** Comments of this level, or text that is indented deeper (mocha), but nothing that is TAP itself. */
  #isText(text: string): boolean {
    if (text === '') return this.#lines.length === 0;
    const indent = ' '.repeat(this.#point.indent);
    if (!text.startsWith(indent)) return false;
    const own = text.slice(indent.length);
    if (own.startsWith('#')) return !/^# (?:Subtest|Looks like|bats warning|tests? \d|pass |fail|time=|\{)/.test(own);
    return own.startsWith('  ') && pointOf(text) === undefined && !/^\s*(?:#|1\.\.\d)/.test(own);
  }

  #add(line: Line): void {
    this.#draft?.add(line);
    if (this.#lines.length < LINES) this.#lines.push(line);
  }

  end(): void {
    if (this.#lines.length === 0) return;
    this.#say(this.#yaml === undefined ? { fields: fromText(this.#lines) } : fromYaml(this.#lines));
  }
}
