/**
 * Vitest, 0.34 to 4: failures stand below `Failed Suites` and `Failed Tests`, each ` FAIL  file > suite > test`, the
 * error, and a numbered rule; errors of no test below `Unhandled Errors`; then the count. What the tests print comes
 * before all that, and may look like any of it.
 */
import type { Block, Format, Line, Out, Tally } from '../format.js';
import { isFrame, messageOf, placeOf } from './shared/js-stack.js';
import { VitestTree, within } from './vitest/tree.js';

const RUN = /^ (?:RUN|DEV) +v\d/;
const FAIL = /^ FAIL {1,3}(?:TS {2})?(\S.*)$/;
/** `|project| file` and, for a test, ` > suite > test`; for a file that cannot be loaded, ` [ file ]`. */
const TARGET = /^(\|[^|]*\| )?(\S.*?\.[cm]?[jt]sx?|\S.*?)( > .*)?$/;
/** `⎯⎯⎯ Failed Tests 3 ⎯⎯⎯`, `⎯⎯⎯⎯[1/3]⎯`, `⎯⎯⎯⎯⎯`. */
const RULE = /^⎯{2,}(?:\[(\d+)\/(\d+)\]⎯+| (.*?) ⎯+|⎯*)$/;
const FAILED = /^Failed (?:Tests|Suites|Typechecks?|Benchmarks?) \d+$/;
/** Headings of errors of no test. */
const UNHANDLED =
  /^(?:Uncaught Exception|Unhandled Rejection|Unhandled Error|Unhandled Source Error|Source Error|Startup Error|Unexpected Exit|Typecheck Error|Error during .*)$/;
const ORIGIN = /^This error originated in "(.+?)" test file/;
/** Two blanks: the summary that is redrawn on a terminal has one. */
const FILES = /^ Test Files {2}(\S.*)$/;
const TOTALS = /^ {0,6}(Tests|Errors|Type Errors|Snapshots|Start at|Duration|Collect) +(\S.*)$/;
const PRINTED = /std(?:out|err) \| \S/;
const NO_FILES = /^No test files found, exiting with code 1/;
const HARMLESS =
  /^::error file=|^ Test Files \d|^ +[→·✓↓□] |^ +(?:Tests|Snapshots) +\d+ failed|^Serialized Error: |^Vitest caught \d+ unhandled errors? during|^This (?:might cause false|error originated)|^The latest test that might|^- (?:The error was|If the error|This was the last)|^failed to load config from/;
