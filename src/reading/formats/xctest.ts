/**
 * XCTest, as xcodebuild (serial and parallel) and `swift test` on Linux print it. It counts issues, not tests. An id is
 * `Class test`, however the runner writes it: `-[Module.Class test]`, `Class.test`, `Class/test()`.
 */
import type { Block, Draft, Format, Line } from '../format.js';
import { swiftCrash } from './shared/swift-crash.js';

const ISSUE = /: error: (-\[\S+ \S[^\]]*\]|[\w.]+\.\w+(?:\(\))?|\w+\(\)) ?: (.*)$/;
const PLACE = /([^\s:][^:]*):(\d+)$/;
const STATUS = /Test [Cc]ase '(-\[\S+ [^\]]+\]|[^']+)' (passed|failed|skipped) (\(|on ')/;
const STARTED = /Test Case '(-\[\S+ [^\]]+\]|[^']+)' started/;
const SKIP = /: (?:-\[\S+ \S+\]|\S+) : (?:Test skipped(?: - |: )|Expected failure: )/;
const EXECUTED =
  /^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? \((\d+) unexpected\) in /;
const SUITE = /Test [Ss]uite '(.+)' (started|passed|failed)(?: at| on|\.)/;
/** Suites of suites. */
const OUTER = /^(?:All tests|Selected tests)$|\.xctest$/;
const RESULT = /^\*\* (TEST|BUILD|TEST BUILD|ARCHIVE|TEST EXECUTE|CLEAN|ANALYZE) (FAILED|SUCCEEDED|INTERRUPTED)/;
const FAILING = /^Failing tests:$/;
const LISTED = /^\s+(-\[\S+ [^\]]+\]|[\w.]+[./]test\w*(?:\(\))?)$/;
const RESTARTING = /^Restarting after unexpected exit, crash, or test timeout(?: in (-\[\S+ [^\]]+\]|[^;]+))?;/;
const CONSEQUENCE =
  /^(?:error: (?:fatalError|Exited with (?:unexpected signal code|exit code) \d+|emit-module command failed .*|[\w-]+ command failed with exit code \d+.*)|Command \w+ failed with a nonzero exit code|Testing failed:)$/;
const REMARK =
  /^(?:The following build commands failed:|\(\d+ failures?\)|\t\w+ normal .*|Testing started.*|Test session results.*)/;
/** How far back the heading of the running test is looked for. */
const REACH = 400;

/** `-[M.C t]`, `M.C.t`, `C/t()` -> `C t`. */
const idOf = (printed: string): string => {
  const [, type = '', test = ''] = /^(?:-\[)?(.*?)[ ./]?([^ ./]+?)(?:\(\))?\]?$/.exec(printed) ?? [];
  return `${type.split('.').at(-1)} ${test}`.trim();
};

