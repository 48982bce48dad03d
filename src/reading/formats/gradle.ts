/**
 * Gradle: failing tests (`a.b.C > m FAILED`, exception below, short or full), tasks that failed, and what went wrong. A
 * task that failed since tests or a compiler did is a consequence.
 */
import type { Block, Fields, Format, Line, Out } from '../format.js';
import { methodOf, Trace } from './shared/java-stack.js';

const RESULT = /^(\S.*) (FAILED|PASSED|SKIPPED)(?: \([\d.]+ ?m?s\))?$/;
const FINE = /^\S.* > \S.* (?:PASSED|SKIPPED|STANDARD_OUT|STANDARD_ERROR)$/;
const TASK = /^(?:> Task )?(:[\w.:-]+) FAILED$/;
const GLUED = /^ FAILED$/;
/** What runs the tests stands before the class. */
const RUNNER = /^Gradle (?:suite|test|Test Run :\S+|Test Executor \d+)$/;
const CLASS = /^(?:[\w$]+\.)*[A-Za-z_$][\w$]*(?:\[[\w ,.-]+\])?$/;
const QUALIFIED = /^((?:[a-z_][\w$]*\.)+[A-Z][\w$]*)(?:\.(.+))?$/;
const INNER = /^[A-Z][\w$]*$/;
const COUNT = /^(\d+) tests? completed, (\d+) failed(?:, (\d+) skipped)?$/;
const WRONG = /^\* What went wrong:$/;
const WHERE = /^\S.* '(.+)' line: (\d+)$/;
const EXECUTION = /^Execution failed for task '(:[\w.:-]+)'/;
const CRASHED = /^> Process 'Gradle Test Executor \d+' finished with non-zero exit value (\d+)/;
const CONSEQUENCE =
  /^> (?:There were failing tests|Compilation (?:failed|error)|Process '.*' finished with|Execution of .* failed|Internal compiler error|A failure occurred while executing \S*(?:Kotlin|Checkstyle|Lint)|Checkstyle rule violations|PMD |\d+ \w+ rule violations|Lint found|There were failures|Command .* failed|Test(?:ing)? (?:failed|.*failures)|Kotlin)/;
const FOOT =
  /^(?:\* (?:Try|Get more help|Exception is|Where)|Run with --|> (?:Run|Get) |Build failed with an exception\.|Deprecated Gradle features|FAILURE: Build (?:failed|completed) with|\d+: Task failed with an exception\.|-{10,}$|={10,}$)/;

/** What fails when the class itself cannot be set up. */
const CLASS_LEVEL = 'classMethod';

interface Named {
  suite: string;
  name: string;
}

/** `CartTest > WhenFull > total()` is `total()` of `CartTest$WhenFull`. */
function named(text: string): Named | undefined {
  const parts = text.split(' > ').filter(part => !RUNNER.test(part));
  const [first = '', ...rest] = parts;
  const [, cls, method] = QUALIFIED.exec(first) ?? [];
  if (parts.length < 2) return cls === undefined || method === undefined ? undefined : { suite: cls, name: method };
  if (!CLASS.test(first)) return undefined;
  let suite = first;
  while (rest.length > 1 && INNER.test(rest[0] as string)) suite += `$${rest.shift()}`;
  return { suite, name: rest.join(' > ') };
}

/** As surefire has it, as far as gradle prints it: `a.b.C.m`, `a.b.C.names(String)[2] tea`. */
const idOf = ({ suite, name }: Named): string =>
  name === CLASS_LEVEL ? suite : `${suite}.${name.replace(/\(\)$/, '').replaceAll(' > ', '')}`;

function test(out: Out, of: Named, line: Line): Block {
  const draft = out.part('status', idOf(of), line, { suite: of.suite, name: of.name });
  const trace = new Trace(draft, of.suite, methodOf(of.name));
  draft.add(line);
  let lines = 0;
  return {
    line(next) {
      const { text } = next;
      if (text === '') return 'more';
      if (!text.startsWith('    ') || ++lines > 1000) return undefined;
      return trace.add(next, text.slice(4)) ? 'more' : 'last';
    },
  };
}

