/**
 * bytes -> window -> sieve -> bounded lines -> undress -> streams -> formats -> records
 *
 * With no block open, only lines that the sieve finds are split and decoded; the others are counted. What comes out
 * depends on the bytes alone: not on how they were cut into chunks, and not on the sieve (`everyLine` switches it off).
 */
import type { Format, Line } from './format.js';
import { FORMATS } from './formats/index.js';
import { harmless } from './harmless.js';
import { sieveOf } from './hints.js';
import { Ledger, type LogRecord } from './ledger.js';
import { LookBack } from './look-back.js';
import { placed } from './paths.js';
import type { Sieve } from './sieve.js';
import { Stream } from './stream.js';
import { CHUNK, looksLikeFailure, Suspects } from './suspects.js';
import type { Totals } from './totals.js';
import { BETWEEN, Undresser } from './undress.js';
import { Utf16 } from './utf16.js';
import { REACH, Window } from './window.js';

export interface ReadOptions {
  /** Say the result of every test. */
  outcomes?: boolean;
  /** Say diagnostics that do not make the run red. */
  warnings?: boolean;
  /** Stripped from the front of paths. */
  root?: string | undefined;
  /** The same where `root` is not given, of the absolute paths in a report: a log mostly has relative ones. */
  reportRoot?: string | undefined;
  /** Put before relative paths. */
  prefix?: string | undefined;
  /** Offer every line to every format: slow, and by contract without effect. For tests. */
  everyLine?: boolean;
  /** For tests; default: all formats. */
  formats?: readonly Format[];
}

export type { LogRecord };

/** A line is cut to this many characters before any pattern sees it. */
const TEXT = 4096;
/** Enough of a dressed line to hold that, unless it is JSON. */
const DRESSED = 4 * TEXT;
/** A block whose stream has been silent for so many lines ends. */
const SILENCE = 20_000;
/** Streams held at once; over it the one silent longest ends. */
const STREAMS = 256;
const LF = 10;
const CR = 13;

/** Reads one log. `room`/`filled` or `write` bring the bytes, `end` closes what is open and says what is known. */
export class LogReader {
  readonly #options: ReadOptions;
  readonly #formats: readonly Format[];
  /** Made when there is something to sift: it is most of what start-up costs. */
  #sieve: Sieve | undefined;
  readonly #window = new Window();
  readonly #lookBack: LookBack;
  /** What stands before the current line. */
  readonly #raw: (n: number) => string | undefined;
  readonly #undresser = new Undresser();
  readonly #suspects: Suspects;
  readonly #streams = new Map<string, Stream>();
  /** The last stream in which nobody has taken a line yet: its readers have nothing to forget, so it serves again. */
  #fresh: Stream | undefined;
  /** The line in which each format last had a hint; behind them the words of failure, and the hints of prefixes. */
  readonly #marks: Uint32Array;
  readonly #ledger: Ledger;
  #utf16: Utf16 | undefined;
  #stamp = 0;
  #busy = 0;
  #no = 1;
  #stream: Stream | undefined;
  /** The lines of one stream before the current line, as far as they were asked for. */
  #behind: { name: string; lines: Line[]; seen: number } | undefined;
  #skipping = false;
  /** The last line, where it has no end. */
  #torn = 0;
  #longLines = 0;

  /** @param say is called with each record as soon as nothing more can be added to it, in an order that never varies */
  constructor(options: ReadOptions, say: (record: LogRecord) => void) {
    this.#options = options;
    this.#ledger = new Ledger(say);
    this.#formats = options.formats ?? FORMATS;
    this.#marks = new Uint32Array(this.#formats.length + 2);
    this.#lookBack = new LookBack(this.#window);
    this.#raw = this.#before(0);
    this.#suspects = new Suspects(record => this.#ledger.record(record));
  }

  /** Free space to read into, at least 64 KiB; say with `filled` how much of it was used. */
  room(): Buffer {
    return this.#window.room();
  }

  /** `n` bytes were put into `room()`. */
  filled(n: number): void {
    const window = this.#window;
    let raw = window.end;
    window.end += n;
    if (this.#utf16 === undefined && window.base === 0 && raw < 2) {
      this.#utf16 = Utf16.sniff(window.bytes, window.end);
      if (this.#utf16 !== undefined) raw = 0;
    }
    if (this.#utf16 === undefined) this.#process();
    else this.#recode(this.#utf16.decode(Buffer.from(window.bytes.subarray(raw, window.end))), raw);
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const room = this.room();
      const n = Math.min(room.length, chunk.length - at);
      room.set(chunk.subarray(at, at + n));
      this.filled(n);
      at += n;
    }
  }

  /** Puts UTF-8 in the place of what was read as UTF-16, from index `end` of the window on. */
  #recode(text: Buffer, end = this.#window.end): void {
    this.#window.end = end;
    for (let at = 0; at < text.length; ) {
      const n = text.copy(this.room(), 0, at);
      this.#window.end += n;
      this.#process();
      at += n;
    }
  }