export const xctest: Format = {
  name: 'xctest',
  url: 'https://github.com/swiftlang/swift-corelibs-xctest',
  hints: [
    "' failed",
    ': error: ',
    'atal error',
    'Exited with',
    'error: fatalError',
    'emit-module',
    'Executed',
    'Suite',
    'Selected',
    'FAILED',
    'SUCCEEDED',
    'INTERRUPTED',
    'Failing',
    'Restarting',
    'crashed',
    'nonzero',
  ],
  outcomeHints: ['passed', 'skipped'],
  reader(out) {
    /** What has been read of tests that have not ended. */
    const open = new Map<string, Draft>();
    const said = new Set<string>();
    let issues = 0;
    let total = 0;
    let running = false;
    let selected = false;
    /** Some test is known to have failed. */
    let red = false;

    /** The test that runs, where the runner says so. */
    const current = (): string | undefined => {
      for (let n = 1; n <= REACH; n++) {
        const text = out.back(n)?.text;
        if (text === undefined) return undefined;
        const started = STARTED.exec(text)?.[1];
        if (started !== undefined) return started;
      }
      return undefined;
    };
    /** A test that prints what a runner prints is no runner. */
    const phantom = (name: string): boolean => idOf(current() ?? name) !== idOf(name);

    const issue = (line: Line): Block | 'mine' | undefined => {
      const found = ISSUE.exec(line.text);
      if (found === null) return undefined;
      const [, name = '', message = ''] = found;
      const [, before = '', no] = PLACE.exec(line.text.slice(Math.max(0, found.index - 500), found.index)) ?? [];
      if (no === undefined) return undefined;
      if (phantom(name)) return 'mine';
      issues++;
      const key = idOf(name);
      // What the test printed without a newline stands before the path.
      const file = /^[^/]*\s[^/]*\//.test(before) ? before.slice(before.indexOf('/')) : before;
      const place = /^<.*>$/.test(file) ? {} : { file, line: Number(no) };
      const draft =
        open.get(key) ??
        out.part('detail', key, line, { name, suite: suiteOf(key), message: message || 'failed', ...place });
      open.set(key, draft);
      draft.add(line);
      return {
        line(next) {
          if (RUNNER.test(next.text) || ISSUE.test(next.text)) return undefined;
          draft.add(next);
          return 'more';
        },
      };
    };

    const status = (line: Line): 'mine' | undefined => {
      const [, name = '', result, how] = STATUS.exec(line.text) ?? [];
      if (result === undefined) return undefined;
      if (how === '(' && phantom(name)) return 'mine';
      const key = idOf(name);
      if (said.size < 10_000) said.add(key);
      red ||= result === 'failed';
      if (result === 'failed') out.part('status', key, line, { name, suite: suiteOf(key) });
      else out.outcome(result as 'passed' | 'skipped', key, line, { name, suite: suiteOf(key) });
      open.delete(key);
      return 'mine';
    };

    const executed = (line: Line): 'mine' | undefined => {
      const [, , skipped, failures] = EXECUTED.exec(line.text) ?? [];
      if (failures === undefined) return undefined;
      const suite = SUITE.exec(out.back(1)?.text ?? '')?.[1] ?? '';
      const outer = OUTER.test(suite);
      total += issues;
      const counted = outer ? total : issues;
      // Of a class of which only some tests were selected, nothing is known of the others.
      if (outer || !selected || counted !== Number(failures))
        out.tally({ suite, failed: Number(failures), counted, ...(skipped && { skipped: Number(skipped) }) }, line);
      issues = 0;
      // With -test-iterations a test runs again.
      out.close(undefined, 'runs');
      if (suite === 'All tests' || suite === 'Selected tests') [total, running, selected] = [0, false, false];
      else if (running) out.begin();
      return 'mine';
    };

    const result = (text: string, line: Line): 'mine' | undefined => {
      const [, what = '', how] = RESULT.exec(text) ?? [];
      if (how === undefined) return undefined;
      const failed = how !== 'SUCCEEDED';
      if (failed) out.consequence({ kind: 'build', tool: 'xcodebuild', severity: 'error', message: text.trim() }, line);
      if (what.startsWith('TEST') && what !== 'TEST BUILD' && (!failed || red))
        out.tally({ result: failed ? 'failed' : 'passed', counted: red ? 1 : 0 }, line);
      out.close();
      return 'mine';
    };

    const suite = (text: string): 'mine' | undefined => {
      const [, name = '', how] = SUITE.exec(text) ?? [];
      if (how === undefined) return undefined;
      if (how === 'started' && OUTER.test(name)) {
        running = true;
        selected ||= name === 'Selected tests';
        out.begin();
      }
      return 'mine';
    };

    /** The list at the end names tests that crashed, too. */
    const failingTests: Block = {
      line(line) {
        const name = LISTED.exec(line.text)?.[1];
        if (name === undefined) return /^\s+\S.*(?::|\(.*\))$/.test(line.text) ? 'more' : undefined;
        const key = idOf(name);
        red = true;
        if (!said.has(key)) out.part('summary', key, line, { name, suite: suiteOf(key) });
        return 'more';
      },
      end: () => out.close(),
    };

    return {
      line(line) {
        const { text } = line;
        const crash = swiftCrash(out, line, current);
        if (crash !== undefined) return crash;
        if (CONSEQUENCE.test(text)) {
          out.consequence(
            { kind: text.includes('signal') ? 'crash' : 'build', severity: 'error', message: text },
            line,
          );
          return 'mine';
        }
        const restarting = RESTARTING.exec(text)?.[1];
        if (restarting !== undefined) {
          out.early('crash');
          out.consequence({ kind: 'crash', name: restarting, message: text.replace(/;.*/, '') }, line);
          return 'mine';
        }
        if (FAILING.test(text)) return failingTests;
        return issue(line) ?? status(line) ?? executed(line) ?? result(text, line) ?? suite(text);
      },
      excuse: ({ text }) =>
        SKIP.test(text) || SUITE.test(text) || STATUS.test(text) || STARTED.test(text) || REMARK.test(text),
    };
  },
};

const suiteOf = (id: string): string => id.slice(0, id.indexOf(' '));
const RUNNER =
  /Test [Cc]ase '.+' (?:started|passed|failed|skipped)|Test [Ss]uite '|^\s*Executed \d+ tests?, |^Failing tests:|^\*\* |Fatal error: |^[◇✔✘] /;
