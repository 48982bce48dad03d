/**
 * GoogleTest: `f:L: Failure` and what follows it, then `[  FAILED  ] S.t (0 ms)`; again in the list at the end. A test that
 * was running when the program died has no status: it is found when the output ends.
 */
import type { Block, Draft, Fields, Format, Line } from '../format.js';
import { isCrash } from './shell.js';

const FAILURE = /(?:: Failure|\): error: ?.*)$/;
/** What stands before it. */
const PLACE = /(?:((?:[A-Za-z]:[\\/])?[^\s:(]+)(?::(\d+)|\((\d+))|(unknown file))$/;
const STATUS =
  /\[( {2}FAILED {2}| {7}OK | {2}SKIPPED )\] (\S+?\.\S+?)(?:, where (?:TypeParam|GetParam\(\)) = .*?)?(?: \((\d+) ms\))?$/;
const RUN = /\[ RUN {6}\] (\S+\.\S+)$/;
const HEADING = /^\[=+\] Running \d+ tests? from \d+ test (?:suites?|cases?)\.$/;
const RAN = /^\[=+\] \d+ tests? from \d+ test (?:suites?|cases?) ran\./;
const PASSED = /^\[ {2}PASSED {2}\] (\d+) tests?\.$/;
const LIST = /^\[ {2}FAILED {2}\] (\d+) tests?, listed below:$/;
const SKIPPED_LIST = /^\[ {2}SKIPPED \] (\d+) tests?, listed below:$/;
const COUNT = /^ *\d+ FAILED TESTS?(?: SUITES?)?$/;
const SUITE_FAILED = /^\[ {2}FAILED {2}\] (\S+): SetUpTestSuite or TearDownTestSuite$/;
const BLOCK_END = /\[(?: {2}FAILED {2}| {7}OK | {2}SKIPPED | RUN {6}|-{10}|={10}| {2}PASSED {2})\] /;
const HEADED = /^\[-{10}\] (?:\d+ tests? from (\S+?),?(?: where .*)?$|Global test environment)/;
const REMARK = /^ *\d+ FAILED TESTS?(?: SUITES?)?$|^\[ {2}FAILED {2}\] |^\[[-=]+\] |^Note: |^\[ DISABLED \] /;
/** How far back the running test is looked for. */
const REACH = 300;
/** Failures outside of a test, as the list at the end names them for a suite. */
const OUTSIDE = 'Global test environment';
const ofSuite = (suite: string): string => `${suite}: SetUpTestSuite or TearDownTestSuite`;

interface Found {
  line: Line;
  fields: Fields;
  lines: Line[];
}

export const gtest: Format = {
  name: 'gtest',
  url: 'https://google.github.io/googletest/',
  hints: [': Failure', 'FAILED', '[  PASSED', '[  SKIPPED', '[====', '[----'],
  outcomeHints: ['[       '],
  reader(out) {
    const open = new Map<string, Draft>();
    let pending: Found[] = [];
    /** Files named before: what a test printed without a newline stands glued to the next. */
    const files = new Set<string>();
    let running = false;
    let brief = false;
    let listed = 0;
    let expected: { failed: number; line: Line } | undefined;
    let skipped: number | undefined;
    let passed: number | undefined;
    /** Failures of suites and environments, which the tool does not count as tests. */
    let others = 0;

    /** The test whose RUN line is nearest above, unless it has ended; else the suite or environment being set up. */
    const current = (): string | undefined => {
      const ended = new Set<string>();
      for (let n = 1; n <= REACH; n++) {
        const text = out.back(n)?.text;
        if (text === undefined) return undefined;
        const run = RUN.exec(text)?.[1];
        if (run !== undefined) return ended.has(run) ? undefined : run;
        const status = STATUS.exec(text)?.[2];
        if (status !== undefined) ended.add(status);
        const heading = HEADED.exec(text);
        if (heading !== null) return heading[1] === undefined ? OUTSIDE : ofSuite(heading[1]);
        if (HEADING.test(text)) return undefined;
      }
      return undefined;
    };

    const opened = (test: string, { line, fields }: Found): Draft => {
      const known = open.get(test);
      if (known !== undefined) return known;
      if (!test.includes('.')) others++;
      const draft = out.part('detail', test, line, { ...fields, ...suiteOf(test) });
      open.set(test, draft);
      return draft;
    };

    const failure = (line: Line): Block | undefined => {
      const said = FAILURE.exec(line.text);
      if (said === null) return undefined;
      const [, printed, l1, l2, unknown] = PLACE.exec(line.text.slice(Math.max(0, said.index - 300), said.index)) ?? [];
      const what = said[0].replace(/^\)?: /, '');
      if ((printed ?? unknown) === undefined || (l2 !== undefined && !running)) return undefined;
      running = true;
      const file = [...files].find(known => printed?.endsWith(known)) ?? printed;
      if (file !== undefined && files.size < 1000) files.add(file);
      const place = unknown === undefined ? { file, line: Number(l1 ?? l2) } : {};
      const message = what.replace(/^error: ?/, '').replace(/^Failure$/, '');
      const test = current();
      const found: Found = { line, fields: { ...place, ...(message && { message }) }, lines: [line] };
      const later = test !== undefined && open.has(test);
      // Without RUN lines (--gtest_brief) the test is named after its failures.
      const draft = test === undefined ? undefined : opened(test, found);
      if (draft === undefined) pending.push(found);
      draft?.add(line);
      return {
        line(next) {
          const { text } = next;
          if (BLOCK_END.test(text) || FAILURE.test(text) || isCrash(text)) return undefined;
          if (found.lines.length < 200) found.lines.push(next);
          draft?.add(next);
          const fields = draft?.fields ?? found.fields;
          if (text !== '' && !later) fields.message = append(fields.message, text);
          return 'more';
        },
      };
    };

    /** What was read of a test before its name. */
    const named = (test: string): void => {
      for (const found of pending) {
        const draft = opened(test, found);
        for (const line of found.lines) draft.add(line);
      }
      pending = [];
    };

    const close = (): void => {
      named(OUTSIDE);
      out.close();
      open.clear();
      [running, brief, listed, others, expected, skipped, passed] = [
        false,
        false,
        0,
        0,
        undefined,
        undefined,
        undefined,
      ];
    };

    const end = (line: Line): void => {
      named(OUTSIDE);
      const failed = (expected?.failed ?? 0) + others;
      const counts = { failed, ...(passed !== undefined && { passed }), ...(skipped !== undefined && { skipped }) };
      out.tally(counts, expected?.line ?? line);
      close();
    };

    const status = (line: Line): 'mine' | undefined => {
      const [, mark, name = ''] = STATUS.exec(line.text) ?? [];
      if (mark === undefined) return undefined;
      if (expected !== undefined && listed < expected.failed && line.text.startsWith('[')) {
        // the list at the end
        if (mark.includes('FAILED')) {
          listed++;
          out.part('summary', name, line, suiteOf(name));
          if (listed === expected.failed) end(line);
        }
        return 'mine';
      }
      if (skipped !== undefined && mark.includes('SKIPPED')) return 'mine';
      if (mark.includes('FAILED')) {
        const at = current();
        // A test that prints what a runner prints is no runner.
        if (at?.includes('.') && at !== name) return 'mine';
        if (at === undefined) {
          brief = true;
          named(name);
        }
        running = true;
        out.part('status', name, line, suiteOf(name));
      } else out.outcome(mark.includes('OK') ? 'passed' : 'skipped', name, line, suiteOf(name));
      open.delete(name);
      return 'mine';
    };

    return {
      line(line) {
        const { text } = line;
        // ctest -V numbers what its tests print
        if (/^\d+: /.test(text)) return undefined;
        if (HEADING.test(text)) {
          if (running) close();
          running = true;
          out.begin();
          return 'mine';
        }
        const found = failure(line);
        if (found !== undefined) return found;
        if (RAN.test(text)) return 'mine';
        const ok = PASSED.exec(text)?.[1];
        if (ok !== undefined) {
          passed = Number(ok);
          // Of a green run this is the last line, of a brief one, too; else a list follows.
          if (brief) out.tally({ passed, result: 'failed' }, line);
          if (brief) close();
          else if (out.failing() === others) end(line);
          return 'mine';
        }
        const list = LIST.exec(text)?.[1];
        if (list !== undefined) {
          expected = { failed: Number(list), line };
          return 'mine';
        }
        const skips = SKIPPED_LIST.exec(text)?.[1];
        if (skips !== undefined) skipped = Number(skips);
        if (skips !== undefined || SUITE_FAILED.test(text) || COUNT.test(text)) return 'mine';
        return status(line);
      },
      excuse: ({ text }) =>
        REMARK.test(text) ||
        STATUS.test(text) ||
        RUN.test(text) ||
        ((running || brief) && /: Skipped$/.test(out.back(1)?.text ?? '')),
    };
  },
};

const suiteOf = (test: string): { suite?: string } =>
  test.includes('.') ? { suite: test.slice(0, test.lastIndexOf('.')) } : {};

const append = (message: string | undefined, text: string): string =>
  message && message.split('\n').length >= 8 ? message : message ? `${message}\n${text}` : text;
