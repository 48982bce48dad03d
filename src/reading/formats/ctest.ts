/**
 * CTest: a status line per test, with --output-on-failure what it printed behind it, and the list of failed tests at the
 * end, which is the truth after --repeat.
 */
import type { Block, Draft, Format, Line } from '../format.js';

/** ` 9/28 Test  #9: a name ......***Failed    0.01 sec`, `…Subprocess aborted***Exception:   0.01 sec`. */
const STATUS = /^\s*(?:\d+\/\d+ +)?Test +#(\d+): (\S.*?) ?\.{2,} *(?:([^.*]*\*\*\*\w.*)|Passed)(?: +\d+\.\d+ sec)?/;
const START = /^\s*(?:Start +\d+: |\d+\/\d+ +Test +#\d+: )/;
const PROJECT = /^Test project \S/;
const TALLY = /^(\d+)% tests passed, (\d+) tests? failed out of (\d+)$/;
const NOT_RUN = /^The following tests did not run:$/;
const LIST = /^The following tests FAILED:$/;
const LISTED = /^\s+\d+ - (\S.*?) \(([^()]+(?:\([^()]*\))?)\)(?: {2,}.*)?$/;
const NO_TESTS = /^No tests were found!!!$/;
const ENDED = /^Errors while running CTest/;
const REMARK =
  /^(?:Errors while running CTest.*|Output from these tests are in: .*|Use "--rerun-failed.*|Failed test dependencies: .*|\S+ += +\d+\.\d+ sec\*proc.*)$/;
/** Runners whose own output is read by their own readers. */
const RUNNER = /^Running main\(\) from |^\[={10}\] Running |^=== RUN |^TAP version |^={3,} test session starts/;
const VERBOSE = /^\d+: /;
const SKIPPED = /^\*\*\*(?:Skipped|Not Run \(Disabled\))/;
/** How much of what a test printed with -V is looked for. */
const REACH = 200;

export const ctest: Format = {
  name: 'ctest',
  url: 'https://cmake.org/cmake/help/latest/manual/ctest.1.html',
  hints: [
    'Test project',
    '.***',
    '***Exception',
    '***Failed',
    '***Timeout',
    '***Not Run',
    '***Skipped',
    'tests passed, ',
    'tests FAILED',
    'Errors while running CTest',
    'No tests were found',
    'did not run:',
  ],
  outcomeHints: ['Passed'],
  reader(out) {
    let failing = new Set<string>();

    /** With -V the output stands above, each line behind the number of its test. */
    const verbose = (draft: Draft, number: string): void => {
      const lines: Line[] = [];
      for (let n = 1; n <= REACH; n++) {
        const above = out.back(n);
        if (above === undefined || START.test(above.text)) break;
        if (above.text.startsWith(`${number}: `)) lines.unshift(above);
      }
      for (const line of lines) {
        draft.add(line);
        out.claim(line);
      }
    };

    const status = (line: Line): 'mine' | Block | undefined => {
      const [, number = '', name = '', result] = STATUS.exec(line.text.slice(0, 600)) ?? [];
      if (name === '') return undefined;
      if (result === undefined || SKIPPED.test(result)) {
        out.outcome(result === undefined ? 'passed' : 'skipped', name, line);
        return 'mine';
      }
      failing.add(name);
      const message = result
        .replace(/\*\*\*(?:Exception: *|Failed +(?=\w)|)/, ' ')
        .replace(/ +\d+\.\d+ sec$/, '')
        .trim();
      const draft = out.part('status', name, line, { message: message || 'Failed' });
      verbose(draft, number);
      return {
        line(next) {
          const { text } = next;
          if (START.test(text) || TALLY.test(text) || RUNNER.test(text)) return undefined;
          draft.add(next);
          return 'more';
        },
      };
    };

    /** What the list does not name passed in the end. */
    const settle = (listed: Set<string>): void => {
      for (const name of failing) if (!listed.has(name)) out.drop(name);
      failing = new Set();
    };

    const list = (): Block => {
      const listed = new Set<string>();
      return {
        line(next) {
          const [, name, why] = LISTED.exec(next.text) ?? [];
          if (name === undefined) return undefined;
          listed.add(name);
          out.part('summary', name, next, { message: why });
          return 'more';
        },
        end() {
          settle(listed);
          out.close();
        },
      };
    };

    return {
      line(line) {
        const { text } = line;
        if (PROJECT.test(text)) {
          out.close();
          failing = new Set();
          out.begin();
          return 'mine';
        }
        const [, , failed, total] = TALLY.exec(text) ?? [];
        if (failed !== undefined) {
          out.tally({ failed: Number(failed), passed: Number(total) - Number(failed) }, line);
          if (failed !== '0') return 'mine';
          settle(new Set());
          out.close();
          return 'mine';
        }
        if (NO_TESTS.test(text)) out.close();
        if (LIST.test(text)) return list();
        return ENDED.test(text) || NO_TESTS.test(text) ? 'mine' : status(line);
      },
      excuse: ({ text }) => REMARK.test(text) || START.test(text) || NOT_RUN.test(text) || VERBOSE.test(text),
    };
  },
};
