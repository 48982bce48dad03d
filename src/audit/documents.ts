/**
 * JSON documents, one after the other, whatever lies between them: one to a file, one to a line (NDJSON), several pretty
 * ones in a row. Bytes are looked at one by one only to find where a document ends; `JSON.parse` reads it.
 */
import { StringDecoder } from 'node:string_decoder';
import { AidoError } from '../base/error.js';
import { decoderOf } from '../reading/encoding.js';

/** The largest document, in bytes. */
export const LARGEST = 256 * 1024 * 1024;
/** No report is nested so deep. */
const DEPTH = 1000;
const ROOM = 1 << 20;
/** What has not ended after so much is taken for the only document there is: `JSON.parse` finds out whether it is. */
const LONG = 1 << 20;
/** So much of a line that is no document is kept. */
const STRAY = 4096;

const [LF, QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x0a, 0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
/** Blank space, what some put between documents (a comma, RFC 7464's separator), and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x1e, 0xef, 0xbb, 0xbf]);
/** What may follow the first bracket of an audit. A line such as `[INFO] …` or `[1/4] …` begins none. */
const FOLLOWS = { [OPEN]: /[\s"}]/, [OPEN_LIST]: /[\s[\]{]/ };

/** Who is told what the input holds. Lines are counted from 1. */
export interface Listener {
  document(value: unknown, line: number): void;
  /** A line, or a part of one, that belongs to no document; it is not blank, and at most 4 KiB long. */
  stray(text: string, line: number): void;
}

type State = 'between' | 'stray' | 'begun' | 'inside' | 'string' | 'long';

export class Documents {
  readonly #room = Buffer.alloc(ROOM);
  readonly #decode: (chunk: Uint8Array, last?: boolean) => Uint8Array;
  /** Pieces of what is not at its end, and their length. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** A long one is kept as text. */
  readonly #characters = new StringDecoder();
  readonly #texts: string[] = [];
  #batch: Buffer | undefined;
  #gathered = 0;
  #state: State = 'between';
  /** The next character of the string is escaped. */
  #escaped = false;
  #depth = 0;
  #documents = 0;
  #line = 1;
  /** Where the document or the stray line began. */
  #first = 1;

  constructor(private readonly listener: Listener) {
    this.#decode = utf8();
  }

  room(): Buffer {
    return this.#room;
  }

  filled(bytes: number): void {
    const piece = this.#room.subarray(0, bytes);
    // What is not at its end is kept.
    this.write(this.#state === 'long' ? piece : Buffer.from(piece));
  }

  /** @throws AidoError BAD_INPUT: what looks like a document is no JSON, or too large */
  write(chunk: Uint8Array): void {
    this.#scan(this.#decode(chunk));
  }

  /** @throws AidoError BAD_INPUT: the last document stops in its middle */
  end(): void {
    this.#scan(this.#decode(new Uint8Array(), true));
    if (this.#state === 'long') {
      this.#more(new Uint8Array());
      this.#decodeBatch();
      this.#long();
    }
    if (this.#state === 'stray' || this.#state === 'begun') this.#stray();
    if (this.#state !== 'between')
      throw this.#bad('the document that begins here stops in its middle; keep the whole output of the auditor');
  }

  #scan(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#state === 'long') {
        this.#more(bytes.subarray(at));
        return;
      }
      if (this.#state === 'between') at = this.#between(bytes, at);
      else if (this.#state === 'begun') this.#begun(bytes[at] as number);
      else {
        const end = this.#state === 'stray' ? endOfLine(bytes, at) : this.#inside(bytes, at);
        this.#keep(bytes.subarray(at, end));
        if (this.#state === 'stray' && bytes[end] === LF) this.#stray();
        else if (this.#depth === 0 && this.#state === 'inside') this.#document();
        else if (this.#length > LONG && this.#documents === 0 && this.#state !== 'stray') this.#state = 'long';
        at = end;
      }
    }
  }

  /** Blank space up to whatever begins. */
  #between(bytes: Uint8Array, from: number): number {
    let at = from;
    for (; at < bytes.length && BLANK.has(bytes[at] as number); at++) if (bytes[at] === LF) this.#line++;
    if (at === bytes.length) return at;
    const byte = bytes[at] as number;
    this.#first = this.#line;
    this.#depth = 0;
    this.#state = byte === OPEN || byte === OPEN_LIST ? 'begun' : 'stray';
    if (this.#state === 'stray') return at;
    this.#keep(bytes.subarray(at, at + 1));
    return at + 1;
  }

  /** What follows a bracket tells whether it begins a document. */
  #begun(next: number): void {
    const bracket = this.#pieces[0]?.[0] as number;
    this.#depth = 1;
    this.#state = FOLLOWS[bracket]?.test(String.fromCharCode(next)) ? 'inside' : 'stray';
  }

  /** The end of the document, or of the bytes. This is the loop that all bytes go through. */
  #inside(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let depth = this.#depth;
    let isString = this.#state === 'string';
    let lines = 0;
    let at = from;
    if (this.#escaped) at++;
    this.#escaped = false;
    while (at < length) {
      const byte = bytes[at++] as number;
      if (isString) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) isString = true;
      else if (byte === LF) lines++;
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (++depth > DEPTH) throw this.#bad('nested too deep');
      } else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) break;
    }
    this.#escaped = at > length;
    this.#state = isString ? 'string' : 'inside';
    this.#depth = depth;
    this.#line += lines;
    return Math.min(at, length);
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#state === 'stray' && this.#length > STRAY + piece.length) return;
    if (this.#length > LARGEST) throw this.#bad('larger than 256 MiB');
    this.#pieces.push(piece);
  }

  #taken(): string {
    const { buffer, byteOffset, length } =
      this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return Buffer.from(buffer, byteOffset, length).toString('utf8');
  }

  /** More of a long one, as text: the bytes are not kept. */
  #more(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > LARGEST) {
      this.#short(bytes);
      return;
    }
    if (this.#texts.length === 0) this.#texts.push(this.#characters.write(Buffer.concat(this.#pieces.splice(0))));
    // Text in small pieces would be moved about by the garbage collector: what comes through a pipe is gathered.
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + ROOM - this.#gathered);
      this.#batch ??= Buffer.alloc(ROOM);
      this.#batch.set(taken, this.#gathered);
      this.#gathered += taken.length;
      at += taken.length;
      if (this.#gathered === ROOM) this.#decodeBatch();
    }
  }

  #decodeBatch(): void {
    if (this.#batch) this.#texts.push(this.#characters.write(this.#batch.subarray(0, this.#gathered)));
    this.#gathered = 0;
  }

  /** The end has come. If it was not one document after all, or not whole, all of it is looked at. */
  #long(): void {
    const pieces = this.#texts.splice(0);
    let value: unknown;
    try {
      value = JSON.parse(pieces.join(''));
    } catch {
      this.#again(pieces);
      return;
    }
    this.#state = 'between';
    this.listener.document(value, this.#first);
  }

  /** It is too long for one: there may be several. */
  #short(more: Uint8Array): void {
    this.#decodeBatch();
    const pieces = this.#texts.splice(0);
    const rest = this.#characters.write(Buffer.from(more));
    this.#again([...pieces, rest]);
  }

  #again(pieces: readonly string[]): void {
    this.#documents++;
    this.#length = 0;
    this.#state = 'between';
    this.#escaped = false;
    this.#line = this.#first;
    for (const piece of pieces) this.#scan(Buffer.from(piece));
  }

  #document(): void {
    this.#state = 'between';
    this.#documents++;
    let value: unknown;
    try {
      value = JSON.parse(this.#taken());
    } catch {
      throw this.#bad('no JSON; give the output of the auditor alone, without 2>&1');
    }
    this.listener.document(value, this.#first);
  }

  #stray(): void {
    this.#state = 'between';
    const text = this.#taken().slice(0, STRAY).trim();
    if (text !== '') this.listener.stray(text, this.#first);
  }

  #bad(what: string): AidoError {
    this.#pieces = [];
    return new AidoError('BAD_INPUT', `line ${this.#first}: ${what}`);
  }
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const lf = bytes.indexOf(LF, from);
  return lf < 0 ? bytes.length : lf;
}

/** PowerShell redirects in UTF-16: the first bytes say so. */
function utf8(): (chunk: Uint8Array, last?: boolean) => Uint8Array {
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let begun = false;
  return (chunk, last = false) => {
    if (!begun && chunk.length > 0) {
      begun = true;
      const found = decoderOf(chunk);
      if (found.encoding !== 'utf-8') decoder = found;
    }
    return decoder ? Buffer.from(decoder.decode(chunk, { stream: !last })) : chunk;
  };
}
