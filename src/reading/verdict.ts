/** What a gate says when nothing failed and yet the input does not show that all is well. */
import type { Reason } from '../record/types.js';

const WHY: Record<Reason, string> = {
  noRun: 'no test run in the input (is 2>&1 missing?)',
  tally: 'the runner\'s own count of failures is not what was read; see the records with "agrees":false',
  truncated: 'the input stops before the run ended; keep the whole log',
  failFast: 'the run stopped at its first failures; run it with --no-fail-fast or its like',
  bailOut: 'the run bailed out before its end',
  crash: 'the run died before its end',
  notAudited: 'not everything was audited',
  interrupted: 'interrupted',
};

/**
 * @param status what the producer exited with, where that is known
 * @param failed something failed, all of it known
 */
export function verdict(reason: Reason | undefined, status: number | undefined, failed = false): string {
  if (failed && (reason ?? 'noRun') === 'noRun') {
    return status === undefined ? NO_END : `the producer died before its run ended: it exited with ${status}`;
  }
  if (!failed && status !== undefined && status !== 0 && (reason === 'tally' || reason === 'noRun'))
    return `the producer exited with ${status} and nothing in the input says why (is 2>&1 missing?)`;
  return WHY[reason ?? 'noRun'];
}

const NO_END = 'failures are in the input, but nothing says that the run ended; say what it exited with (--status N)';
