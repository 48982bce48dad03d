/**
 * Facts from either of the two things a tool is given: our own records (from a pipe, from a file of an earlier run), or
 * the raw log, read by the same readers. The first line decides: a log that merely contains a record is a log.
 */
import type { Sink } from '../base/input.js';
import { isRecordLine, RecordReader } from '../record/read.js';
import type { AidoRecord, Summary } from '../record/types.js';
import { LogReader, type ReadOptions } from './engine.js';
import { joinTotals, type Totals, withStatus } from './totals.js';

/** How much of the input is looked at for its first line. */
const HEAD = 65_536;
const LF = 10;

export class Facts implements Sink {
  readonly #options: ReadOptions;
  readonly #say: (record: AidoRecord, line?: string) => void;
  #head = Buffer.alloc(0);
  #room: Buffer | undefined;
  #log: LogReader | undefined;
  #records: RecordReader | undefined;
  #summaries: Totals[] = [];
  #ended = false;
  #failures = 0;

  /**
   * @param say is called with every record but summaries, which are joined into what `end` returns; and with the line
   * that the record stood on, where it was one of our own
   */
  constructor(options: ReadOptions, say: (record: AidoRecord, line?: string) => void) {
    this.#options = options;
    this.#say = (record, line) => {
      if (record.type === 'failure') this.#failures++;
      say(record, line);
    };
  }

  room(): Buffer {
    if (this.#log !== undefined) return this.#log.room();
    this.#room ??= Buffer.alloc(HEAD);
    return this.#room;
  }

  filled(n: number): void {
    if (this.#log !== undefined) this.#log.filled(n);
    else this.write((this.#room as Buffer).subarray(0, n));
  }

  /** @throws AidoError BAD_INPUT: among our own records a line that is none */
  write(chunk: Uint8Array): void {
    if (this.#log !== undefined) this.#log.write(chunk);
    else if (this.#records !== undefined) this.#records.write(chunk);
    else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.length >= HEAD || this.#head.includes(LF)) this.#decide();
    }
  }

  #decide(): void {
    const head = this.#head;
    const lf = head.indexOf(LF);
    if (isRecordLine(head.toString('utf8', 0, lf < 0 ? head.length : lf))) {
      this.#records = new RecordReader((record, line) => this.#record(record, line));
      this.#records.write(head);
    } else {
      this.#log = new LogReader(this.#options, record => this.#say(record));
      this.#log.write(head);
    }
    this.#head = Buffer.alloc(0);
  }

  #record(record: AidoRecord, line: string): void {
    this.#ended = record.type === 'summary';
    if (record.type === 'summary') this.#summaries.push(totalsOf(record));
    else this.#say(record, line);
  }

  /**
   * @param interrupted the input is known not to be whole
   * @param status what the producer exited with, where that is known
   */
  end({ interrupted = false, status }: { interrupted?: boolean; status?: number | undefined } = {}): Totals {
    if (this.#log === undefined && this.#records === undefined) this.#decide();
    this.#records?.end();
    const totals = this.#log?.end() ?? joinTotals(this.#ended ? this.#summaries : [...this.#summaries, CUT]);
    const { complete: _, ...sizes } = totals;
    return interrupted
      ? { ...sizes, complete: false, reason: 'interrupted' }
      : withStatus(totals, status, this.#failures);
  }
}

const NOTHING = { lines: 0, bytes: 0, chunks: 0, exactChunks: 0, longLines: 0 };
/** Records that do not end in a summary: somebody cut them. */
const CUT: Totals = { complete: false, reason: 'truncated', ...NOTHING };

const totalsOf = ({ complete, reason, over, lines, bytes, chunks, exactChunks, longLines }: Summary): Totals => ({
  complete,
  ...(!complete && { reason: reason ?? 'truncated' }),
  ...(over && { over }),
  lines: lines ?? 0,
  bytes: bytes ?? 0,
  chunks: chunks ?? 0,
  exactChunks: exactChunks ?? 0,
  longLines: longLines ?? 0,
});
