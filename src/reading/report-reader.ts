/** Reads one report, as `LogReader` reads one log. */
import { StringDecoder } from 'node:string_decoder';
import type { ReadOptions } from './engine.js';
import { Ledger, type LogRecord } from './ledger.js';
import { placed } from './paths.js';
import type { Parser, Report } from './report.js';
import { Scope } from './scope.js';
import { CHUNK } from './suspects.js';
import type { Totals } from './totals.js';
import { Utf16 } from './utf16.js';

const ROOM = 1 << 20;
/** A line is handed on in pieces of at most so many characters. */
const PIECE = 65_536;

export class ReportReader {
  readonly #ledger: Ledger;
  readonly #scope: Scope;
  readonly #parser: Parser;
  readonly #decoder = new StringDecoder('utf8');
  readonly #room = Buffer.alloc(ROOM);
  #utf16: Utf16 | undefined;
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
      path: path => placed(path, options.root, options.prefix),
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
    if (this.#bytes === 0) this.#utf16 = Utf16.sniff(chunk, chunk.length);
    this.#bytes += chunk.length;
    const bytes = this.#utf16?.decode(chunk) ?? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#text(this.#decoder.write(bytes));
  }

  #text(text: string): void {
    for (let from = 0; from < text.length; ) {
      const lf = text.indexOf('\n', from);
      const end = Math.min(lf < 0 ? text.length : lf + 1, from + PIECE);
      this.#parser.write(text.slice(from, end), this.#no);
      this.#begun = end !== lf + 1;
      if (!this.#begun) this.#no++;
      from = end;
    }
  }

  end(): Totals {
    if (this.#utf16 !== undefined) this.#text(this.#decoder.write(this.#utf16.end()));
    this.#text(this.#decoder.end());
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
