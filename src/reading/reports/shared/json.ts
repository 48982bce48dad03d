/**
 * JSON documents, read while they come in: what stands at their top, and as many levels below it as are asked for, is said
 * one by one and forgotten, so that a report of any size on a single line needs the memory of its largest member.
 */
import { Tokenizer, TokenizerError, TokenParser, TokenParserError, TokenType } from '@streamparser/json';
import { AidoError } from '../../../base/error.js';
import { isObject, list } from '../../../base/fields.js';
import type { Parser } from '../../report.js';
import { Closings, HEADING } from './around.js';
import { Lines } from './lines.js';

/** Where a value stands in its document; empty: it is the document itself, without what was said of it before. */
export type Path = readonly (string | number)[];

/** @param no the line on which the value began; of a document, on which it ended */
export type Say = (path: Path, value: unknown, no: number) => void;

export { type Fields, isObject, list, object, string } from '../../../base/fields.js';

type ParsedToken = Parameters<Tokenizer['onToken']>[0];
type ParsedValue = Parameters<TokenParser['onValue']>[0];

/** No report is nested so deep, and none has so many values in one of its members. */
const DEPTH = 1000;
const TOKENS = 20_000_000;
/** Of a longer string only the head is read; the second is for one that has no place to be cut. */
const STRING = 1 << 20;
const ENDLESS = 1 << 26;
/** A string must not be cut in the middle of an escape: `\`, `\u00`. */
const ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;
/** What the tokenizer says of an error. */
const POSITION = /absolute position "(\d+)"/;
const LINE = Symbol('line');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** So much is handed on at once. */
const BATCH = 65_536;

/** What reads one document: what stands two levels below its top, then the document itself; or that it is cut. */
export interface DocumentReader {
  read: Say;
  cut(): void;
}

/** Documents one after the other, each with a reader of its own. */
export function documents(begin: () => DocumentReader): Parser {
  let reader: DocumentReader | undefined;
  const cut = (): void => {
    reader?.cut();
    reader = undefined;
  };
  const stream = new JsonStream(
    2,
    (path, value, no) => {
      reader ??= begin();
      reader.read(path, value, no);
      if (path.length === 0) reader = undefined;
    },
    cut,
  );
  return {
    write: (text, no) => stream.write(text, no),
    end() {
      if (stream.end()) return;
      reader ??= begin();
      cut();
    },
  };
}

export class JsonStream {
  readonly #level: number;
  readonly #say: Say;
  readonly #broken: () => void;
  readonly #closings = new Closings(() => this.#isWhole());
  readonly #tokenizer = new Tokenizer({ separator: '', stringBufferSize: 65_536 });
  readonly #values = new TokenParser({ separator: '' });
  readonly #lines = new Lines();
  /** What is to be read next, and the line on which it begins. */
  #batch = '';
  #first = 1;
  /** The line of a heading, 0 where there is none; the document has begun. */
  #heading = 0;
  #begun = false;
  /** How much was read since the last token ended, and how many tokens since a value was said. */
  #silent = 0;
  #tokens = 0;
  /** The rest of a string is left out; its next character is escaped. */
  #skipping = false;
  #escaped = false;
  #depth = 0;
  /** The lines on which the open objects, and the one that just ended, began. */
  #starts: number[] = [];
  #start = 0;

  /**
   * @param level how far below the top values are said: 1 its members, 2 theirs, too; 0 only the documents themselves
   * @param broken is called before an error is thrown: what was read until then counts
   */
  constructor(level: number, say: Say, broken: () => void = () => {}) {
    this.#level = level;
    this.#say = say;
    this.#broken = broken;
    this.#tokenizer.onToken = token => this.#token(token);
    this.#values.onValue = found => this.#value(found);
  }

  /** @throws AidoError BAD_INPUT: this is not JSON */
  write(text: string, no: number): void {
    this.#add(this.#closings.pass(this.#begun ? text : this.#begin(text, no), no), no);
  }

