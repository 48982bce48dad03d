/**
 * Jest, 24 to 30. One section a test file: `FAIL path (5 s)`, the tree (`✕ test`, where there is one), then `● suite ›
 * test` blocks; over twenty files all failures are printed again under a heading. Ids are `path > suite > test`.
 */
import type { Block, Draft, Fields, Format, Line, Out, Tally } from '../format.js';
import { died, outside } from './jest/outside.js';
import { Retries } from './jest/retries.js';
import { JestTree } from './jest/tree.js';
import { messageOf, placeOf } from './shared/js-stack.js';

/** The file of a section; behind it time and heap size. A project's name may stand before the path. */
const HEADER = /^(?:(?:::group::|##\[group\])?(Errors thrown in)| ?(FAIL|PASS) ) ?(\S.*)$/;
const TIMING = / \([\d.]+ ?m?s(?:, [\d.]+ \w+ heap size)?\)$| \(\d+ MB heap size\)$/;
const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|es6|coffee|json|feature|md|mdx|s?css|html|graphql)$/;
/** `output without a line endFAIL path`: what follows must be nothing but a path. */
const GLUED = /\S(FAIL|PASS) ([^\s()]+\.[cm]?[jt]sx?(?: \([\d.]+ ?m?s\))?)$/;
const TITLE = /^ {2}● (.*)$/;
const CONSOLE = /^ {2}(?:● Console$|console\.\w+(?: |$))/;
export const SUITE_FAILED = 'Test suite failed to run';
/** The worker was killed: nothing of the file is known. */
const DIED =
  /^\s+(?:A jest worker process .*was terminated|Jest worker encountered \d+ child process exceptions|Call retries were exceeded)/;
const SYNTAX = /^\s+(SyntaxError: .*)$/;
const SUITES = /(?:^|\S)Test Suites: +((?:\d+ \w+, )*)(\d+) (?:of (\d+) )?total$/;
const TESTS = /^Tests: +((?:\d+ \w+, )*)\d+ total$/;
const SUMMARY = /^Summary of all failing tests$/;
/** Of no test: jest speaks for itself. */
const OWN = /^ {2}● {2}\S/;
const EXIT = /^ {2}● {2}(process\.exit called with .*)$/;
const HARMLESS =
  /^ › \d+ |^Ran all test suites|^ *[•↳✓○✎] |^Tests: +\d|^::error file=|worker process has failed to exit gracefully|^Jest did not exit|^Force exiting Jest|^Jest has detected/;

/** Files of a run that are remembered. */
const FILES = 20_000;

/** One file's section: from its header to the next. */
class Section {
  readonly suite: string;
  readonly file: string;
  readonly draft = new Map<string, Draft>();
  /** Failing tests, and blocks that may be a second error of one of them or a second test of that name. */
  tests = 0;
  repeats = 0;

  constructor(
    readonly failed: boolean,
    header: string,
    readonly line: Line,
    readonly retries: Retries,
    path: (file: string) => string,
  ) {
    const words = header.split(' ');
    // A path may hold blanks, and so may a project's name: the path begins with the first word that has a folder.
    const from = words.findIndex(word => /[/\\]/.test(word) && !word.startsWith('@'));
    // Of a file at the root it alone says `./`.
    const found = words.slice(from < 0 ? -1 : from).join(' ');
    this.file = found.replace(/^\.\//, '');
    const project = header.slice(0, header.length - found.length);
    this.suite = project + path(this.file);
  }

  /**
   * A title may end as if in a time, `loads (5 ms)`: in the tree that was taken off.
   * @returns what the tree's draft is known by; undefined: the title is in the tree as it is, or not at all
   */
  untimed(title: string): string | undefined {
    const short = title.replace(/ \(\d+ m?s\)$/, '');
    const draft = this.draft.get(short);
    if (short === title || this.draft.has(title) || draft === undefined || draft.fields.message !== undefined)
      return undefined;
    Object.assign(draft.fields, named(this, title));
    this.draft.delete(short);
    this.draft.set(title, draft);
    return short;
  }
}

/** The blocks of one run, until its closing count. */
class Run {
  readonly #out: Out;
  readonly #seen = new Set<string>();
  #section: Section | undefined;
  /** Of the file whose section follows. */
  #retries = new Retries();
  #summary = false;
  #files = 0;
  #tests = 0;
  #repeats = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  summary(): void {
    this.#close();
    this.#summary = true;
  }

  open(failed: boolean, header: string, line: Line): Block | 'mine' {
    this.#close();
    const section = new Section(failed, header, line, this.#retries, file => this.#out.path(file));
    this.#retries = new Retries();
    const again = this.#summary && this.#seen.has(section.suite);
    if (!again) this.#section = section;
    this.#out.begin();
    // What is green opens no block, unless its tests are wanted.
    return failed || this.#out.outcomes ? this.#sectionBlock(again ? undefined : section) : 'mine';
  }

  retries(line: Line): Block | undefined {
    return this.#retries.block(line);
  }

  /** `● title` where no block is open: something came between, or the head of the log is missing. */
  title(line: Line): Block {
    const block = this.#sectionBlock(this.#section, true);
    block.line(line);
    return block;
  }

  #sectionBlock(section: Section | undefined, late = false): Block {
    const swallow = section === undefined && !late;
    const tree = new JestTree((result, titles, line) => !swallow && this.#result(section, result, titles, line));
    let error: Failing | undefined;
    const end = (): void => {
      tree.end();
      if (error !== undefined && !swallow) this.#failing(error, section);
      error = undefined;
    };
    return {
      line: line => {
        const { text } = line;
        const title = TITLE.exec(text)?.[1];
        if (OWN.test(text)) return undefined;
        if (title !== undefined) {
          end();
          error = CONSOLE.test(text) ? undefined : new Failing(title, line);
          return 'more';
        }
        if (error?.line(line)) return 'more';
        if (text === '' || /^ {4}/.test(text) || /^ › |^ {3}[•↳]/.test(text)) {
          if (error === undefined) tree.line(line);
          return 'more';
        }
        if (error !== undefined || headerOf(text) !== undefined || SUITES.test(text)) return undefined;
        return tree.line(line) ? 'more' : undefined;
      },
      end,
    };
  }

  #result(section: Section | undefined, result: 'passed' | 'failed' | 'skipped', titles: string[], line: Line): void {
    const name = titles.join(' › ');
    const fields = this.#attempted(section, name);
    if (result !== 'failed') this.#out.outcome(result, name, line, fields);
    else if (section !== undefined && !section.draft.has(name)) {
      section.tests++;
      section.draft.set(name, this.#out.part('status', name, line, fields));
    }
  }

  /** What is known of a test that ended; the attempts that failed before are told. */
  #attempted(section: Section | undefined, name: string): Fields {
    const fields = named(section, name);
    const before = section?.retries.take(name.split(' › ').join(' ')) ?? [];
    for (const [n, line] of before.entries()) this.#out.outcome('failed', name, line, { ...fields, attempt: n + 1 });
    return before.length === 0 ? fields : { ...fields, attempt: before.length + 1 };
  }

  /** Tests that failed before and are not among those that failed for good; their suites are not known. */
  #retried(section: Section): void {
    for (const [name, before] of section.retries.rest()) {
      const fields: Fields = { suite: section.suite, weakId: true };
      for (const [n, line] of before.entries()) this.#out.outcome('failed', name, line, { ...fields, attempt: n + 1 });
      this.#out.outcome('passed', name, section.line, { ...fields, attempt: before.length + 1 });
    }
  }

  #failing(error: Failing, section: Section | undefined): void {
    const suiteFailed = error.title === SUITE_FAILED;
    const key = suiteFailed ? '' : error.title;
    const told = section?.untimed(key) ?? key;
    const known = section?.draft.get(key);
    const first = known === undefined || known.fields.message === undefined;
    if (known === undefined && section !== undefined && !suiteFailed) section.tests++;
    if (known !== undefined && !first && section !== undefined) section.repeats++;
    const fields = suiteFailed
      ? { ...named(section, ''), id: section?.suite ?? SUITE_FAILED }
      : this.#attempted(section, key);
    const draft = first ? this.#out.part('detail', told || SUITE_FAILED, error.first, fields) : (known as Draft);
    if (first) Object.assign(draft.fields, error.told(section?.file));
    for (const line of error.lines) draft.add(line);
    section?.draft.set(key, draft);
    if (section === undefined) this.#tests++;
  }

  #close(): void {
    const section = this.#section;
    this.#section = undefined;
    if (section === undefined) return;
    // Only a file that failed is told again.
    if (section.failed && this.#seen.size < FILES) this.#seen.add(section.suite);
    if (section.failed) this.#files++;
    this.#tests += section.tests;
    this.#repeats += section.repeats;
    this.#retried(section);
    const result = section.failed ? 'failed' : 'passed';
    this.#out.tally({ suite: section.suite, result, counted: section.draft.size }, section.line);
    this.#out.close();
  }

  /** `Test Suites: …`, then `Tests: …`, `Snapshots: …`, `Time: …`. */
  total(suites: RegExpExecArray): Block {
    this.#close();
    this.#out.begin();
    const [, counts = '', ran, all] = suites;
    // Skipped files are among those that did not run.
    if (all !== undefined && Number(ran) + count(counts, 'skipped') < Number(all)) this.#out.early('failFast');
    const failedFiles = count(counts, 'failed');
    return {
      line: line => {
        const tests = TESTS.exec(line.text);
        if (tests !== null) this.#tally(tests[1] as string, failedFiles, line);
        return /^(?:Tests|Snapshots|Time): /.test(line.text) ? 'more' : undefined;
      },
    };
  }

  #tally(counts: string, failedFiles: number, line: Line): void {
    const failed = count(counts, 'failed');
    const skipped = count(counts, 'skipped') + count(counts, 'todo');
    // Two blocks of one name are two errors of a test or two tests: either way the count may be right.
    const tests = Math.min(Math.max(failed, this.#tests), this.#tests + this.#repeats);
    const counted = tests + this.#files - failedFiles;
    const tally: Tally = { passed: count(counts, 'passed'), failed, counted };
    if (skipped > 0) tally.skipped = skipped;
    if (failedFiles > 0) tally.result = 'failed';
    this.#out.tally(tally, line);
    this.#out.close();
  }
}

