/**
 * The spec and dot reporters of node:test. What a failing test runs in (its file) stands only in the closing section
 * `✖ failing tests:`, the suites around it only in the body: both are joined by the leaf's name, in order.
 */
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';
import { explain, lastWords } from './node-test/error.js';
import { BARE, type Entry, ERROR_LINES, LAST, RESULT, Section, Title } from './node-test/section.js';

const FOREIGN = /\([\d.]+ ?m?s\)$/;
const SECTION = '✖ failing tests:';
const DOT_SECTION = 'Failed tests:';
const DOTS = /^[.X]+$/;
/** After the end of a test something still happened: node fails the file, or, without a runner, exits with 1. */
const LATE = /^ℹ (?:Error|Warning): (Test ".*generated asynchronous activity .*)$/;
const LATE_AT = /" at ([^":]+):(\d+):(\d+) generated/;
const COUNT = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;
const SCRIPT = /[/\\][^/\\]*\.[cm]?[jt]sx?$/;
/** A failing test that was read in the body. */
interface Leaf {
  depth: number;
  /** It was printed right after a deeper one that failed: a suite, if its heading was not read. */
  above: boolean;
  name: string;
  key: string;
  draft: Draft;
  detailed: boolean;
  summed: boolean;
}

interface Suite {
  name: string;
  /** Failing tests inside, itself not counted. */
  failing: number;
  /** What is in it: its name may have more lines than the first. */
  inside: { fields: Fields }[];
}

type Result = RegExpExecArray | (string | undefined)[];

/** Suites remembered by name, for those that fail by themselves (a hook). */
const SUITES = 2000;
export const nodeTest: Format = {
  name: 'node-test',
  url: 'https://nodejs.org/api/test.html',
  hints: ['✖ ', '▶ ', 'ℹ ', 'asynchronous', DOT_SECTION, 'Failed\x1b'],
  outcomeHints: ['✔ ', '﹣ ', '⚠ '],
  reader: out => {
    let run = new Run(out);
    const fresh = (): Run => {
      if (run.counted) run.close();
      if (run.closed) run = new Run(out);
      return run;
    };
    return {
      line(line) {
        const { text } = line;
        if (text === SECTION && run.counted) return run.section();
        if (text === DOT_SECTION && isAfterDots(out)) return fresh().dotted(line);
        const late = LATE.exec(text);
        if (late !== null) return isLate(late, line, out);
        const count = COUNT.exec(text);
        if (count !== null) return run.count(count[1] as string, Number(count[2]), line);
        const result = RESULT.exec(text);
        if (result !== null) return fresh().result(result, line);
        const bare = BARE.exec(text);
        if (bare?.[2] === '✖' && run.mayGoOn(bare)) return titled(bare, line, run);
        // A heading is the first line of a new run where what passes is not read.
        return bare === null ? undefined : (bare[2] === '▶' ? fresh() : run).bare(bare, line);
      },
      excuse: ({ text }) => text.startsWith('ℹ ') || /^\s*[✔⚠] /.test(text),
      end: () => run.close(),
    };
  },
};

/** A failing test whose name has several lines, or one that bears no duration. */
function titled(bare: RegExpExecArray, first: Line, run: Run): Block {
  const title = new Title(bare[3] as string);
  let body: 'mine' | Block | undefined;
  const plain = (): void => {
    body = run.bare(bare, first) ?? 'mine';
    if (typeof body === 'object') for (const line of title.lines) body.line(line);
  };
  return {
    line: next => {
      if (body === undefined) {
        const said = title.line(next);
        if (said === 'more') return 'more';
        if (said === undefined) plain();
        else body = run.result(['', bare[1], bare[2], said.name, said.reason], first);
        if (said !== undefined) return body === 'mine' ? 'last' : 'more';
      }
      return typeof body === 'object' ? body.line(next) : undefined;
    },
    end: () => {
      if (body === undefined) plain();
      if (typeof body === 'object') body.end?.();
    },
  };
}

function isLate([, message = '']: RegExpExecArray, line: Line, out: Out): 'mine' {
  const [, file, row, column] = LATE_AT.exec(message) ?? [];
  const place = file === undefined ? {} : { file, line: Number(row), column: Number(column) };
  out.consequence({ kind: 'crash', message, ...place }, line);
  return 'mine';
}

