/** What became of a test, attempt by attempt. */
import { type Case, finals, type Held, type Problem } from './case.js';
import type { Producer } from './producer.js';

export interface Attempt {
  result: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  problems: Problem[];
  test: Case;
}

export interface Told {
  attempts: Attempt[];
  /** It failed, and passed in the end: nothing of it makes the run red. */
  recovered: boolean;
  /** Which attempt the failure is told of. */
  main: number;
  /** These are attempts of one run, not the one there was. */
  numbered: boolean;
}

const attempt = (test: Case, result: Attempt['result'], problems: Problem[] = []): Attempt => ({
  result,
  problems,
  test,
});

const startsWith = (word: string, problem: Problem): boolean => problem.verdict.startsWith(word);

/** What one `<testcase>` tells: several attempts where those that failed are written into it. */
export function attemptsOf(test: Case, producer: Producer): Attempt[] {
  const judged = producer.judge?.(test);
  if (judged === 'skipped') return [attempt(test, 'skipped')];
  const failed = finals(test);
  if (failed.length > 0 || judged === 'failed') {
    const reruns = test.problems.filter(problem => startsWith('rerun', problem));
    return [attempt(test, 'failed', failed), ...reruns.map(problem => attempt(test, 'failed', [problem]))];
  }
  if (test.skipped !== undefined) return [attempt(test, 'skipped')];
  const flakes = test.problems.filter(problem => startsWith('flaky', problem));
  return [...flakes.map(problem => attempt(test, 'failed', [problem])), attempt(test, 'passed')];
}

/** What became of it in the end, as far as this `<testcase>` tells. */
export function endOf(test: Case, { judge }: Producer): Attempt['result'] {
  const judged = judge?.(test);
  if (judged !== undefined) return judged;
  if (finals(test).length > 0) return 'failed';
  return test.skipped === undefined ? 'passed' : 'skipped';
}

/** Of one test that stands in its suite once. */
export function single(test: Case, producer: Producer): Told {
  const attempts = attemptsOf(test, producer);
  // What was run again after it had failed stands behind it, or before it where it passed at last.
  const recovered = attempts.at(-1)?.result !== 'failed';
  return { attempts, recovered, main: 0, numbered: attempts.length > 1 };
}

/**
 * Of one that stands there several times.
 * @param counted every test was run several times (`go test -count`): a failure is one, whatever follows
 */
export function repeated(group: readonly Held[], producer: Producer, counted: boolean): Told {
  const attempts = group.flatMap(({ test }) => attemptsOf(test, producer));
  if (producer.repeated === 'reruns') return reruns(attempts, counted);
  const last = attempts.at(-1)?.result;
  const passedBefore = attempts.slice(0, -1).some(({ result }) => result !== 'failed');
  const red = attempts.some(({ result }) => result === 'failed');
  const recovered = !red || (!counted && last === 'passed' && !passedBefore);
  return { attempts, recovered, main: attempts.findIndex(({ result }) => result === 'failed'), numbered: true };
}

/** pytest: what was repeated says nothing; what failed in the test and in its tear-down stands there twice. */
function reruns(all: Attempt[], counted: boolean): Told {
  const attempts: Attempt[] = [];
  for (const one of all) {
    const before = attempts.at(-1);
    if (before?.result === 'failed' && one.result === 'failed') before.problems.push(...one.problems);
    else attempts.push(one);
  }
  const end = attempts.length - 1;
  if (!counted) for (const one of attempts.slice(0, -1)) if (one.result === 'passed') one.result = 'failed';
  const red = attempts.some(({ result }) => result === 'failed');
  return { attempts, recovered: !red || attempts[end]?.result !== 'failed', main: end, numbered: attempts.length > 1 };
}