const count = (counts: string, what: string): number =>
  Number(new RegExp(`\\b(\\d{1,9}) ${what}`).exec(counts)?.[1] ?? 0);

/** Titles as jest joins them, ids as every runner of its kind joins them. */
function named(section: Section | undefined, title: string) {
  const name = title || section?.suite;
  const path = title
    .split(' › ')
    .map(part => part.trim())
    .join(' > ');
  if (section === undefined) return { id: path, name, weakId: true as const };
  return { id: `${section.suite} > ${path}`, name, suite: section.suite };
}

/** `● title` and what is indented below it. */
export class Failing {
  title: string;
  readonly lines: Line[] = [];

  constructor(
    title: string,
    readonly first: Line,
  ) {
    this.title = title.trim();
  }

  /** False when the line is not this test's. A title of several lines goes on right below. */
  line(line: Line): boolean {
    const { text } = line;
    if (this.lines.length === 0 && text !== '' && !/^ {4}/.test(text)) {
      this.title += `\n${text}`;
      return true;
    }
    if (text !== '' && !/^ {4}/.test(text)) return false;
    this.lines.push(line);
    return true;
  }

  told(file: string | undefined) {
    const lines = this.lines.slice(this.lines.findIndex(line => line.text !== ''));
    const syntax = lines.map(({ text }) => SYNTAX.exec(text)?.[1]).find(text => text !== undefined);
    const kind = this.title === SUITE_FAILED && lines.some(({ text }) => DIED.test(text)) ? 'crash' : 'test';
    const at = placeOf(lines, file);
    const message = this.title === SUITE_FAILED && syntax !== undefined ? syntax : messageOf(lines, 4);
    return { kind, message, ...(at ?? (this.title === SUITE_FAILED && file !== undefined && { file })) } as const;
  }
}

