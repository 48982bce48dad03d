/**
 * What vitest prints of each file while it runs: ` ❯ a.test.ts (8 tests | 3 failed) 12ms`, below it the tests (all of
 * them, or the failing ones; with their suites, joined to them, or without, by version and reporter), or, verbose,
 * ` × a.test.ts > suite > test`. Names here are good for what passed; what failed is told in full at the end.
 */
import type { Block, Fields, Line, Out } from '../../format.js';

const FILE =
  /^ ([✓❯×↓]) (?: ?TS {2})?(\|[^|]*\| )?(\S.*?) {1,2}\((\d+) tests?((?: \| \d+ \w+)*)\)(?: (?:\d+ms|\(retry).*)?$/;
const ENTRY = /^ ([✓×↓□❯]) (\|[^|]*\| )?(\S.*?\.[cm]?[jt]sx?) > (.+)$/;
const TEST = /^( {2,})([✓×↓□·→❯]) (.+)$/;
/** Time, retries, memory behind a test's name; `(3)` behind a suite's. */
const EXTRAS =
  /(?: {1,2}\d+ms)?(?: \((?:retry|repeat) x\d+(?:, (?:retry|repeat) x\d+)?\))?(?: \d+ MB heap used)?(?: \[skipped\])?$/;
/** How often it was tried again; a repetition is none. */
const RETRIED = /\bretry x(\d{1,5})[^()]*\)(?: \d+ MB heap used)?$/;
const TIME = / \d+ms(?: |$)/;
const SUITE_COUNT = / \(\d+\)$/;
const FILES = 5000;
const PENDING = 2000;

interface File {
  suite: string;
  line: Line;
  failed: boolean;
  /** Failing tests; unknown where only the file is known to have failed. */
  count: number | undefined;
}

/** A failing test that was seen here; told in full later, unless the log ends before. */
interface Failing {
  suite: string;
  name: string;
  line: Line;
  /** How many attempts failed before the last one. */
  retries: number;
  /** Its suites are not known. */
  weak: boolean;
}

export class VitestTree {
  readonly #out: Out;
  #files: File[] = [];
  #failing: Failing[] = [];
  #retried: Failing[] = [];
  #told = new Set<string>();

  constructor(out: Out) {
    this.#out = out;
  }

  isEntry(text: string): boolean {
    return FILE.test(text) || ENTRY.test(text);
  }

  line(line: Line): Block | 'mine' | undefined {
    const file = FILE.exec(line.text);
    if (file !== null) return this.#file(file, line);
    const entry = ENTRY.exec(line.text);
    return entry !== null && (this.#out.outcomes || entry[1] === '×') ? this.#entry(entry, line) : undefined;
  }

  /**
   * A test is told in full: by its id. Of one that was tried again, the attempts before are told now.
   * @returns which attempt was the last, where it was tried again
   */
  told(id: string): number | undefined {
    if (this.#told.has(id)) return undefined;
    this.#told.add(id);
    const tried = this.#retried.find(({ suite, name, weak }) =>
      weak ? sameTest(id, suite, name) : id === `${suite} > ${name}`,
    );
    return tried && this.#before(tried, { id, suite: tried.suite, name: id.slice(tried.suite.length + 3) });
  }

  /** @returns the number of the attempt that came after those that failed */
  #before({ retries, line }: Failing, fields: Fields & { id: string }): number {
    for (let n = 1; n <= retries; n++) this.#out.outcome('failed', fields.id, line, { ...fields, attempt: n });
    return retries + 1;
  }