/** The dot reporter's own heading: a line of dots stands before it. */
const isAfterDots = (out: Out): boolean => [1, 2, 3].some(n => DOTS.test(out.back(n)?.text ?? ''));

/** One run, from its first test to its closing section. */
class Run {
  #out: Out;
  #stack: Suite[] = [];
  #suites = new Map<string, string>();
  #leaves: Leaf[] = [];
  /** Drafts opened so far. */
  #drafts = 0;
  /** Failing tests, and ends of what has tests inside. */
  #tests = 0;
  #parents = 0;
  #counts: Record<string, number> | undefined;
  counted = false;
  closed = false;

  constructor(out: Out) {
    this.#out = out;
  }

  result([, indent = '', mark, name = '', reason]: Result, line: Line): 'mine' | Block {
    const depth = indent.length / 2;
    const suite = this.#stack[depth];
    this.#stack.length = Math.min(this.#stack.length, depth + 1);
    const ends = suite !== undefined && (suite.name === name || name.startsWith(`${suite.name}\n`));
    if (ends && suite.name !== name) this.#rename(suite, depth, name);
    const path = this.#path(depth, name);
    if (ends || mark === '▶') {
      this.#stack.length = Math.min(this.#stack.length, depth);
      this.#parents++;
      if (mark !== '✖') return 'mine';
      if ((suite?.failing ?? 0) > 0 || reason !== undefined) return new Body(indent.length);
    }
    if (mark === '✖' && reason === undefined) {
      if (!ends) this.#tests++;
      return this.#fails(name, path, depth, line);
    }
    if (mark !== '▶' && !ends) this.#passes(mark === '✔' && reason === undefined, path, depth, line);
    return mark === '✖' ? new Body(indent.length) : 'mine';
  }

  #passes(passed: boolean, path: string, depth: number, line: Line): void {
    const fields: Fields = { name: path };
    this.#out.outcome(passed ? 'passed' : 'skipped', path, line, fields);
    if (this.#out.outcomes) this.#isIn(depth, { fields });
  }

  #isIn(depth: number, item: { fields: Fields }): void {
    for (const { inside } of this.#stack.slice(0, depth)) if (inside.length < SUITES) inside.push(item);
  }

  /** The end of a suite tells its whole name; what came before has its first line. */
  #rename(suite: Suite, depth: number, name: string): void {
    const before = this.#path(depth, suite.name);
    suite.name = name;
    const path = this.#path(depth, name);
    if (this.#suites.size < SUITES) this.#suites.set(name, path);
    for (const { fields } of suite.inside) fields.name = path + (fields.name ?? '').slice(before.length);
  }

  /** Whether the name on this line may go on: where node is known to speak. */
  mayGoOn([, indent = '', , name = '']: RegExpExecArray): boolean {
    if (this.counted || FOREIGN.test(name) || SECTION.endsWith(name)) return false;
    const depth = indent.length / 2;
    if (depth > 0) return this.#stack.length >= depth;
    return this.#drafts > 0 || this.#stack.length > 0 || LAST.test(this.#out.back(1)?.text ?? '');
  }

