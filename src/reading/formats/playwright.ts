/**
 * Playwright Test: whichever reporter shows the progress (list, line, dot), what failed stands below numbered headings
 * `  1) [project] › file:L:C › suite › test ───`, and the lists at the end say what failed and what was flaky.
 */
import type { Block, Format, Line, Out, Reader, Tally } from '../format.js';
import { Run } from './playwright/run.js';
import { titleOf } from './playwright/title.js';

const RUNNING = /^Running \d+ tests? using \d+ workers?/;
const ENTRY = /^ {2}(✓|✘|-|ok|x) +(\d+) (\S.* › .*)$/;
const TIME = / \(\d[\d.]*(?:ms|s|m|h)\)$/;
const RETRY = / \(retry #\d+\)$/;
const HEADING = /^ {2}\d+\) (\S.* › .*)$/;
const RULE = / ─*$/;
const AGAIN = /^ {4}Retry #\d+ ─*$/;
const COUNT = /^ {2}(\d+) (failed|interrupted|flaky|skipped|did not run|passed)(?: \(\d[\d.]*(?:ms|s|m|h)\))?$/;
const LISTED = /^ {4}(\S.* › .*)$/;
const OUTSIDE = /^ {2}\d+ errors? (?:was|were) not a part of any test, see above for details$/;
const STOPPED = /^Testing stopped early after \d+ maximum allowed failures\.$/;
const NO_TESTS = /^Error: (No tests found)\.?$/;
/** `   at a.spec.js:4`, two lines below the error that a file ended in when it was loaded. */
const UNLOADED = /^ {3}at (\S+\.[cm]?[jt]sx?):(\d+)$/;
const ERROR = /^(?:\w*Error): (.*)$/;
/** `SyntaxError: /path/a.spec.js: Unexpected token`: the file is told below. */
const OWN_PATH = /^(\w*Error: )\S*[/\\]\S+: (?=\S)/;
/** How the lists may begin: `  2 failed`, `  12 flaky`. */
const DIGITS = [...'0123456789'];
const COUNTS = ['failed', 'flaky', 'skipped', 'interrupted'].flatMap(what => [
  ...DIGITS.slice(1).map(n => `  ${n} ${what}`),
  ...DIGITS.flatMap(tens => DIGITS.map(n => `${tens}${n} ${what}`)),
]);
/** What the line reporter shows of its progress. */
const PROGRESS = /^\[\d+\/\d+\] /;

const MARKS = { '✓': 'passed', ok: 'passed', '✘': 'failed', x: 'failed', '-': 'skipped' } as const;
const unruled = (text: string): string => text.replace(RULE, '').trimEnd();

class PlaywrightReader implements Reader {
  readonly #out: Out;
  #run: Run | undefined;

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    if (RUNNING.test(text)) {
      this.end();
      this.#run = new Run(this.#out);
      this.#out.begin();
      return 'mine';
    }
    if (STOPPED.test(text)) {
      this.#out.early('failFast');
      return 'mine';
    }
    const heading = HEADING.exec(text)?.[1];
    if (heading !== undefined && this.#isTest(unruled(heading))) return this.#report(unruled(heading), line);
    if (this.#run !== undefined && COUNT.test(text)) return this.#closing(line);
    const none = NO_TESTS.exec(text)?.[1];
    if (none !== undefined && this.#run === undefined) {
      this.#out.failure({ kind: 'build', message: none }, line);
      return 'mine';
    }
    return this.#entry(line) ?? this.#unloaded(line);
  }

  excuse({ text }: Line): boolean {
    return ENTRY.test(text) || (PROGRESS.test(text) && text.includes(' › ')) || OUTSIDE.test(text);
  }

  end(): void {
    this.#run?.cut();
    this.#run = undefined;
  }

  #isTest(title: string): boolean {
    return titleOf(title, file => file) !== undefined;
  }