  #file([, mark, project = '', path = '', tests, rest = '']: RegExpExecArray, line: Line): Block | 'mine' {
    const suite = project + this.#out.path(path);
    const failed = mark === '❯' || mark === '×';
    const count = Number(/\| (\d+) failed/.exec(rest)?.[1] ?? (failed ? Number.NaN : 0));
    this.#out.begin();
    if (this.#files.length < FILES) {
      this.#files.push({ suite, line, failed, count: Number.isNaN(count) || tests === '0' ? undefined : count });
    }
    // What is green opens no block, unless its tests are wanted.
    return failed || this.#out.outcomes ? this.#tests(suite) : 'mine';
  }

  /** The tests of a file, by their indent: three for those of the file itself, two more for each suite. */
  #tests(suite: string): Block {
    let suites: string[] = [];
    let held: { mark: string; depth: number; text: string; line: Line } | undefined;
    let reason = false;
    const flush = (): void => {
      if (held === undefined) return;
      const { mark, depth, line } = held;
      const text = held.text.replace(EXTRAS, '');
      const retries = retriesOf(held.text);
      held = undefined;
      if (SUITE_COUNT.test(text)) suites = [...suites.slice(0, depth), text.replace(SUITE_COUNT, '')];
      else if (mark === '❯' && text.startsWith(`${suite} > `))
        this.#test('×', { suite, name: text.slice(suite.length + 3), line, retries, weak: false });
      else {
        const name = [...suites.slice(0, depth), text].join(' > ');
        this.#test(mark, { suite, name, line, retries, weak: suites.length < depth });
      }
    };
    return {
      line: line => {
        const found = TEST.exec(line.text);
        if (found === null) {
          // A title or a reason may go on, at the margin.
          if (line.text === '' || line.text.startsWith('⎯') || this.isEntry(line.text)) return undefined;
          if (held === undefined) return reason ? 'more' : undefined;
          if (line.text.startsWith(' ') || TIME.test(held.text)) return undefined;
          held.text += `\n${line.text}`;
          return 'more';
        }
        flush();
        const [, margin = '', mark = '', text = ''] = found;
        reason = mark === '→';
        if (mark !== '→' && mark !== '·') held = { mark, depth: Math.floor((margin.length - 3) / 2), text, line };
        return 'more';
      },
      end: flush,
    };
  }

  #entry([, mark = '', project = '', path = '', rest = '']: RegExpExecArray, line: Line): 'mine' {
    const suite = project + this.#out.path(path);
    this.#test(mark, { suite, name: rest.replace(EXTRAS, ''), line, retries: retriesOf(rest), weak: false });
    return 'mine';
  }

  #test(mark: string, test: Failing): void {
    const { line, retries } = test;
    if (mark === '✓' || mark === '↓' || mark === '□') {
      const fields = fieldsOf(test);
      const last = retries > 0 ? { ...fields, attempt: this.#before(test, fields) } : fields;
      this.#out.outcome(mark === '✓' ? 'passed' : 'skipped', fields.id, line, last);
    } else if (this.#failing.length < PENDING) {
      this.#failing.push(test);
      if (retries > 0) this.#retried.push(test);
    }
  }

  /** The run is over, or the log: what was not told in full is told as far as it is known; files say their end. */
  end(tests: ReadonlyMap<string, number>): void {
    for (const test of this.#failing) {
      const { suite, name, line, retries, weak } = test;
      const fields = fieldsOf(test);
      const known = this.#told.has(fields.id) || (weak && [...this.#told].some(told => sameTest(told, suite, name)));
      if (known) continue;
      const last = retries > 0 ? { ...fields, attempt: this.#before(test, fields) } : fields;
      this.#out.part('status', fields.id, line, last);
    }
    for (const { suite, line, failed, count } of this.#files) {
      const mine = (id: string) => id === suite || id.startsWith(`${suite} > `);
      const failing =
        count === undefined
          ? [...this.#told].filter(mine).length
          : within(count, new Map([...tests].filter(([id]) => mine(id))));
      const result = failed ? 'failed' : 'passed';
      this.#out.tally({ suite, result, ...(count !== undefined && { failed: count }), counted: failing }, line);
    }
    this.#failing = [];
    this.#retried = [];
    this.#files = [];
  }
}

const fieldsOf = ({ suite, name, weak }: Failing): Fields & { id: string } => ({
  id: `${suite} > ${name}`,
  suite,
  name,
  ...(weak && { weakId: true }),
});

/** However often it says that it was tried: a hundred are told. */
const retriesOf = (text: string): number => Math.min(100, Number(RETRIED.exec(text)?.[1] ?? 0));

/** The count itself where it can be: one test may be told several times, and several may have one name. */
export function within(count: number, told: ReadonlyMap<string, number>): number {
  const times = [...told.values()].reduce((sum, n) => sum + n, 0);
  return Math.min(Math.max(count, told.size), times);
}

const sameTest = (id: string, suite: string, name: string): boolean =>
  id.startsWith(`${suite} > `) && (id.endsWith(` > ${name}`) || id.includes(` > ${name}\n`));