  /** @param interrupted the input is known not to be whole */
  end({ interrupted = false }: { interrupted?: boolean } = {}): Totals {
    if (this.#utf16 !== undefined) this.#recode(this.#utf16.end());
    const window = this.#window;
    const bytes = window.base + window.end;
    // Where the last line has no end, it may have lost more than that.
    const torn = window.end > window.pos && !this.#skipping ? window.base + window.pos : undefined;
    if (torn !== undefined) {
      this.#torn = this.#no;
      this.#line(window.pos, window.end);
    }
    const lines = this.#no - 1 + (window.end > window.pos || this.#skipping ? 1 : 0);
    window.pos = window.end;
    const truncated = [...this.#streams.values()].some(stream => stream.open);
    for (const stream of this.#streams.values()) stream.end();
    if (torn !== undefined && this.#suspects.has(torn)) this.#ledger.early('truncated');
    // The root speaks last: what a multiplexer says of a task follows from what the task printed.
    const depth = ({ name }: Stream) => (name === '' ? 0 : name.split(BETWEEN).length);
    for (const stream of [...this.#streams.values()].sort((a, b) => depth(b) - depth(a))) this.#resolve(stream);
    this.#suspects.settle(Number.POSITIVE_INFINITY);
    if (truncated) this.#ledger.early('truncated');
    if (interrupted) this.#ledger.early('interrupted');
    const chunks = Math.ceil(bytes / CHUNK);
    return {
      ...this.#ledger.end(),
      lines,
      bytes,
      chunks,
      exactChunks: chunks - this.#suspects.inexact,
      longLines: this.#longLines,
    };
  }

  #process(): void {
    const window = this.#window;
    if (this.#skipping) this.#skip();
    if (this.#skipping) return;
    const stop = window.bytes.lastIndexOf(LF, window.end - 1) + 1;
    if (window.end > window.pos && stop > window.pos) this.#lines(stop);
    if (window.end - window.pos <= REACH) return;
    this.#line(window.pos, window.end);
    window.pos = window.end;
    this.#skipping = true;
  }

  get #sifter(): Sieve {
    this.#sieve ??= sieveOf(this.#formats, this.#options.outcomes === true);
    return this.#sieve;
  }

  /** Drops the rest of an over-long line. */
  #skip(): void {
    const window = this.#window;
    const lf = window.bytes.indexOf(LF, window.pos);
    this.#skipping = lf < 0 || lf >= window.end;
    window.pos = this.#skipping ? window.end : lf + 1;
    if (!this.#skipping) this.#no++;
  }

  /** Looks at the complete lines up to `stop`. */
  #lines(stop: number): void {
    const window = this.#window;
    const { bytes, words } = window;
    while (window.pos < stop) {
      if (this.#busy === 0 && !this.#options.everyLine) {
        const hit = this.#sifter.next(bytes, words, window.pos, stop);
        const start = hit < 0 ? stop : Math.max(window.pos, bytes.lastIndexOf(LF, hit) + 1);
        this.#no += countLines(bytes, window.pos, start);
        window.pos = start;
        if (hit < 0) return;
      }
      const end = bytes.indexOf(LF, window.pos);
      this.#line(window.pos, end);
      this.#no++;
      window.pos = end + 1;
    }
  }

  /** One line, at [start, end) of the window. */
  #line(start: number, end: number): void {
    const { bytes, base } = this.#window;
    const stop = Math.min(end, start + REACH);
    const hinted = this.#mark(start, stop);
    const off = base + start;
    this.#suspects.settle(off);
    if (!hinted && this.#busy === 0 && !this.#options.everyLine) return;
    if (hinted && end - start > REACH) this.#longLines++;
    this.#lookBack.at(start);
    this.#behind = undefined;
    const { text, stream: name } = this.#undresser.undress(rawLine(bytes, start, stop), this.#raw);
    if (this.#marks[this.#formats.length + 1] === this.#stamp) this.#undresser.heading(text);
    const line: Line = { text: text.length > TEXT ? text.slice(0, TEXT) : text, no: this.#no, off };
    if (this.#no === this.#torn) line.torn = true;
    this.#offer(line, this.#named(name));
  }

  /** Marks the formats that have a hint in [start, stop), and says whether any hint at all is there. */
  #mark(start: number, stop: number): boolean {
    const marks = this.#marks;
    const stamp = ++this.#stamp;
    let any = false;
    this.#sifter.each(this.#window.bytes, this.#window.words, start, stop, owner => {
      marks[owner] = stamp;
      any = true;
    });
    return any;
  }

  #offer(line: Line, stream: Stream): void {
    this.#stream = stream;
    const busy = stream.busy;
    const { everyLine } = this.#options;
    const took = stream.offer(line, i => everyLine === true || this.#marks[i] === this.#stamp);
    if (stream.busy !== busy) this.#busy += stream.busy ? 1 : -1;
    if (took) this.#took(stream);
    else if (looksLikeFailure(line.text) && !harmless(line.text) && !stream.excuses(line)) this.#suspects.add(line);
    if (this.#busy > 0 && (line.no & 1023) === 0) this.#endSilent(line.no);
  }

  /** A stream is kept from the first line that somebody took in it: until then it is as if nothing had been offered. */
  #took(stream: Stream): void {
    if (stream.name === '') return;
    this.#undresser.taken(stream.name);
    if (this.#streams.has(stream.name)) return;
    if (this.#streams.size >= STREAMS) this.#retire();
    this.#streams.set(stream.name, stream);
    if (this.#fresh === stream) this.#fresh = undefined;
  }

  #endSilent(no: number): void {
    for (const stream of this.#streams.values()) {
      if (!stream.busy || no - stream.last < SILENCE) continue;
      this.#stream = stream;
      stream.endBlock();
      this.#busy--;
    }
  }

  #named(name: string): Stream {
    const known = this.#streams.get(name) ?? (this.#fresh?.name === name ? this.#fresh : undefined);
    if (known !== undefined) return known;
    const stream = new Stream(name, this.#formats, {
      outcomes: this.#options.outcomes === true,
      warnings: this.#options.warnings === true,
      path: path => placed(path, this.#options.root, this.#options.prefix),
      say: record => this.#ledger.record(record),
      early: reason => this.#ledger.early(reason),
      back: n => this.#back(n),
      claim: line => this.#suspects.claim(line.off),
      torn: line => line.no === this.#torn,
    });
    // The root is there from the first line on, so it comes first.
    if (name === '') this.#streams.set(name, stream);
    else this.#fresh = stream;
    return stream;
  }

  /** The stream that was silent longest ends, so that their number is bounded. */
  #retire(): void {
    let oldest: Stream | undefined;
    for (const stream of this.#streams.values()) {
      if (stream.name !== '' && (oldest === undefined || stream.last < oldest.last)) oldest = stream;
    }
    if (oldest === undefined) return;
    if (oldest.busy) this.#busy--;
    if (oldest.open) this.#ledger.early('truncated');
    oldest.end();
    this.#resolve(oldest);
    this.#streams.delete(oldest.name);
  }

  /** What only follows from something else is a failure when nothing else is there. */
  #resolve(stream: Stream): void {
    // Who says that a build failed has ended it; that something died, or never began, is no end.
    if (stream.consequences.some(found => found.kind !== 'crash')) this.#ledger.ended = true;
    if (stream.name === '' ? this.#ledger.failures > 0 : this.#failed(stream.name)) return;
    // Who spoke first was nearest to the cause: npm of make, the CI system of npm only pass it on.
    stream.consequences.sort((a, b) => a.log.first - b.log.first);
    const nearest = stream.consequences[0]?.tool;
    for (const found of stream.consequences) {
      if (found.tool !== nearest) continue;
      stream.failures++;
      this.#ledger.record(found);
    }
  }

  /** Whether something failed in this stream, or in one that a multiplexer made within it. */
  #failed(name: string): boolean {
    for (const stream of this.#streams.values()) {
      if (stream.failures > 0 && (stream.name === name || stream.name.startsWith(name + BETWEEN))) return true;
    }
    return false;
  }

  /** Step by step, since that is how it is asked for: what was found stays found until the next line. */
  #back(n: number): Line | undefined {
    const { name } = this.#stream as Stream;
    if (this.#behind?.name !== name) this.#behind = { name, lines: [], seen: 0 };
    const behind = this.#behind;
    while (behind.lines.length < n) {
      const k = ++behind.seen;
      const raw = this.#lookBack.raw(k);
      if (raw === undefined) {
        behind.seen--;
        return undefined;
      }
      const { evidence } = this.#undresser;
      const { text, stream } =
        this.#lookBack.undressed(k, evidence) ??
        this.#lookBack.dress(k, evidence, this.#undresser.undress(raw, this.#before(k)));
      if (stream === name)
        behind.lines.push({ text: text.slice(0, TEXT), no: this.#no - k, off: this.#lookBack.offset(k) });
    }
    return behind.lines[n - 1];
  }

  /** What stands before the k-th line back, for the undresser. */
  #before(k: number): (n: number) => string | undefined {
    return n => this.#lookBack.raw(k + n);
  }
}

/** A whole line of the window as text, without its line end. */
function rawLine(bytes: Buffer, start: number, stop: number): string {
  let dressed = stop;
  if (stop - start > DRESSED && !bytes.subarray(start, start + 64).includes('{"')) dressed = start + DRESSED;
  return bytes.toString('utf8', start, dressed > start && bytes[dressed - 1] === CR ? dressed - 1 : dressed);
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let n = 0;
  for (let at = bytes.indexOf(LF, from); at >= 0 && at < to; at = bytes.indexOf(LF, at + 1)) n++;
  return n;
}