  #entry(line: Line): 'mine' | undefined {
    const [, mark, n, rest = ''] = ENTRY.exec(line.text) ?? [];
    if (mark === undefined || this.#run === undefined) return undefined;
    const title = rest.replace(TIME, '').replace(RETRY, '');
    // They are numbered as they end; a test may print such a line, too.
    if (!this.#isTest(title) || Number(n) <= this.#run.last) return undefined;
    this.#run.last = Number(n);
    this.#run.listed(title, MARKS[mark as keyof typeof MARKS], line);
    return 'mine';
  }

  /** `  1) title ───`: the errors, then those of each `Retry #1 ───`; after the last one come the lists. */
  #report(title: string, line: Line): Block {
    const attempts: Line[][] = [[]];
    let closing: Block | undefined;
    const told = () => attempts.some(lines => lines.length > 0);
    const done = (): void => {
      if (told()) this.#current().report({ title, line, attempts });
    };
    return {
      line: next => {
        if (closing !== undefined) return closing.line(next);
        if (AGAIN.test(next.text)) attempts.push([]);
        else if (next.text === '' || next.text.startsWith('    ')) {
          const lines = attempts.at(-1) as Line[];
          if (next.text !== '' || lines.length > 0) lines.push(next);
        } else if (COUNT.test(next.text) && told()) {
          done();
          closing = this.#closing(next);
        } else return undefined;
        return 'more';
      },
      end: () => {
        if (closing === undefined) done();
        else closing.end?.();
      },
    };
  }

  #current(): Run {
    this.#run ??= new Run(this.#out);
    return this.#run;
  }

  /** `  2 failed`, their titles, `  1 flaky`, its title, `  4 passed (1.2s)`. */
  #closing(first: Line): Block {
    const run = this.#current();
    const counts = new Map<string, number>();
    const lists = { failed: new Map<string, Line>(), flaky: new Map<string, Line>() };
    let list: Map<string, Line> | undefined;
    const take = (line: Line): 'more' | undefined => {
      const [, n, what = ''] = COUNT.exec(line.text) ?? [];
      if (n !== undefined) {
        counts.set(what, Number(n));
        list = what === 'flaky' ? lists.flaky : what === 'failed' || what === 'interrupted' ? lists.failed : undefined;
        return 'more';
      }
      const title = LISTED.exec(line.text)?.[1];
      if (title !== undefined && list !== undefined) list.set(unruled(title), line);
      return title !== undefined || OUTSIDE.test(line.text) ? 'more' : undefined;
    };
    take(first);
    const tally: Tally = {};
    this.#out.tally(tally, first);
    return {
      line: take,
      end: () => {
        const count = (what: string) => counts.get(what) ?? 0;
        const failed = count('failed') + count('interrupted');
        // Where nothing failed, no hook is the reason that tests did not run.
        if (count('interrupted') > 0 || (failed === 0 && count('did not run') > 0)) this.#out.early('bailOut');
        run.close(lists.failed, lists.flaky);
        const passed = count('passed') + count('flaky');
        Object.assign(tally, { passed, failed, skipped: count('skipped') + count('did not run') });
        this.#out.close();
        this.#run = undefined;
      },
    };
  }

  /** A file that cannot be loaded, before anything runs. */
  #unloaded(line: Line): undefined | Block {
    const [, file, no] = UNLOADED.exec(line.text) ?? [];
    const above = this.#out.back(2);
    const message = ERROR.exec(above?.text ?? '')?.[1];
    if (file === undefined || above === undefined || message === undefined || this.#out.back(1)?.text !== '')
      return undefined;
    const draft = this.#out.failure(
      { kind: 'build', file, line: Number(no), message: above.text.replace(OWN_PATH, '$1') },
      above,
      line,
    );
    draft.add(above);
    this.#out.claim(above);
    return {
      line: next => {
        if (next.text !== '' && !/^(?: {2}|>)/.test(next.text)) return undefined;
        if (next.text !== '') draft.add(next);
        return 'more';
      },
    };
  }
}

export const playwright: Format = {
  name: 'playwright',
  url: 'https://playwright.dev/docs/test-reporters',
  hints: [
    ' tests using ',
    ' test using ',
    ' › ',
    ...COUNTS,
    ' passed (',
    ' did not run',
    'Testing stopped early',
    'No tests found',
    '   at ',
  ],
  reader: out => new PlaywrightReader(out),
};
