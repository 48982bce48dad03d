/** What is known of an input as a whole, and of several inputs together. */
import type { Reason } from '../record/types.js';

export interface Totals {
  /** A run took place and is known to have ended. */
  complete: boolean;
  reason?: Reason;
  /** Failures that a tool before us counted and did not write. */
  over?: number;
  lines: number;
  bytes: number;
  /** Pieces of 4 KiB, and how many of them hold nothing that looks like a failure and is unexplained. */
  chunks: number;
  exactChunks: number;
  /** Lines of which only the first 64 KiB were read. */
  longLines: number;
}

/** Of what is known not to be whole: records without their summary, a report that is damaged. */
export const CUT: Totals = {
  complete: false,
  reason: 'truncated',
  lines: 0,
  bytes: 0,
  chunks: 0,
  exactChunks: 0,
  longLines: 0,
};

/** The reasons for which a run may not have ended whole, the weightiest first. */
export const REASONS: readonly Reason[] = [
  'interrupted',
  'crash',
  'bailOut',
  'failFast',
  'tally',
  'truncated',
  'noRun',
  'notAudited',
];

export const weightiest = (reasons: Iterable<Reason | undefined>): Reason | undefined => {
  const all = new Set(reasons);
  return REASONS.find(reason => all.has(reason));
};

/** Several inputs are complete when each is. */
export function joinTotals(all: readonly Totals[]): Totals {
  const sum = (key: 'over' | 'lines' | 'bytes' | 'chunks' | 'exactChunks' | 'longLines') =>
    all.reduce((total, one) => total + (one[key] ?? 0), 0);
  const over = sum('over');
  const reason = weightiest(all.map(one => one.reason));
  return {
    complete: reason === undefined,
    ...(reason && { reason }),
    ...(over > 0 && { over }),
    lines: sum('lines'),
    bytes: sum('bytes'),
    chunks: sum('chunks'),
    exactChunks: sum('exactChunks'),
    longLines: sum('longLines'),
  };
}

/**
 * What the producer exited with is evidence too: 0 that the run ended well, anything else that something failed, whether
 * it was read or not. Where it was read, the status is the end that compilers do not print.
 */
export function withStatus(totals: Totals, status: number | undefined, failures: number): Totals {
  const { complete: _, reason, ...sizes } = totals;
  if (status === undefined) return totals;
  if (status === 0) return reason === 'noRun' || reason === 'truncated' ? { complete: true, ...sizes } : totals;
  if (reason !== undefined && reason !== 'noRun') return totals;
  if (failures === 0) return { complete: false, reason: 'tally', ...sizes };
  return isDeath(status) ? totals : { complete: true, ...sizes };
}

/** Whether a process that exits with it was killed: a signal's number and 128, or an exception's on Windows. */
function isDeath(status: number): boolean {
  return status < 0 || (status > 128 && status < 193);
}
