/** What is known of a run while it is read: what was said of it, and what speaks against its being whole. */
import type { Failure, Outcome, Reason, Suite, Unread, Warning } from '../record/types.js';
import { IdTable } from './id-table.js';
import { weightiest } from './totals.js';

export type LogRecord = Failure | Warning | Outcome | Suite | Unread;

export class Ledger {
  readonly #say: (record: LogRecord) => void;
  readonly #written = new IdTable();
  readonly #reasons = new Set<Reason>();
  /** How many failures were said. */
  failures = 0;
  /** Something said that a run ended. */
  ended = false;

  constructor(say: (record: LogRecord) => void) {
    this.#say = say;
  }

  /** Says a record; of a test that failed several times only once that it did. */
  record(record: LogRecord): void {
    if (record.type === 'failure') {
      // A weak id may name two tests.
      if (record.kind === 'test' && !record.weakId && !this.#written.add(record.id)) return;
      this.failures++;
    } else if (record.type === 'suite') {
      this.ended = true;
      if (!record.agrees) this.#reasons.add('tally');
    }
    this.#say(record);
  }

  early(reason: Reason): void {
    this.#reasons.add(reason);
  }

  /** Nothing more comes. */
  end(): { complete: boolean; reason?: Reason } {
    if (!this.ended) this.#reasons.add('noRun');
    const reason = weightiest(this.#reasons);
    return { complete: reason === undefined, ...(reason && { reason }) };
  }
}
