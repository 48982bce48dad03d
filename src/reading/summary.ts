/** Counts records as they pass, for the last line of output. */
import type { AidoRecord, Summary } from '../record/types.js';
import type { Totals } from './totals.js';

export class Counts {
  failures = 0;
  warnings = 0;
  outcomes = 0;
  suites = 0;
  disagree = 0;
  unread = 0;

  add(record: AidoRecord): void {
    if (record.type === 'failure') this.failures++;
    else if (record.type === 'warning') this.warnings++;
    else if (record.type === 'outcome') this.outcomes++;
    else if (record.type === 'unread') this.unread++;
    else if (record.type === 'suite') {
      this.suites++;
      if (!record.agrees) this.disagree++;
    }
  }

  /** @param over failures counted but not written */
  summary(by: string, totals: Totals, over = 0): Summary {
    const { complete, reason, over: before = 0, longLines, ...sizes } = totals;
    return {
      type: 'summary',
      by,
      failures: this.failures + before,
      ...(this.warnings > 0 && { warnings: this.warnings }),
      ...(this.outcomes > 0 && { outcomes: this.outcomes }),
      suites: this.suites,
      ...(this.disagree > 0 && { disagree: this.disagree }),
      unread: this.unread,
      ...(over + before > 0 && { over: over + before }),
      complete,
      ...(reason && { reason }),
      ...sizes,
      ...(longLines > 0 && { longLines }),
    };
  }
}
