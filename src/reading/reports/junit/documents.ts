/** XML documents, one after the other, as elements: `cat a.xml b.xml` is two. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { AidoError } from '../../../base/error.js';
import { Bounds, type Sink } from './bounds.js';

export type Attributes = Readonly<Record<string, string>>;

export interface Handler {
  open(name: string, attributes: Attributes, no: number): void;
  text(text: string): void;
  close(name: string, no: number): void;
  comment(text: string): void;
  /** Whether the text of the innermost open element is wanted. */
  readonly wanted: boolean;
}

/** Elements within each other; more of them are an attack. */
const DEPTH = 100;
/** What is against the rules, and common: a control character in a test's name or output, `]]>` in what node:test quotes. */
const HARMLESS = /disallowed character\.$|malformed character entity|"\]\]>" is disallowed/;

export class Documents implements Sink {
  readonly #handler: Handler;
  readonly #bounds = new Bounds(this);
  #parser: SaxesParser | undefined;
  #depth = 0;
  #no = 1;
  /** A document was begun, and its root is still to come. */
  #awaiting = false;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  /** Whether the last document is. */
  get whole(): boolean {
    return this.#bounds.whole && this.#depth === 0 && this.#parser !== undefined && !this.#awaiting;
  }

  get wanted(): boolean {
    return this.#handler.wanted;
  }

  get inside(): boolean {
    return this.#depth > 0;
  }

  write(text: string, no: number): void {
    this.#bounds.write(text, no);
  }

  markup(text: string, no: number): void {
    this.#no = no;
    if (this.#depth === 0 && !this.#awaiting) this.#next();
    (this.#parser as SaxesParser).write(text);
  }

  comment(text: string): void {
    this.#handler.comment(text);
  }

  #next(): void {
    const parser = new SaxesParser({ position: false });
    parser.on('error', ({ message }) => {
      if (!HARMLESS.test(message))
        throw new AidoError('BAD_INPUT', `line ${this.#no}: ${message.replace(/\.$/, '')}: is the report damaged?`);
    });
    parser.on('opentag', tag => this.#open(tag as SaxesTagPlain));
    parser.on('text', text => this.#handler.text(text));
    parser.on('cdata', text => this.#handler.text(text));
    parser.on('closetag', ({ name }) => {
      this.#depth--;
      this.#handler.close(name, this.#no);
    });
    this.#parser = parser;
    this.#awaiting = true;
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    this.#awaiting = false;
    if (++this.#depth > DEPTH)
      throw new AidoError('BAD_INPUT', `line ${this.#no}: more than ${DEPTH} elements within each other`);
    if (this.#depth === 1 && name !== 'testsuites' && name !== 'testsuite')
      throw new AidoError('BAD_INPUT', `line ${this.#no}: <${name.slice(0, 40)}> is no JUnit report: give it alone`);
    this.#handler.open(name, attributes as Record<string, string>, this.#no);
  }
}
