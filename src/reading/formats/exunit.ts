/**
 * ExUnit, the test runner of Elixir: numbered failures, whichever way the progress is shown (dots, `--trace`), the
 * closing line, and the compile error that keeps `mix` from running any test.
 */
import type { Block, Draft, Fields, Format, Line, Out, Reader } from '../format.js';

/** Numbers are right-aligned to three: `  1) test adds (ShopTest)`, ` 10) doctest Shop.add/2 (1) (ShopTest)`. */
const HEADING = /^(?: {2}\d| \d\d|\d{3,})\) ((?:test|doctest|property|feature) .*) \(([A-Z][\w.]*)\)$/;
const SETUP_ALL = /^(?: {2}\d| \d\d|\d{3,})\) ([A-Z][\w.]*): (failure on setup_all callback\b.*)$/;
/** Below the heading, where the test is. */
const PLACE = /^ {5}(\S.*\.exs?):(\d+)$/;
const BODY = /^ {5}/;
const STACKTRACE = /^ {5}stacktrace:$/;
/** The line of the test's own that failed. */
const OWN = /^ {7}(?:\(for doctest at\) )?(\S+):(\d+): .*\((?:test|module)\)$/;
const FRAME = /^ {7}([^\s(]\S*\.exs?):(\d+): /;

/** `--trace`: nothing but its colour and what follows tells a test that passed from one that failed. */
const MODULE = /^[A-Z][\w.]* \[\S*\.exs\]$/;
const TRACED = /^ {2}\* (\S.*) \((\d[\d.]*ms|skipped|excluded)\) \[L#\d+\]$/;
const BEGUN = /^ {2}\* \S.* \[L#\d+\]$/;

const FINISHED = /^Finished in [\d.]+ seconds/;
const TALLY = /^(?:\d+ [a-z]+, )+\d+ failures?(?:, \d+ (?:invalid|excluded|skipped))*$/;
const COUNT = /(\d+) ([a-z]+)/g;
const RUNNING = /^Running ExUnit with seed: \d+/;
const MAX_FAILURES = '--max-failures reached, aborting test suite';

const NO_FILES = /^Paths given to "mix test" did not match any /;
const UNBUILT = /^== Compilation error in file (\S.*) ==$/;
const ERROR = /^\*\* \(([\w.]+)\) (.*)$/;
const POSITION = /:(\d+)(?::(\d+))?:/;
const MESSAGE_LINES = 6;

const named = (suite: string, name: string): Fields & { id: string } => ({ id: `${suite} ${name}`, suite, name });

class ExUnitReader implements Reader {
  readonly #out: Out;
  /** How many failing tests were listed; a module whose setup_all failed is not among those that ExUnit counts. */
  #listed = 0;
  #module = '';
  /** Tests of the module at hand that ended and of which no failure was told. */
  #ended = new Map<string, Line>();

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const [, name, suite = ''] = HEADING.exec(text) ?? [];
    if (name !== undefined) return this.#entry(line, named(suite, name), () => this.#ended.delete(name));
    const [, module = '', said] = SETUP_ALL.exec(text) ?? [];
    if (said !== undefined) {
      this.#ended.clear();
      return this.#module_(line, { ...named(module, 'setup_all'), message: said });
    }
    if (FINISHED.test(text)) return this.#closing();
    if (RUNNING.test(text)) {
      this.#out.begin();
      return 'mine';
    }
    if (text === MAX_FAILURES) {
      this.#out.early('failFast');
      return 'mine';
    }
    if (NO_FILES.test(text)) {
      this.#out.failure({ kind: 'build', message: text }, line);
      return 'mine';
    }
    const unbuilt = UNBUILT.exec(text)?.[1];
    if (unbuilt !== undefined) return this.#compile(line, unbuilt);
    return this.#out.outcomes ? this.#traced(line) : undefined;
  }

  excuse({ text }: Line): boolean {
    return BEGUN.test(text) || MODULE.test(text) || TALLY.test(text);
  }

  #traced(line: Line): undefined | 'mine' {
    if (MODULE.test(line.text)) {
      this.#passed();
      this.#module = line.text.slice(0, line.text.indexOf(' '));
      return 'mine';
    }
    const [, name, how = ''] = TRACED.exec(line.text) ?? [];
    if (name === undefined || this.#module === '') return undefined;
    if (how.endsWith('ms')) this.#ended.set(name, line);
    else this.#out.outcome('skipped', `${this.#module} ${name}`, line, named(this.#module, name));
    return 'mine';
  }

  /** The module is over: what has not failed has passed. */
  #passed(): void {
    for (const [name, line] of this.#ended) {
      this.#out.outcome('passed', `${this.#module} ${name}`, line, named(this.#module, name));
    }
    this.#ended.clear();
  }

  /** A numbered failure: where the test is, what was wrong, the stack. */
  #entry(first: Line, fields: Fields & { id: string }, failed: () => void): Block {
    let draft: Draft | undefined;
    let body: Block | undefined;
    return {
      line: line => {
        if (draft !== undefined) return body?.line(line);
        // A test may print such a heading; below one of ExUnit's own stands the place of the test.
        const [, file, at] = PLACE.exec(line.text) ?? [];
        if (file === undefined) return undefined;
        this.#listed++;
        failed();
        draft = this.#out.part('detail', fields.id, first, { ...fields, file, line: Number(at) });
        draft.add(line);
        body = bodyOf(draft);
        return 'more';
      },
      end: () => body?.end?.(),
    };
  }

  #module_(first: Line, fields: Fields & { id: string }): Block {
    return bodyOf(this.#out.part('detail', fields.id, first, fields));
  }

  /** `Finished in 0.1 seconds`, then the counts. */
  #closing(): Block {
    return {
      line: line => {
        if (!TALLY.test(line.text)) return undefined;
        const counts = new Map([...line.text.matchAll(COUNT)].map(([, n, what = '']) => [what, Number(n)]));
        const count = (what: string) => counts.get(what) ?? 0;
        const failed = count('failure') + count('failures');
        const skipped = count('skipped') + count('excluded');
        const invalid = count('invalid');
        const others = ['failure', 'failures', 'skipped', 'excluded', 'invalid'];
        const all = [...counts].reduce((sum, [what, n]) => (others.includes(what) ? sum : sum + n), 0);
        const result = failed + invalid > 0 ? 'failed' : 'passed';
        this.#passed();
        const passed = all - failed - skipped - invalid;
        this.#out.tally({ passed, failed, skipped, result, counted: this.#listed }, line);
        this.#out.close();
        this.#listed = 0;
        this.#module = '';
        return 'last';
      },
    };
  }

  /** `== Compilation error in file lib/a.ex ==`, then the exception and its stack. */
  #compile(first: Line, file: string): Block {
    const draft = this.#out.failure({ kind: 'build', file, severity: 'error' }, first);
    let error: RegExpExecArray | null = null;
    return {
      line: line => {
        if (error === null) {
          error = ERROR.exec(line.text);
          if (error === null) return undefined;
          const [, code, said = ''] = error;
          const position = POSITION.exec(said);
          draft.fields.code = code as string;
          draft.fields.message = said.startsWith(`${file}:`) ? said.replace(/^.*?:(?:\d+:)* /, '') : said;
          if (position?.[1] !== undefined) draft.fields.line = Number(position[1]);
          if (position?.[2] !== undefined) draft.fields.column = Number(position[2]);
        } else if (!/^ {4}\S/.test(line.text)) return undefined;
        draft.add(line);
        return 'more';
      },
    };
  }
}

