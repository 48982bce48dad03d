/**
 * Mocha: the closing section that all its reporters share (spec, dot, list, min, …; also Cypress), numbered failures
 * below `N failing`; and the tree of the spec reporter, which is all there is when the run dies before its end.
 */
import type { Block, Draft, Format, Line, Out, Tally } from '../format.js';
import { messageOf, placeOf } from './shared/js-stack.js';

const PASSING = /^ +(\d+) passing(?: \(\S+\))?$/;
const PENDING = /^ +(\d+) pending$/;
const FAILING = /^ +(\d+) failing$/;
const ENTRY = /^ {2}(\d+)\) (\S.*)$/;
/** Below `  1) suite` each inner title is two deeper: `       suite`, `         test:`. */
const TITLE_INDENT = 7;
const STACK = /^\s+at /;
/** In the tree: `    1) test`, `    ✓ test (12ms)`, `    - test`. node:test's `✔ test (0.1ms)` always has decimals. */
const TREE = /^((?: {2})+)(?:(\d+)\)|([✓✔√])|-) (\S.*?)(?: \(\d+ms\)|: \d+ms)?$/;
const GLUED = /[^ ]( {4,40})([1-9])\) (\S.*)$/;
const DECIMALS = /\(\d+\.\d+ms\)$/;
/** A file that cannot be loaded ends the run. */
const EXCEPTION = /^ ?Exception during run: (.*)$/;
const LOADED = /^(?:- )?(?:file:\/\/)?(\/.*?|[A-Za-z]:\\.*?)(?::\d+)?$/;
const NO_FILES = /^Error: No test files found/;
const COUNTS = /^ +\d+ (?:passing|pending|failing)\b/;
/** The error of one test is read from so many lines. */
const ERROR_LINES = 300;
/** How far up the tree its suites are looked for. */
const LOOK_BACK = 3000;

const indent = (text: string): number => text.search(/\S|$/);

class Run {
  #out: Out;
  /** Line of the tree up to which results were said. */
  #seen = 0;
  /** Failing tests of the tree, by their numbers, that no entry told of. */
  #open = new Set<string>();

  constructor(out: Out) {
    this.#out = out;
  }