export const jest: Format = {
  name: 'jest',
  url: 'https://jestjs.io/docs/cli',
  hints: [
    'FAIL ',
    'PASS ',
    '  ● ',
    'm● ',
    '● Validation',
    'Test Suites:',
    'Summary of all failing',
    'Errors thrown in',
    'console.',
    'RETRY ERRORS',
    'threshold',
    'No tests found',
    'Got error running global',
  ],
  reader: out => {
    let run = new Run(out);
    /** A test called `process.exit`: with workers the run goes on, else that was its end. */
    let exited: string | undefined;
    const swallow: Block = {
      line: ({ text }) => (text === '' || /^ {4}/.test(text) ? 'more' : undefined),
    };
    return {
      line(line) {
        const { text } = line;
        const header = headerOf(text);
        if (header !== undefined) return run.open(header.failed, header.file, line);
        const suites = SUITES.exec(text);
        if (suites !== null) {
          const block = run.total(suites);
          run = new Run(out);
          exited = undefined;
          return block;
        }
        const exit = EXIT.exec(text);
        if (exit !== null) {
          const known = exited === text;
          exited = text;
          return known ? swallow : died(exit[1] as string, line, out);
        }
        const retries = run.retries(line);
        if (retries !== undefined) return retries;
        if (CONSOLE.test(text) || OWN.test(text)) return swallow;
        if (TITLE.test(text)) return run.title(line);
        if (SUMMARY.test(text)) {
          run.summary();
          return 'mine';
        }
        return outside(line, out);
      },
      excuse: ({ text }) => HARMLESS.test(text),
      end() {
        if (exited !== undefined) out.early('crash');
      },
    };
  },
};

function headerOf(text: string): { failed: boolean; file: string } | undefined {
  const found = HEADER.exec(text) ?? GLUED.exec(text);
  if (found === null) return undefined;
  const rest = (found.at(-1) as string).trim();
  const file = rest.replace(TIMING, '').replace(/ +/g, ' ');
  // Vitest: ` FAIL  file > test`, ` FAIL  file [ file ]`.
  if (!SOURCE.test(file) || file.includes(' > ')) return undefined;
  return { failed: !found.includes('PASS'), file };
}
