/** Ant's junit task, in its plain and brief form and as a mere summary; why a build failed. */
import type { Block, Format, Line, Out, Tally } from '../format.js';
import { isStack, methodOf, Trace } from './shared/java-stack.js';

/** Where nobody took it off. */
const PREFIX = /^\s*\[(?:junit|testng|junitlauncher)\] ?/;
const SUITE = /^Testsuite: (\S+)$/;
const RUNNING = /^Running (\S+)$/;
const COUNT = /^Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?, Time elapsed: [\d.,]+ sec$/;
/** `Testcase: adds(org.shop.MoneyTest):\tFAILED`. */
const BRIEF = /^Testcase: (.*?)(?:\(([\w$.]+)\))?:\s*(FAILED|Caused an ERROR)$/;
/** `Testcase: adds took 0.01 sec`, the result below. */
const PLAIN = /^Testcase: (.*) took [\d.,]+ sec$/;
const BAD = /^\t(?:FAILED|Caused an ERROR)$/;
const BRIEF_SKIPPED = /^Testcase: (.*)\(([\w$.]+)\):\s*SKIPPED(?:: .*)?$/;
const SKIPPED = /^\t?SKIPPED(?:: .*)?$/;
const RED = /^(?:TEST|Test) (\S+) FAILED(?: \((crashed|timeout)\))?$/;
const AGAIN = /^[\w$]+(?:\.[\w$]+)+(?:: |$)/;
const FAILED = /^BUILD FAILED$/;
const PLACE = /^(\S.*):(\d+): (.*)$/;
const CONSEQUENCE =
  /^(?:Compile failed|[Tt]ests? failed|.*returned: \d|Test \S+ failed|The following error occurred|.*[Ff]ailed; see|.*tests? .*failed|There were test failures)/;

interface Suite {
  name: string;
  failed: number | undefined;
  result?: 'failed';
  skipped: number;
  passed: number;
  line: Line;
}

