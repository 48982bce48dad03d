/**
 * Facts from whatever a tool is given: our own records (from a pipe, from a file of an earlier run), a report that a runner
 * wrote for machines, or the raw log. How it begins decides: a log that merely contains a record is a log.
 */
import type { Sink } from '../base/input.js';
import { CAP, isRecordLine, RecordReader } from '../record/read.js';
import type { AidoRecord, Summary } from '../record/types.js';
import { LogReader, type ReadOptions } from './engine.js';
import { ReportReader } from './report-reader.js';
import { mayBeReport, reportOf, TELLING } from './reports/index.js';
import { Counts } from './summary.js';
import { CUT, joinTotals, type Totals, withStatus } from './totals.js';
import { Utf16 } from './utf16.js';

/** How much of the input is looked at for its first line; one that begins as a record does may be as long as those are. */
const HEAD = 65_536;
const recordBegins = /^\s*\{\s*"/;
const LF = 10;

export class Facts implements Sink {
  readonly #options: ReadOptions;
  readonly #say: (record: AidoRecord, line?: string) => void;
  #head: Buffer = Buffer.alloc(0);
  #room: Buffer | undefined;
  /** Of a log or a report. */
  #reader: LogReader | ReportReader | undefined;
  #records: RecordReader | undefined;
  /** Of records in UTF-16. */
  #utf16: Utf16 | undefined;
  #summaries: Totals[] = [];
  /** What was read since the last summary; undefined: nothing. */
  #counts: Counts | undefined;
  #failures = 0;
  readonly #ended: ((totals: Totals, run: string | undefined) => void) | undefined;

  /**
   * @param say is called with every record but summaries, which are joined into what `end` returns; and with the line
   * that the record stood on, where it was one of our own
   * @param ended is called where a summary stands among records of our own, with the run it is of
   */
  constructor(
    options: ReadOptions,
    say: (record: AidoRecord, line?: string) => void,
    ended?: (totals: Totals, run: string | undefined) => void,
  ) {
    this.#options = options;
    this.#ended = ended;
    this.#say = (record, line) => {
      if (record.type === 'failure') this.#failures++;
      say(record, line);
    };
  }

  /** Whether it is a report, as far as that is known. */
  get isReport(): boolean {
    return this.#reader instanceof ReportReader;
  }

  room(): Buffer {
    if (this.#reader !== undefined) return this.#reader.room();
    this.#room ??= Buffer.alloc(HEAD);
    return this.#room;
  }

  filled(n: number): void {
    if (this.#reader !== undefined) this.#reader.filled(n);
    else this.write((this.#room as Buffer).subarray(0, n));
  }

  /** @throws AidoError BAD_INPUT: among our own records a line that is none */
  write(chunk: Uint8Array): void {
    if (this.#reader !== undefined) this.#reader.write(chunk);
    else if (this.#records !== undefined) this.#records.write(this.#utf16?.decode(chunk) ?? chunk);
    else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.includes(LF) || this.#head.length >= HEAD) this.#decide();
    }
  }

  /** @param end there is no more */
  #decide(end = false): void {
    const head = this.#head;
    const text = decoded(head);
    const begin = text.search(/\S/);
    const lf = begin < 0 ? -1 : text.indexOf('\n', begin);
    if (!end && lf < 0 && head.length < (recordBegins.test(text) ? CAP : HEAD)) return;
    const ours = isRecordLine(text.slice(Math.max(0, begin), lf < 0 ? text.length : lf));
    if (!end && !ours && head.length < TELLING && mayBeReport(text)) return;
    this.#head = Buffer.alloc(0);
    if (ours) {
      this.#records = new RecordReader((record, line) => this.#record(record, line));
      this.#utf16 = Utf16.sniff(head, head.length);
      this.#records.write(this.#utf16?.decode(head) ?? head);
    } else {
      const report = reportOf(decoded(head.subarray(0, TELLING)));
      const say = (record: AidoRecord) => this.#say(record);
      this.#reader = report ? new ReportReader(report, this.#options, say) : new LogReader(this.#options, say);
      this.#reader.write(head);
    }
  }

  #record(record: AidoRecord, line: string): void {
    this.#counts ??= new Counts();
    if (record.type === 'summary') {
      const totals = totalsOf(record, this.#counts);
      this.#summaries.push(...totals);
      this.#ended?.(joinTotals(totals), record.run);
      this.#counts = undefined;
    } else {
      this.#counts.add(record);
      this.#say(record, line);
    }
  }

  /**
   * @param interrupted the input is known not to be whole
   * @param status what the producer exited with, where that is known
   */
  end({ interrupted = false, status }: { interrupted?: boolean; status?: number | undefined } = {}): Totals {
    if (this.#reader === undefined && this.#records === undefined) this.#decide(true);
    if (this.#utf16 !== undefined) this.#records?.write(this.#utf16.end());
    this.#records?.end();
    const totals = this.#reader?.end() ?? joinTotals(this.#counts ? [...this.#summaries, CUT] : this.#summaries);
    const { complete: _, ...sizes } = totals;
    return interrupted
      ? { ...sizes, complete: false, reason: 'interrupted' }
      : withStatus(totals, status, this.#failures);
  }
}

const decoded = (head: Buffer): string => (Utf16.sniff(head, head.length)?.decode(head) ?? head).toString();

/** What a summary says, held against what was read: fewer failures or suites than it counted were taken out by somebody. */
function totalsOf(summary: Summary, read: Counts): Totals[] {
  const { complete, reason, failures = 0, suites = 0, lines, bytes, chunks, exactChunks, longLines } = summary;
  const missing = failures - read.failures;
  const over = Math.max(summary.over ?? 0, missing);
  const totals: Totals = {
    complete,
    ...(!complete && { reason: reason ?? 'truncated' }),
    ...(over > 0 && { over }),
    lines: lines ?? 0,
    bytes: bytes ?? 0,
    chunks: chunks ?? 0,
    exactChunks: exactChunks ?? 0,
    longLines: longLines ?? 0,
  };
  return missing > (summary.over ?? 0) || suites > read.suites ? [totals, CUT] : [totals];
}