export const gradle: Format = {
  name: 'gradle',
  url: 'https://docs.gradle.org/current/userguide/java_testing.html',
  hints: [
    'FAILED',
    'tests completed,',
    'test completed,',
    'What went wrong:',
    'BUILD SUCCESSFUL in',
    '* Exception is:',
  ],
  outcomeHints: ['PASSED', 'SKIPPED'],
  reader(out) {
    /** Tasks that failed, as long as gradle has not said why. */
    const tasks: Line[] = [];
    /** ant says `BUILD FAILED`, too. */
    let gradle = false;
    /** Several tests may have one name. */
    let failing = 0;
    const close = (): void => {
      out.close();
      failing = 0;
    };

    const wrong = (first: Line): Block => {
      const lines: Line[] = [];
      let place: Fields = {};
      for (let n = 1; n <= 3; n++) {
        const [, file, no] = WHERE.exec(out.back(n)?.text ?? '') ?? [];
        if (file !== undefined) place = { file, line: Number(no) };
      }
      return {
        line(line) {
          const { text } = line;
          if (text.startsWith('* ') || /^(?:BUILD FAILED|FAILURE: |={10,}|-{10,})/.test(text) || lines.length > 60)
            return undefined;
          lines.push(line);
          return 'more';
        },
        end: () => why(lines, first, place),
      };
    };

    const why = (lines: Line[], first: Line, place: Fields): void => {
      tasks.length = 0;
      const texts = lines.map(line => line.text).filter(text => text.trim() !== '');
      const task = EXECUTION.exec(texts[0] ?? '')?.[1];
      const message = (task === undefined ? texts : texts.slice(1)).join('\n').replace(/^> /, '');
      const at = lines[0] ?? first;
      const crashed = texts.some(text => CRASHED.test(text));
      const fields = {
        severity: 'error',
        message: message || (texts[0] ?? ''),
        ...place,
        ...(task && { suite: task }),
      };
      if (crashed) out.early('crash');
      if (!crashed && texts.some(text => CONSEQUENCE.test(text))) {
        out.consequence({ kind: 'build', ...fields, message: `${task ?? ''} ${fields.message}`.trim() }, at);
        return;
      }
      const draft = out.failure({ kind: crashed ? 'crash' : 'build', ...fields }, at);
      for (const line of lines) draft.add(line);
    };

    return {
      line(line) {
        const { text } = line;
        if (TASK.test(text)) {
          gradle = true;
          if (tasks.length < 20) tasks.push(line);
          return 'mine';
        }
        if (GLUED.test(text)) return 'mine';
        if (text === '* Exception is:')
          return { line: next => (/^(?:\* |BUILD |={10})/.test(next.text) ? undefined : 'more') };
        if (WRONG.test(text)) {
          gradle = true;
          return wrong(line);
        }
        const [, all, failed, skipped = '0'] = COUNT.exec(text) ?? [];
        if (all !== undefined) {
          const n = { failed: Number(failed), skipped: Number(skipped), counted: failing };
          out.tally({ passed: Number(all) - n.failed - n.skipped, ...n }, line);
          close();
          return 'mine';
        }
        if (/^BUILD SUCCESSFUL in /.test(text)) {
          out.tally({ result: out.failing() > 0 ? 'failed' : 'passed' }, line);
          close();
          return 'mine';
        }
        if (gradle ? /^BUILD FAILED(?: in .*)?$/.test(text) : /^BUILD FAILED in /.test(text)) {
          close();
          return 'mine';
        }
        const [, head = '', result] = RESULT.exec(text) ?? [];
        const of = head === '' ? undefined : named(head);
        if (of === undefined) return undefined;
        if (result === 'FAILED') {
          failing++;
          return test(out, of, line);
        }
        out.outcome(result === 'PASSED' ? 'passed' : 'skipped', idOf(of), line, { suite: of.suite, name: of.name });
        return 'mine';
      },
      excuse: ({ text }) =>
        FOOT.test(text) ||
        /^(?:> Task )?:[\w.:-]+(?: [A-Z-]+)?$/.test(text) ||
        /^Execution failed for task/.test(text) ||
        FINE.test(text),
      end() {
        for (const line of tasks) out.consequence({ kind: 'build', severity: 'error', message: line.text }, line);
      },
    };
  },
};