export const ant: Format = {
  name: 'ant',
  url: 'https://ant.apache.org/manual/Tasks/junit.html',
  hints: [
    'Buildfile: ',
    'Tests run: ',
    'Testsuite: ',
    'Testcase: ',
    '\tFAILED',
    '\tCaused an',
    ' FAILED',
    'BUILD FAILED',
    'BUILD SUCCESSFUL',
  ],
  outcomeHints: ['\tSKIPPED'],
  reader(out) {
    let ant = false;
    let suite = '';
    /** The count of a suite comes next. */
    let begun = false;
    let counted: Suite | undefined;
    let skipped: string | undefined;
    let held: { name: string; line: Line } | undefined;

    /** The suite is over: its count against what was read. A mere summary names no test: the suite is what failed. */
    const settle = (): void => {
      passed();
      if (counted === undefined) return;
      const { name, line, ...count } = counted;
      counted = undefined;
      out.tally({ suite: name, ...count, counted: out.failing() } as Tally, line);
      out.close();
    };

    const begin = (key: string, name: string, cls: string, line: Line, heading?: Line): Block => {
      const draft = out.part('status', key, line, { name, suite: cls });
      const trace = new Trace(draft, cls, methodOf(name));
      draft.add(line);
      if (heading !== undefined) draft.add(heading);
      let blanks = 0;
      let said = '';
      return {
        line(next) {
          const text = next.text.replace(PREFIX, '');
          if (/^(?:Testcase|Testsuite): |^(?:TEST|Test) \S+ FAILED|^-{10,} |^Tests run: .*elapsed/.test(text))
            return undefined;
          if (trace.frames > 0 && !isStack(text)) return text === '' && ++blanks < 3 ? 'more' : undefined;
          // the message alone, then once more behind its class
          if (said !== '' && trace.frames === 0 && AGAIN.test(text) && text.endsWith(said === 'null' ? '' : said))
            trace.restart();
          if (said === '' && text !== '') {
            said = text;
            draft.add(next);
            return 'more';
          }
          return trace.add(next) ? 'more' : 'last';
        },
      };
    };

    /** The plain form says in the line below the test how it ended, and nothing where it passed. */
    const told = (text: string, line: Line): 'mine' | Block | undefined => {
      const name = PLAIN.exec(text)?.[1];
      if (name !== undefined) {
        // an assumption that failed: named once more
        if (!out.outcomes || name === skipped) return undefined;
        passed();
        held = { name, line };
        return 'mine';
      }
      const bad = BAD.test(text);
      if (!bad && !SKIPPED.test(text)) return undefined;
      const above = out.back(1);
      const test = PLAIN.exec(above?.text.replace(PREFIX, '') ?? '')?.[1];
      if (test === undefined) return undefined;
      held = undefined;
      if (bad) return begin(keyOf(test, suite), test, suite, above as Line, line);
      skipped = test;
      out.outcome('skipped', keyOf(test, suite), above as Line, { name: test, suite });
      return 'mine';
    };

    const passed = (): void => {
      if (held !== undefined) out.outcome('passed', keyOf(held.name, suite), held.line, { name: held.name, suite });
      held = undefined;
    };

    const runningAbove = (): string => {
      for (let n = 1; n <= 200; n++) {
        const above = out.back(n)?.text;
        if (above === undefined) break;
        const name = RUNNING.exec(above.replace(PREFIX, ''))?.[1];
        if (name !== undefined) return name;
      }
      return '';
    };

    const keyOf = (name: string, cls: string): string => (name === cls || name === '' ? cls : `${cls}.${name}`);

    return {
      line(line) {
        if (/^Buildfile: /.test(line.text)) {
          ant = true;
          return 'mine';
        }
        if (FAILED.test(line.text)) {
          settle();
          return reason(out, line);
        }
        if (line.text === 'BUILD SUCCESSFUL') {
          settle();
          out.tally({ result: 'passed', counted: 0 }, line);
          out.close();
          return 'mine';
        }
        const text = line.text.replace(PREFIX, '');
        const name = SUITE.exec(text)?.[1];
        if (name !== undefined) {
          if (name !== suite || counted !== undefined) settle();
          suite = name;
          begun = true;
          out.begin();
          return 'mine';
        }
        const count = COUNT.exec(text);
        if (count !== null) {
          const [all = 0, failures = 0, errors = 0, skipped = 0] = count.slice(1).map(n => Number(n ?? 0));
          const failed = failures + errors;
          // a mere summary; surefire would say FAILURE in that line
          if (!begun && !ant && failed === 0) return undefined;
          if (!begun) suite = runningAbove();
          begun = false;
          settle();
          counted = { name: suite, failed, skipped, passed: Math.max(0, all - failed - skipped), line };
          return 'mine';
        }
        const [, of, how] = RED.exec(text) ?? [];
        if (of !== undefined) {
          if (how !== undefined) out.early('crash');
          if (out.failing() === 0) {
            out.part('status', of, line, { name: of, suite: of, message: how ?? 'FAILED' }).add(line);
            // no test is named: how many failed is not held against anything
            if (counted !== undefined) counted = { ...counted, failed: undefined, result: 'failed' };
          }
          settle();
          return 'mine';
        }
        const [, ignored, within] = BRIEF_SKIPPED.exec(text) ?? [];
        if (ignored !== undefined) {
          out.outcome('skipped', keyOf(ignored, within as string), line, { name: ignored, suite: within });
          return 'mine';
        }
        const [, test = '', cls = suite] = BRIEF.exec(text) ?? [];
        if (test !== '') {
          const [full, method] = test.includes(':') && cls === suite ? test.split(/:(.*)/s) : [cls, test];
          return begin(keyOf(method as string, full as string), method as string, full as string, line);
        }
        return told(text, line);
      },
      excuse: ({ text }) => /^Tests FAILED$|^\tSKIPPED: |^Testcase: /.test(text.replace(PREFIX, '')),
      end: settle,
    };
  },
};

/** The lines below say where and why. */
function reason(out: Out, first: Line): Block {
  const lines: Line[] = [];
  return {
    line(line) {
      if (line.text === '' || /^Total time:|^\* |^FAILURE: /.test(line.text) || lines.length > 20) return undefined;
      lines.push(line);
      return 'more';
    },
    end() {
      // gradle ends with the same words
      const [at] = lines;
      if (at === undefined) return;
      const [, file, no, why = at.text] = PLACE.exec(at.text) ?? [];
      const message = [why, ...lines.slice(1).map(line => line.text)].join('\n');
      const fields = { kind: 'build' as const, severity: 'error', message, ...(file && { file, line: Number(no) }) };
      if (CONSEQUENCE.test(why)) out.consequence(fields, at);
      else {
        const draft = out.failure(fields, first, at);
        for (const line of lines) draft.add(line);
      }
    },
  };
}