  /** `N passing`, then what follows it. */
  section(first: Line, passed: number): Block {
    // Said at once, completed below: a run that prints this has ended.
    const tally = { passed, failed: 0, counted: 0 } as Required<Pick<Tally, 'failed' | 'counted'>> & Tally;
    this.#out.tally(tally, first);
    this.#pending(first);
    this.#claimTree();
    let entry: Entry | undefined;
    return {
      line: line => {
        const { text } = line;
        const pending = PENDING.exec(text);
        const failing = FAILING.exec(text);
        if (tally.counted === 0 && pending !== null) tally.skipped = Number(pending[1]);
        else if (tally.counted === 0 && failing !== null) tally.failed = Number(failing[1]);
        else if (Number(ENTRY.exec(text)?.[1]) === tally.counted + 1 && tally.counted < tally.failed) {
          entry?.end();
          tally.counted++;
          this.#open.delete(String(tally.counted));
          entry = new Entry(this.#out, line, tally.counted);
        } else if (entry !== undefined) return entry.line(line) ? 'more' : undefined;
        else if (text !== '') return undefined;
        return 'more';
      },
      end: () => {
        entry?.end();
        // What the closing section does not list was expected to fail (mocha-autotest).
        if (tally.counted === tally.failed) for (const number of this.#open) this.#out.drop(number);
        this.#open.clear();
        this.#out.close();
      },
    };
  }

  /** The tree above the closing section is explained by it. */
  #claimTree(): void {
    for (let n = 1; n < LOOK_BACK; n++) {
      const above = this.#out.back(n);
      if (above === undefined) break;
      if (/^(?: {2})+\S/.test(above.text)) this.#out.claim(above);
    }
  }

  /** A result in the tree. What failed has the number that its entry below will have. */
  result(line: Line): 'mine' | undefined {
    if (DECIMALS.test(line.text)) return undefined;
    const glued = line.text.startsWith(' ') ? null : GLUED.exec(line.text);
    const text = glued === null ? line.text : `${glued[1]}${glued[2]}) ${glued[3]}`;
    const found = TREE.exec(text);
    if (found === null) return undefined;
    const [, margin = '', number, passed, title = ''] = found;
    if (number === undefined ? passed === undefined || !this.#out.outcomes : number.length > 1) return undefined;
    const suites = this.#suites(margin.length);
    // Others number their failures at the left margin (Playwright, RSpec, ExUnit): here a suite must stand above.
    if (number !== undefined && (suites.length === 0 || suites.length < margin.length / 2 - 1)) return undefined;
    this.#pending(line);
    const titles = [...suites, title];
    if (number === undefined) this.#out.outcome('passed', titles.join(' '), line, suiteOf(titles));
    else {
      this.#open.add(number);
      this.#out.part('status', number, line, { ...suiteOf(titles), id: titles.join(' '), name: titles.join(' ') });
    }
    this.#seen = line.no;
    return 'mine';
  }

  /** Pending tests bear nothing to find them by: they are looked for above a result. */
  #pending(line: Line): void {
    if (!this.#out.outcomes) return;
    const skipped: Line[] = [];
    for (let n = 1; n < LOOK_BACK; n++) {
      const above = this.#out.back(n);
      if (above === undefined || above.no <= this.#seen || !/^ {2}|^$/.test(above.text)) break;
      if (/^(?: {2})+- \S/.test(above.text)) skipped.unshift(above);
    }
    for (const above of skipped) {
      const titles = [...this.#suites(indent(above.text), line.no - above.no), above.text.trim().slice(2)];
      this.#out.outcome('skipped', titles.join(' '), above, suiteOf(titles));
    }
  }

  /** The titles of the suites above a result that is indented so far, outermost first. */
  #suites(margin: number, from = 0): string[] {
    const titles: string[] = [];
    let wanted = margin - 2;
    for (let n = from + 1; wanted >= 2 && n < LOOK_BACK; n++) {
      const above = this.#out.back(n);
      if (above === undefined) break;
      const { text } = above;
      if (indent(text) !== wanted || text.trim() === '' || TREE.test(text) || COUNTS.test(text)) continue;
      this.#out.claim(above);
      titles.unshift(text.trim());
      wanted -= 2;
    }
    return titles;
  }
}

/** Titles joined as mocha's own full title. */
const suiteOf = (titles: string[]) => (titles.length > 1 ? { suite: titles.slice(0, -1).join(' ') } : {});

/** One numbered failure: titles, error, stack. */
class Entry {
  #titles: string[];
  #first: Line;
  #last: Line;
  #number: number;
  #out: Out;
  #lines: Line[] = [];
  #stack = false;
  #blank = 0;

  constructor(out: Out, first: Line, number: number) {
    this.#out = out;
    this.#first = first;
    this.#last = first;
    this.#number = number;
    this.#titles = [(ENTRY.exec(first.text) as RegExpExecArray)[2] as string];
  }

  /** False when the line is no longer this failure's. */
  line(line: Line): boolean {
    const { text } = line;
    const inner = TITLE_INDENT + 2 * (this.#titles.length - 1);
    if (this.#lines.length === 0 && indent(text) === inner && text.trim() !== '') {
      this.#titles.push(text.trim());
      return true;
    }
    // A message may hold any line; after the stack only what is indented, and no two empty lines.
    this.#blank = text === '' ? this.#blank + 1 : 0;
    if (this.#stack && (this.#blank >= 2 || (text !== '' && indent(text) < 5))) return false;
    if (STACK.test(text)) this.#stack = true;
    if (this.#lines.length < ERROR_LINES) this.#lines.push(line);
    if (text.trim() !== '') this.#last = line;
    return this.#lines.length > 0;
  }

  end(): void {
    const titles = this.#titles;
    titles[titles.length - 1] = (titles.at(-1) as string).replace(/:$/, '');
    const name = titles.join(' ');
    const draft: Draft = this.#out.part('detail', String(this.#number), this.#first);
    Object.assign(draft.fields, { id: name, name, message: messageOf(this.#lines, 6) }, suiteOf(titles));
    Object.assign(draft.fields, placeOf(this.#lines));
    for (const line of this.#lines) if (line.no <= this.#last.no) draft.add(line);
  }
}

/** ` Exception during run: …`: a file that cannot be loaded, named in the error or first in its stack. */
function exception(first: Line, said: string, out: Out): Block {
  const lines: Line[] = [];
  let file = LOADED.exec(said)?.[1];
  return {
    line(line) {
      const { text } = line;
      const stack = STACK.test(text);
      if (!stack && lines.some(({ text }) => STACK.test(text)) && !/^(?:\}| {2}\S)/.test(text)) return undefined;
      lines.push(line);
      file ??= LOADED.exec(text)?.[1];
      return text === '}' || lines.length >= ERROR_LINES ? 'last' : 'more';
    },
    end() {
      const at = placeOf(lines);
      const id = file ?? at?.file ?? 'mocha';
      const error = lines.find(({ text }) => /^\w*Error\b/.test(text))?.text;
      const message = error ?? said;
      const draft = out.part('detail', id, first, { id: out.path(id), suite: id, name: id, file: id, message });
      for (const line of lines) draft.add(line);
      out.early('crash');
      out.close();
    },
  };
}

export const mocha: Format = {
  name: 'mocha',
  url: 'https://mochajs.org/#reporters',
  hints: [
    ' passing',
    'Exception during run',
    'No test files found',
    // Of the tree only the first nine: a number alone is too short a hint, and the closing section has them all.
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(n => `  ${n}) `),
  ],
  // The last ones as mocha 10 to 12 colour them.
  outcomeHints: ['  ✓', '  ✔', '  √', '✔\u001b[39m', '✓\u001b[39m', '√\u001b[39m'],
  reader: out => {
    const run = new Run(out);
    return {
      line(line) {
        const passing = PASSING.exec(line.text);
        if (passing !== null) return run.section(line, Number(passing[1]));
        const thrown = EXCEPTION.exec(line.text);
        if (thrown !== null) return exception(line, thrown[1] as string, out);
        if (NO_FILES.test(line.text)) {
          out.failure({ kind: 'build', message: line.text }, line);
          return 'mine';
        }
        return run.result(line);
      },
    };
  },
};
