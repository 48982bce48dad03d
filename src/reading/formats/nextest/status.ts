/**
 * nextest's line of one test: `        PASS [   0.004s] (1/9) crate::it case`, its word flush right in twelve columns. Older
 * versions print no counter; of a stress run the iteration stands before it.
 */
import type { Result } from '../../../record/types.js';

export interface Status {
  /** undefined: the test began, is slow, is being terminated. */
  result: Result | undefined;
  word: string;
  id: string;
  suite: string;
  name: string;
  /** Which attempt it was, where there may be several. */
  attempt?: number;
  /** Of a stress run. */
  iteration?: number;
  /** How many tests the run has. */
  total?: number;
}

/** As far as a test can die of them. */
export const SIGNALS = [
  ...['HUP', 'INT', 'QUIT', 'ILL', 'TRAP', 'ABRT', 'IOT', 'BUS', 'FPE', 'KILL', 'USR1', 'SEGV', 'USR2', 'PIPE', 'ALRM'],
  ...['TERM', 'STKFLT', 'XCPU', 'XFSZ', 'VTALRM', 'PROF', 'SYS'],
];

const WIDTH = 12;
const PASSED = /^(?:PASS|LEAK|TIMEOUT-PASS|SLOW|SLOW \+ LEAK|SLOW\+TMPASS)$/;
const FAILED = new RegExp(
  `^(?:FAIL|FAIL \\+ LEAK|XFAIL|LEAK-FAIL|TIMEOUT|ABORT|(?:ABORT )?SIG \\d+|SIG(?:${SIGNALS.join('|')}))$`,
);
const TRY = /^TRY (\d{1,5}) ([A-Z][A-Z\d+ ]*)$/;
const TRY_GOES_ON = /^(?:SLOW|START|TRMNTG)$/;
/** Older versions: an attempt that failed, and another follows. */
const RETRY = /^(\d{1,5})\/\d{1,5} RETRY$/;
const FLAKY = /^(FLAKY|FLKY-FL) (\d{1,5})\/\d{1,5}$/;
const GOES_ON = /^(?:START|TERMINATING|RETRY \d{1,5}\/\d{1,5})$/;
const TIME = /^\[(?: *\d[\d.]*s|(> *\d[\d.]*s)|( +))\] +/;
const ITERATION = /^\[(\d{1,9})(?:\/\d{1,9})?\] +/;
const COUNTER = /^\((?: *\d{1,9}\/(\d{1,9})|[─-]+)\) +/;

export function statusOf(text: string): Status | undefined {
  const open = text.indexOf('[');
  if (open <= WIDTH || open > 2 * WIDTH) return undefined;
  const word = text.slice(0, open - 1).trimStart();
  if (text[open - 1] !== ' ' || word.padStart(WIDTH) !== text.slice(0, open - 1)) return undefined;
  const time = TIME.exec(text.slice(open));
  const said = meaning(word);
  if (time === null || said === undefined) return undefined;
  let rest = text.slice(open + time[0].length);
  const iteration = ITERATION.exec(rest);
  rest = rest.slice(iteration?.[0].length ?? 0);
  const counter = COUNTER.exec(rest);
  rest = rest.slice(counter?.[0].length ?? 0);
  const blank = rest.indexOf(' ');
  if (blank < 1) return undefined;
  const [suite, name] = [rest.slice(0, blank), rest.slice(blank).trim()];
  if (name === '') return undefined;
  // `SLOW [> 60.000s]`: it still runs.
  const goesOn = time[1] !== undefined;
  return {
    ...said,
    ...(goesOn && { result: undefined }),
    word,
    id: `${suite} ${name}`,
    suite,
    name,
    ...(iteration !== null && { iteration: Number(iteration[1]) }),
    ...(counter?.[1] !== undefined && { total: Number(counter[1]) }),
  };
}

function meaning(word: string): { result: Result | undefined; attempt?: number } | undefined {
  if (PASSED.test(word)) return { result: 'passed' };
  if (FAILED.test(word)) return { result: 'failed' };
  if (word === 'SKIP') return { result: 'skipped' };
  if (GOES_ON.test(word)) return { result: undefined };
  const [, flaky, last] = FLAKY.exec(word) ?? [];
  if (flaky !== undefined) return { result: flaky === 'FLAKY' ? 'passed' : 'failed', attempt: Number(last) };
  const failed = RETRY.exec(word)?.[1];
  if (failed !== undefined) return { result: 'failed', attempt: Number(failed) };
  const [, attempt, what = ''] = TRY.exec(word) ?? [];
  if (attempt === undefined) return undefined;
  const result = TRY_GOES_ON.test(what) ? undefined : what === 'PASS' ? 'passed' : 'failed';
  return { result, attempt: Number(attempt) };
}
