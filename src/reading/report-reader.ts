/** Reads one report, as `LogReader` reads one log. */
import type { TextDecoder } from 'node:util';
import { DECLARATION, decoderOf } from './encoding.js';
import type { ReadOptions } from './engine.js';
import { Ledger, type LogRecord } from './ledger.js';
import { placed } from './paths.js';
import type { Parser, Report } from './report.js';
import { Scope } from './scope.js';
import { CHUNK } from './suspects.js';
import type { Totals } from './totals.js';

const ROOM = 1 << 20;
/** A line is handed on in pieces of at most so many characters. */
const PIECE = 65_536;

export class ReportReader {
  readonly #ledger: Ledger;
  readonly #scope: Scope;
  readonly #parser: Parser;
  readonly #room = Buffer.alloc(ROOM);
  #decoder: TextDecoder | undefined;
  /** What was read until it is known how to decode it. */
  #head: Buffer = Buffer.alloc(0);
  #bytes = 0;
  #no = 1;
  /** The line at hand holds something. */
  #begun = false;

  /** @param say is called with each record as soon as nothing more can be added to it */
  constructor(report: Report, options: ReadOptions, say: (record: LogRecord) => void) {
    this.#ledger = new Ledger(say);
    this.#scope = new Scope(report.name, {
      outcomes: options.outcomes === true,
      warnings: options.warnings === true,
      path: path => placed(path, options.root ?? options.reportRoot, options.prefix),
      say: record => this.#ledger.record(record),
      consequence: found => this.#ledger.record(found),
      early: reason => this.#ledger.early(reason),
      back: () => undefined,
      claim: () => {},
      torn: () => false,
    });
    this.#parser = report.parser(this.#scope);
  }

  room(): Buffer {
    return this.#room;
  }

  filled(n: number): void {
    this.write(this.#room.subarray(0, n));
  }

  /** @throws AidoError BAD_INPUT */
  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#decoder !== undefined) {
      this.#text(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length >= DECLARATION) this.#begin();
  }

  #begin(): TextDecoder {
    const head = this.#head;
    this.#head = Buffer.alloc(0);
    this.#decoder = decoderOf(head);
    this.#text(this.#decoder.decode(head, { stream: true }));
    return this.#decoder;
  }

  #text(text: string): void {
    for (let from = 0; from < text.length; ) {
      const lf = text.indexOf('\n', from);
      const end = Math.min(lf < 0 ? text.length : lf + 1, from + PIECE);
      this.#parse(text.slice(from, end));
      this.#begun = end !== lf + 1;
      if (!this.#begun) this.#no++;
      from = end;
    }
  }

  /** Whatever is wrong from here on: what was read until here is said. */
  #parse(text: string): void {
    try {
      this.#parser.write(text, this.#no);
    } catch (error) {
      this.#scope.close();
      throw error;
    }
  }

  end(): Totals {
    const decoder = this.#decoder ?? this.#begin();
    this.#text(decoder.decode());
    this.#parser.end();
    if (this.#scope.open) this.#ledger.early('truncated');
    this.#scope.close();
    const chunks = Math.ceil(this.#bytes / CHUNK);
    return {
      ...this.#ledger.end(),
      lines: this.#no - (this.#begun ? 0 : 1),
      bytes: this.#bytes,
      chunks,
      exactChunks: chunks,
      longLines: 0,
    };
  }
}
