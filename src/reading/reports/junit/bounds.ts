/**
 * What stands between the input and the XML parser: it lets through the tags and the text that somebody wants, so that
 * an attribute, a comment or a test's output of any size costs no memory; and it refuses what no report needs.
 */
import { AidoError } from '../../../base/error.js';

export interface Sink {
  /** A whole tag, XML declaration or CDATA section, or a piece of text, as it stands in the input. */
  markup(text: string, no: number): void;
  /** A comment, as far as it is kept. */
  comment(text: string): void;
  /** Whether the text at hand is wanted: asked anew for each run of it. */
  readonly wanted: boolean;
  /** Whether an element is open. */
  readonly inside: boolean;
}

/** An attribute's value, or a run of text, is cut to so many characters. */
export const LONG = 65_536;
/** A tag of more than that is none. */
const TAG = 1 << 18;
const COMMENT = 256;

const OPENERS = ['<!--', '<![CDATA[', '<!DOCTYPE', '<!ENTITY'];
const QUOTE = /["'>]/g;
/** The end of a text that was cut within an entity or a character. */
const TORN = /(?:&[#\w:.-]{0,40}|[\ud800-\udbff])$/;
/** The end of a text that may go on with the rest of an entity. */
const BEGUN = /&[#\w:.-]{0,40}$/;
/** One that is no entity would make the parser look for its end in all that follows. */
const BARE = /&(?![#\w:.-]{1,40};)/;
/** What may stand behind the `<` of a tag. */
const TAGGED = /[/:A-Za-z_\u0080-\uffff]/;

const damaged = (no: number, what: string): AidoError =>
  new AidoError('BAD_INPUT', `line ${no}: ${what}: is the report damaged?`);

/** @returns what was given, where no `&` in it is bare */
function entities(text: string, no: number): string {
  if (BARE.test(text)) throw damaged(no, 'an & that begins no entity');
  return text;
}

const SLASH = 47;
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13;

/** Where the tag that begins at `at` ends; -1: no tag, or not all of it. */
function tagEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 60 || !TAGGED.test(text[at + 1] ?? '')) return -1;
  let quote = 0;
  const stop = Math.min(text.length, at + LONG);
  for (let i = at + 1; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) return i + 1;
    else if (code === 34 || code === 39) quote = code;
  }
  return -1;
}

type State = 'text' | 'tag' | 'quoted' | 'cdata' | 'comment' | 'instruction';

/** What ends each of those that end in more than one character. */
const ENDS = { cdata: ']]>', comment: '-->', instruction: '?>' } as const;

export class Bounds {
  readonly #sink: Sink;
  #state: State = 'text';
  /** The end of a piece that only the next can tell. */
  #held = '';
  /** The tag, section, comment or instruction at hand, and the line it began in. */
  #kept = '';
  #began = 0;
  /** The last of the tag's characters so far that is not blank. */
  #last = '';
  /** The quote and the value of the attribute at hand. */
  #quote = '';
  #value = '';
  /** How much of the run of text at hand was let through. */
  #run = 0;
  /** How many elements are open, as far as the tags that were whole tell. */
  #depth = 0;
  /** Nothing but blank space stands in front of the first document. */
  #started = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Whether nothing is open. */
  get whole(): boolean {
    return this.#state === 'text' && this.#held === '';
  }

  write(piece: string, no: number): void {
    const text = this.#held + piece;
    this.#held = '';
    for (let at = 0; at < text.length; ) at = this.#step(text, at, no);
  }

  #step(text: string, at: number, no: number): number {
    switch (this.#state) {
      case 'text':
        return this.#text(text, at, no);
      case 'tag':
        return this.#tag(text, at);
      case 'quoted':
        return this.#quoted(text, at);
      default:
        return this.#section(this.#state, text, at, no);
    }
  }

  #text(text: string, at: number, no: number): number {
    const less = text.indexOf('<', at);
    const end = less < 0 ? text.length : less;
    if (end > at) this.#say(text, at, end, no);
    if (less < 0) return end;
    const tags = this.#tags(text, less);
    if (tags > less) {
      this.#run = 0;
      this.#started = true;
      this.#sink.markup(entities(text.slice(less, tags), no), no);
      return tags;
    }
    const rest = text.slice(less, less + 9);
    if (rest.length < 9 && (rest === '<' || OPENERS.some(opener => opener.startsWith(rest)))) {
      this.#held = rest;
      return text.length;
    }
    this.#run = 0;
    this.#kept = '';
    this.#began = no;
    this.#started = true;
    return less + this.#open(rest, no);
  }

  /** @returns where tags that begin here, with nothing but blank space between them, end; as far as they are whole and short */
  #tags(text: string, from: number): number {
    let end = from;
    for (let at = from; at - from < LONG; ) {
      const after = tagEnd(text, at);
      if (after < 0) break;
      end = after;
      const top = this.#depth === 0;
      if (text.charCodeAt(at + 1) === SLASH) this.#depth--;
      else if (text.charCodeAt(end - 2) !== SLASH) this.#depth++;
      // Whether the next belongs to another document is to be asked.
      if (top || this.#depth <= 0) break;
      at = end;
      while (isBlank(text.charCodeAt(at))) at++;
    }
    if (this.#depth < 0) this.#depth = 0;
    return end;
  }

  /** @returns how many characters told what begins here */
  #open(rest: string, no: number): number {
    if (rest.startsWith('<?')) return this.#enter('instruction', 2);
    if (rest.startsWith('<!--')) return this.#enter('comment', 4);
    if (rest.startsWith('<![CDATA[')) return this.#enter('cdata', 9);
    if (rest.startsWith('<!'))
      throw new AidoError('BAD_INPUT', `line ${no}: a DTD or entity declaration, which is not read: remove it`);
    if (!TAGGED.test(rest[1] ?? '')) throw damaged(no, 'a < that begins no tag');
    this.#state = 'tag';
    return 0;
  }

  #enter(state: State, n: number): number {
    this.#state = state;
    return n;
  }

  #say(text: string, at: number, end: number, no: number): void {
    if (!this.#sink.inside) {
      if (this.#started && /[^\s\ufeff]/.test(text.slice(at, end)))
        throw new AidoError('BAD_INPUT', `line ${no}: text outside of the report: give the report alone`);
      return;
    }
    if (!this.#sink.wanted || this.#run >= LONG) return;
    let kept = text.slice(at, Math.min(end, at + LONG - this.#run));
    this.#run += end - at;
    if (this.#run >= LONG) kept = kept.replace(TORN, '');
    else if (end === text.length) kept = this.#hold(kept);
    this.#sink.markup(entities(kept, no), no);
  }

  /** Keeps back the beginning of an entity for the next piece. */
  #hold(text: string): string {
    this.#held = BEGUN.exec(text)?.[0] ?? '';
    this.#run -= this.#held.length;
    return text.slice(0, text.length - this.#held.length);
  }

  #tag(text: string, at: number): number {
    QUOTE.lastIndex = at;
    const found = QUOTE.exec(text);
    const end = found === null ? text.length : found.index + 1;
    this.#kept += text.slice(at, end);
    this.#last =
      text
        .slice(at, found?.index ?? end)
        .trimEnd()
        .at(-1) ?? this.#last;
    if (this.#kept.length > TAG) throw new AidoError('BAD_INPUT', `line ${this.#began}: a tag of more than 256 KiB`);
    if (found?.[0] === '>') {
      this.#state = 'text';
      if (this.#kept[1] === '/') this.#depth = Math.max(0, this.#depth - 1);
      else if (!this.#kept.endsWith('/>')) this.#depth++;
      this.#sink.markup(entities(this.#kept, this.#began), this.#began);
      this.#kept = '';
    } else if (found !== null) {
      // A `<` in a text; else all to the next quote would be its value.
      if (this.#last !== '=') throw damaged(this.#began, 'a < that begins no tag, or a quote that begins no value');
      this.#state = 'quoted';
      this.#quote = found[0];
      this.#value = '';
    }
    return end;
  }

  #quoted(text: string, at: number): number {
    const quote = text.indexOf(this.#quote, at);
    const end = quote < 0 ? text.length : quote;
    if (this.#value.length < LONG) this.#value += text.slice(at, Math.min(end, at + LONG));
    if (quote < 0) return end;
    this.#kept += this.#value.length < LONG ? this.#value : this.#value.slice(0, LONG).replace(TORN, '');
    this.#kept += this.#quote;
    this.#last = this.#quote;
    this.#value = '';
    this.#state = 'tag';
    return end + 1;
  }

  /** What is of no use is passed over, however long. */
  #section(state: keyof typeof ENDS, text: string, at: number, no: number): number {
    const mark = ENDS[state];
    const found = text.indexOf(mark, at);
    // The last characters may be the beginning of the end.
    const end = found < 0 ? Math.max(at, text.length - mark.length + 1) : found;
    const bound = state === 'cdata' ? (this.#sink.wanted ? LONG : 0) : COMMENT;
    if (this.#kept.length < bound) this.#kept += text.slice(at, Math.min(end, at + bound - this.#kept.length));
    if (found < 0) {
      this.#held = text.slice(end);
      return text.length;
    }
    this.#state = 'text';
    this.#close(state, no);
    this.#kept = '';
    return end + mark.length;
  }

  #close(state: keyof typeof ENDS, no: number): void {
    const kept = this.#kept;
    if (state === 'comment') this.#sink.comment(kept);
    else if (state === 'instruction') {
      if (/^xml\s/.test(kept)) this.#sink.markup(`<?${kept}?>`, this.#began);
    } else if (!this.#sink.inside)
      throw new AidoError('BAD_INPUT', `line ${no}: text outside of the report: give the report alone`);
    else if (kept !== '') this.#sink.markup(`<![CDATA[${kept.replace(/[\ud800-\udbff]$/, '')}]]>`, this.#began);
  }
}