/** What stands below the place: indented by five; empty lines only one by one. */
function bodyOf(draft: Draft): Block {
  const message: string[] = [];
  let stack = false;
  let own = false;
  let blank = false;
  return {
    line: line => {
      const { text } = line;
      if (text === '') {
        if (blank) return 'last';
        blank = true;
        return 'more';
      }
      if (!BODY.test(text)) return undefined;
      blank = false;
      draft.add(line);
      if (STACKTRACE.test(text)) stack = true;
      else if (!stack) message.push(text.slice(5));
      else if (!own) {
        const at = OWN.exec(text) ?? (draft.fields.file === undefined ? FRAME.exec(text) : null);
        if (at === null) return 'more';
        own = true;
        Object.assign(draft.fields, { file: at[1], line: Number(at[2]) });
      }
      return 'more';
    },
    end: () => {
      const said = message.slice(0, MESSAGE_LINES).join('\n').trim();
      if (said !== '') draft.fields.message = said;
    },
  };
}

export const exunit: Format = {
  name: 'exunit',
  url: 'https://hexdocs.pm/ex_unit/ExUnit.html',
  hints: [
    ') test ',
    ') doctest ',
    ') property ',
    ') feature ',
    ': failure on setup_all callback',
    'Finished in ',
    'Running ExUnit with seed',
    MAX_FAILURES,
    '== Compilation error in file',
    'Paths given to "mix test"',
  ],
  outcomeHints: ['.exs]', ' [L#'],
  reader: out => new ExUnitReader(out),
};