  /** A line without duration is ours only below a suite that we know. */
  bare([, indent = '', mark, name = '']: RegExpExecArray, line: Line): undefined | 'mine' | Block {
    const depth = indent.length / 2;
    if (mark === '▶') {
      if (depth > this.#stack.length) return undefined;
      const path = this.#path(depth, name);
      this.#stack.length = depth;
      this.#stack.push({ name, failing: 0, inside: [] });
      if (this.#suites.size < SUITES) this.#suites.set(name, path);
      return 'mine';
    }
    if (depth === 0 || this.#stack.length < depth || FOREIGN.test(name)) return undefined;
    this.#tests++;
    return this.#fails(name, this.#path(depth, name), depth, line);
  }

  #path(depth: number, name: string): string {
    return [...this.#stack.slice(0, depth).map(suite => suite.name), name].join(' > ');
  }

  #fails(name: string, path: string, depth: number, line: Line): Block {
    for (const suite of this.#stack.slice(0, depth)) suite.failing++;
    const key = `${++this.#drafts} ${path}`;
    const message = SCRIPT.test(name) ? lastWords(this.#out) : undefined;
    const draft = this.#out.part('status', key, line, { name: path, ...(message && { message }) });
    // What the first one follows may be cut.
    const above = (this.#leaves.at(-1)?.depth ?? 1) > depth;
    const leaf: Leaf = { name, key, depth, draft, above, detailed: false, summed: false };
    this.#leaves.push(leaf);
    this.#isIn(depth, draft);
    return new Body(2 * depth, leaf);
  }

  count(what: string, value: number, line: Line): undefined | 'mine' {
    if (what === 'tests') this.#counts = {};
    if (this.#counts === undefined || this.counted) return undefined;
    this.#counts[what] = value;
    if (what === 'duration_ms') this.#tally(this.#counts, line);
    return 'mine';
  }

  /** Node counts tests with failing subtests as failed, suites not: what was read must lie between the two. */
  #tally({ pass, fail = 0, cancelled = 0, skipped = 0, todo = 0 }: Record<string, number>, line: Line): void {
    const failed = fail + cancelled;
    const counted = Math.min(Math.max(failed, this.#tests), this.#tests + this.#parents);
    this.#out.tally({ ...(pass !== undefined && { passed: pass }), failed, skipped: skipped + todo, counted }, line);
    this.counted = true;
    if (failed === 0 && this.#drafts === 0) this.close();
  }

  section(): Block {
    this.closed = false;
    const section = new Section(entry => this.#entry(entry));
    return {
      line: line => section.line(line),
      end: () => {
        section.end();
        this.#dropParents();
        this.close();
      },
    };
  }

  /** The dot reporter counts nothing. */
  dotted(heading: Line): Block {
    this.#out.tally({ result: 'failed' }, heading);
    return this.section();
  }

  /** An entry of the closing section joins the test of that name; a suite is there only when it failed by itself. */
  #entry({ name, line, at, error }: Entry): void {
    const leaf = this.#leaves.find(l => !l.summed && l.name === name);
    if (leaf !== undefined) leaf.summed = true;
    const path = this.#suites.get(name) ?? name;
    const key = leaf?.key ?? `${++this.#drafts} ${path}`;
    const draft = this.#out.part('summary', key, line, { name: path });
    const { fields } = draft;
    const [, file, row, column] = at ?? [];
    if (file !== undefined) Object.assign(fields, { file, line: Number(row), column: Number(column) });
    if (file !== undefined && name.endsWith(file)) fields.name = file;
    else if (leaf === undefined && !this.#suites.has(name)) fields.weakId = true;
    for (const text of leaf?.detailed ? [] : error) draft.add(text);
    explain(
      fields,
      error.map(({ text }) => text),
    );
  }

  /** All that failed by itself is in the section, unless that is cut; what stands above others and is not, is a suite. */
  #dropParents(): void {
    const last = this.#leaves.findLastIndex(leaf => leaf.summed);
    if (this.#leaves.some((leaf, i) => !leaf.summed && (!leaf.above || i > last))) this.#out.early('truncated');
    else for (const leaf of this.#leaves) if (!leaf.summed && leaf.above) this.#out.drop(leaf.key);
  }

  close(): void {
    if (!this.closed) this.#out.close(fields => complete(fields, this.#out));
    this.closed = true;
  }
}

/** The error below a test in the body (node 18 and 20). */
class Body implements Block {
  readonly #indent: string;
  readonly #leaf: Leaf | undefined;
  #error: string[] = [];

  constructor(indent: number, leaf?: Leaf) {
    this.#indent = ' '.repeat(indent + 2);
    this.#leaf = leaf;
  }

  line(line: Line): 'more' | undefined {
    if (line.text === '') return 'more';
    if (!line.text.startsWith(this.#indent)) return undefined;
    const text = line.text.slice(this.#indent.length);
    this.#leaf?.draft.add({ ...line, text });
    if (this.#error.length < ERROR_LINES) this.#error.push(text);
    return 'more';
  }

  end(): void {
    if (this.#leaf === undefined || this.#error.length === 0) return;
    this.#leaf.detailed = true;
    explain(this.#leaf.draft.fields, this.#error);
  }
}

/** The file is what a test ran in; without the closing section it is unknown. */
function complete(fields: Fields, out: Out): void {
  const { file, name } = fields;
  if (name === undefined) return;
  const suite = file === undefined ? undefined : out.path(file);
  if (suite === undefined) fields.weakId = true;
  else fields.suite = suite;
  fields.id = suite === undefined || name === file ? (suite ?? name) : `${suite} > ${name}`;
}