  #add(piece: string, no: number): void {
    if (this.#batch === '') this.#first = no;
    this.#batch += piece;
    if (this.#batch.length >= BATCH) this.#flush(/[\ud800-\udbff]$/.test(this.#batch) ? 1 : 0);
  }

  /** There is no more. @returns whether it ended where a document ends */
  end(): boolean {
    this.#add(this.#closings.rest(), this.#closings.no);
    if (!this.#isWhole()) return false;
    try {
      this.#tokenizer.end();
      return true;
    } catch {
      return false;
    }
  }

  /** Whether all that came until now is whole documents. */
  #isWhole(): boolean {
    this.#flush();
    return this.#depth === 0;
  }

  /** What stands before the document is left out. */
  #begin(text: string, no: number): string {
    if (no === this.#heading || HEADING.test(text)) {
      if (text.trim() !== '') this.#heading = no;
      return '';
    }
    this.#begun = true;
    return text.replace('\ufeff', '');
  }

  /** @param half how many characters are but the first half of one */
  #flush(half = 0): void {
    const text = half === 0 ? this.#batch : this.#batch.slice(0, -half);
    this.#batch = half === 0 ? '' : this.#batch.slice(-half);
    const rest = this.#skipping ? this.#skip(text) : text;
    if (rest === '') return;
    this.#silent += this.#silent === 0 ? rest.trimStart().length : rest.length;
    const bytes = Buffer.from(rest);
    this.#lines.next(bytes, this.#first);
    try {
      this.#tokenizer.write(bytes);
    } catch (error) {
      if (error instanceof TokenizerError) this.#lines.seek(Number(POSITION.exec(error.message)?.[1] ?? 0));
      throw error instanceof TokenizerError || error instanceof TokenParserError ? this.#bad('no JSON') : error;
    }
    if (this.#silent > ENDLESS) throw this.#bad('a string without an end');
    this.#skipping = this.#silent > STRING && !ESCAPE.test(rest);
  }

  #skip(text: string): string {
    let at = this.#escaped ? 1 : 0;
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) {
        this.#escaped = false;
        return text.slice(at);
      }
    }
    this.#escaped = at > text.length;
    return '';
  }

  #token(token: ParsedToken): void {
    this.#lines.seek(token.offset);
    this.#silent = 0;
    if (++this.#tokens > TOKENS) throw this.#bad('too large');
    switch (token.token) {
      case TokenType.LEFT_BRACE:
        this.#starts.push(this.#lines.no);
        this.#deeper();
        break;
      case TokenType.LEFT_BRACKET:
        this.#deeper();
        break;
      case TokenType.RIGHT_BRACE:
        this.#start = this.#starts.pop() ?? 0;
        this.#depth--;
        break;
      case TokenType.RIGHT_BRACKET:
        this.#depth--;
        break;
      default:
        if (this.#depth === 0) throw this.#bad('no report');
    }
    this.#values.write(token);
  }

  #deeper(): void {
    if (++this.#depth > DEPTH) throw this.#bad('nested too deep');
    if (this.#starts.length === 0) throw this.#bad('no report');
  }

  #value({ value, key, parent, stack }: ParsedValue): void {
    const { no } = this.#lines;
    // Only in a document of several lines are places worth to be remembered.
    if (this.#starts[0] !== no && isObject(value)) Object.defineProperty(value, LINE, { value: this.#start });
    if (stack.length > this.#level) return;
    this.#tokens = 0;
    const path = stack.slice(1).map(above => above.key as string | number);
    if (key !== undefined) path.push(key);
    this.#say(path, value, path.length === 0 ? no : lineOf(value, no));
    if (Array.isArray(parent)) parent.length = 0;
    else if (parent !== undefined) delete parent[key as string];
  }

  #bad(what: string): AidoError {
    const { no } = this.#lines;
    this.#broken();
    return new AidoError('BAD_INPUT', `line ${no}: ${what}; write the report to a file of its own, and read that`);
  }
}

/** The line on which an object began. */
export function lineOf(value: unknown, otherwise: number): number {
  return isObject(value) ? ((value as { [LINE]?: number })[LINE] ?? otherwise) : otherwise;
}

export const strings = (value: unknown): string[] => list(value).filter(one => typeof one === 'string');
export const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** Whether a report's own count is what was read; one that it does not have says nothing. */
export const isRight = (said: unknown, read: number): boolean => said === undefined || said === read;