/** Error classes: what follows a title of several lines. */
const ERROR = /^(?:Unknown Error|[A-Za-z_$][\w$.]*(?:Error|Exception)?(?: \[\w+\])?): |^\{$/;
const ERROR_LINES = 300;

const count = (counts: string, what: string): number =>
  Number(new RegExp(`\\b(\\d{1,9}) ${what}`).exec(counts)?.[1] ?? 0);
const total = (counts: string): number => Number(/\((\d+)\)$/.exec(counts)?.[1] ?? 0);

interface Target {
  id: string;
  suite: string;
  file: string;
  name: string;
  /** A test, not a file or a suite of it whose hook failed. */
  test: boolean;
}

class Run {
  readonly #out: Out;
  /** ` RUN ` was read: what comes before the first heading is the tests' own output. */
  readonly whole: boolean;
  /** A heading of the closing part was read. */
  closing = false;
  tree: VitestTree;
  /** How often each failing test was told: once for each of its errors, or of the tests of that name. */
  #tests = new Map<string, number>();
  #files = new Set<string>();
  #suites = false;
  #errors = 0;
  #ended = false;

  constructor(out: Out, whole: boolean) {
    this.#out = out;
    this.whole = whole;
    this.tree = new VitestTree(out);
  }

  heading(title: string): Block | 'mine' | undefined {
    if (FAILED.test(title)) {
      this.closing = true;
      this.#suites = title.startsWith('Failed Suites');
      return 'mine';
    }
    if (title === 'Unhandled Errors') {
      this.closing = true;
      return 'mine';
    }
    return UNHANDLED.test(title) ? this.#unhandled(title) : undefined;
  }

  /** ` FAIL  a`, more of them where several tests fail with one error, and the error up to its rule. */
  failure(first: Line): Block | undefined {
    if (this.whole && !this.closing) return undefined;
    const heads: { target: Target; line: Line }[] = [];
    const lines: Line[] = [];
    let sure = this.closing;
    let whole = false;
    const head = (line: Line): boolean => {
      const target = targetOf((FAIL.exec(line.text) as RegExpExecArray)[1] as string, this.#suites, this.#out);
      if (target !== undefined) heads.push({ target, line });
      return target !== undefined;
    };
    if (!head(first)) return undefined;
    return {
      line: line => {
        const rule = RULE.exec(line.text);
        if (rule !== null) {
          if (rule[1] !== undefined) sure = whole = true;
          return rule[1] !== undefined ? 'last' : undefined;
        }
        if (FAIL.test(line.text) && lines.length === 0 && head(line)) return 'more';
        if (FILES.test(line.text) || RUN.test(line.text) || lines.length > ERROR_LINES) return undefined;
        lines.push(line);
        return 'more';
      },
      end: () => {
        if (!sure) return;
        this.#say(heads, lines);
        // A title of several lines may be cut.
        const last = heads.at(-1);
        if (!whole && lines.length <= 1 && last !== undefined) this.#weaken(last.target.id);
      },
    };
  }

  #say(heads: { target: Target; line: Line }[], lines: Line[]): void {
    const title = lines[0];
    const last = heads.at(-1);
    // A test's title of several lines.
    if (title !== undefined && last !== undefined && !ERROR.test(title.text) && ERROR.test(lines[1]?.text ?? '')) {
      last.target.id += `\n${title.text}`;
      last.target.name += `\n${title.text}`;
      lines.shift();
    }
    for (const { target, line } of heads) {
      const { id, suite, file, name, test } = target;
      const attempt = this.tree.told(id);
      this.#files.add(suite);
      if (test) this.#tests.set(id, (this.#tests.get(id) ?? 0) + 1);
      const fresh = !this.#known.has(id);
      const draft = this.#known.get(id) ?? this.#out.part('detail', id, line, { id, suite, name });
      this.#known.set(id, draft);
      if (fresh)
        Object.assign(
          draft.fields,
          { message: messageOf(lines, 0), ...(attempt && { attempt }) },
          placeOf(lines, file) ?? { file },
        );
      for (const told of lines) draft.add(told);
    }
  }
  #known = new Map<string, ReturnType<Out['part']>>();

  #weaken(id: string): void {
    const draft = this.#known.get(id);
    if (draft !== undefined) draft.fields.weakId = true;
  }

  #unhandled(title: string): Block {
    this.closing = true;
    const source = /Source Error|Typecheck Error/.test(title);
    const lines: Line[] = [];
    return {
      line: line => {
        const { text } = line;
        if (RULE.test(text) || FILES.test(text) || lines.length > ERROR_LINES) return undefined;
        if (lines.length === 0 && text === '') return 'more';
        lines.push(line);
        return 'more';
      },
      end: () => {
        const first = lines[0];
        if (first === undefined) return;
        this.#errors++;
        const suite = lines.map(({ text }) => ORIGIN.exec(text)?.[1]).find(file => file !== undefined);
        const said = lines.findIndex(({ text }) => HARMLESS.test(text) || isFrame(text));
        const message = messageOf(said < 0 ? lines : lines.slice(0, said), 0);
        const fields = { suite, message, file: suite, ...placeOf(lines, suite) };
        const draft = this.#out.failure({ kind: source ? 'build' : 'crash', ...fields }, first);
        for (const line of lines) if (line.text !== '') draft.add(line);
        if (title === 'Unexpected Exit' || title === 'Startup Error') this.#out.early('crash');
      },
    };
  }

  /** ` Test Files  1 failed | 1 passed (2)`, `      Tests  …`, `     Errors  …`. */
  totals(files: string, first: Line): Block {
    const counts: Record<string, string> = { Files: files };
    const tally: Tally = { failed: 0 };
    this.#ended = true;
    this.tree.end(this.#tests);
    this.#out.tally(tally, first);
    return {
      line: line => {
        const found = TOTALS.exec(line.text);
        if (found === null) return undefined;
        counts[found[1] as string] = found[2] as string;
        return found[1] === 'Duration' ? 'last' : 'more';
      },
      end: () => {
        Object.assign(tally, this.#tally(counts));
        this.#out.close();
      },
    };
  }

  #tally({ Files: files = '', Tests: tests = '', Errors: errors = '' }: Record<string, string>): Tally {
    const failed = count(tests, 'failed');
    const skipped = count(tests, 'skipped') + count(tests, 'todo');
    const failedFiles = count(files, 'failed');
    const unhandled = count(errors, 'error');
    const ran = failedFiles + count(files, 'passed') + count(files, 'skipped');
    if (ran < total(files)) this.#out.early(unhandled > 0 ? 'crash' : 'failFast');
    // Files and errors are counted, too: what is missing there is missing here.
    const counted = within(failed, this.#tests) + (this.#files.size - failedFiles) + (this.#errors - unhandled);
    const red = failed + failedFiles + unhandled > 0;
    const passed = count(tests, 'passed');
    return { passed, failed, ...(skipped > 0 && { skipped }), counted, result: red ? 'failed' : 'passed' };
  }

  end(): void {
    if (this.#ended) return;
    this.tree.end(this.#tests);
    if (this.#errors > 0) this.#out.early('crash');
  }
}

function targetOf(text: string, suites: boolean, out: Out): Target | undefined {
  const found = TARGET.exec(text.endsWith(' ]') ? text.slice(0, text.indexOf(' [ ')) : text);
  if (found === null || !/[./\\]/.test(found[2] as string)) return undefined;
  const [, project = '', file = '', path = ''] = found;
  const suite = project + out.path(file);
  return { id: suite + path, suite, file, name: path === '' ? suite : path.slice(3), test: path !== '' && !suites };
}

export const vitest: Format = {
  name: 'vitest',
  url: 'https://vitest.dev/guide/reporters',
  hints: [
    ' FAIL ',
    '⎯⎯',
    'Test Files',
    ' RUN  v',
    ' RUN \x1b',
    ' DEV ',
    'stdout |',
    'stderr |',
    'No test files',
    ' tests)',
    ' tests |',
    ' tests\x1b',
    '(0 test',
    '(1 test',
    '0 test\x1b',
    '1 test\x1b',
    ' × ',
    'm×\x1b',
  ],
  outcomeHints: ['.test.', '.spec.', '.test-d.'],
  reader: out => {
    let run = new Run(out, false);
    /** What a test prints, up to vitest's own next word. */
    const printed: Block = {
      line: ({ text }) => (PRINTED.test(text) || !own(text) ? 'more' : undefined),
    };
    const own = (text: string): boolean =>
      run.tree.isEntry(text) || RULE.test(text) || FILES.test(text) || RUN.test(text) || /^[·x×\-*]+$/.test(text);
    return {
      line(line) {
        const { text } = line;
        if (RUN.test(text)) {
          run.end();
          run = new Run(out, true);
          out.begin();
          return 'mine';
        }
        const rule = RULE.exec(text);
        if (rule !== null) return rule[3] === undefined ? undefined : run.heading(rule[3]);
        if (FAIL.test(text)) return run.failure(line);
        const files = FILES.exec(text);
        if (files !== null) {
          const block = run.totals(files[1] as string, line);
          run = new Run(out, false);
          return block;
        }
        if (NO_FILES.test(text)) {
          out.failure({ kind: 'build', message: text }, line);
          out.close();
          return 'mine';
        }
        if (PRINTED.test(text)) return printed;
        return run.tree.line(line);
      },
      excuse: ({ text }) => HARMLESS.test(text),
      end: () => run.end(),
    };
  },
};
