/** What one report of the FAILURES or ERRORS section says: message and place, whichever `--tb` style it is in. */
import type { Fields, Line } from '../../format.js';
import { isLibrary } from '../shared/python-trace.js';
import { type Place, placeOf } from './lines.js';

const CAPTURED = /^-+ ?(?:Captured .*|live log .*) ?-+$/;
const WORKER = /^\[gw\d+\] \w+ -- /;
const NEXT_EXCEPTION = /^(?:The above exception was the direct cause|During handling of the above exception)/;
const GROUP = /^ +\| ([A-Za-z_][\w.]*: .*)$/;
const TEST_FILE = /(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*_test|tests)\.py$/;
const IN_SOURCE = /^ *File "([^"]{1,1000})", line (\d+)$/;
const MESSAGE_LINES = 30;
const PLACES = 40;

export class Report {
  #places: Place[] = [];
  /** Lines marked E of the last exception of the chain, and the indent of the first of them. */
  #marked: string[] = [];
  #indent = 0;
  #open = false;
  #group: string | undefined;
  /** Flush-left lines: all there is in reports without a trace. */
  #text: string[] = [];
  #native = false;
  /** In what the test printed: nothing there is pytest's own word. */
  captured = false;

  add({ text }: Line): void {
    if (CAPTURED.test(text)) this.captured = true;
    if (this.captured || WORKER.test(text)) return;
    if (/^E(?: {3}|$)/.test(text)) {
      this.#mark(text.slice(4));
      return;
    }
    this.#open = false;
    const place = placeOf(text);
    if (place !== undefined) {
      if (this.#places.length >= PLACES) this.#places.splice(PLACES / 2, 1);
      this.#places.push(place);
      if (text.startsWith('  File "')) {
        this.#native = true;
        this.#text = [];
      }
      return;
    }
    if (NEXT_EXCEPTION.test(text)) {
      this.#marked = [];
      this.#text = [];
      return;
    }
    this.#group ??= GROUP.exec(text)?.[1];
    this.#plain(text);
  }

  #mark(text: string): void {
    const indent = text.search(/\S/);
    if (!this.#open && this.#marked.length > 0) this.#marked = [];
    if (this.#marked.length === 0) this.#indent = Math.max(0, indent);
    this.#open = true;
    const [, file, line] = IN_SOURCE.exec(text) ?? [];
    if (file !== undefined) this.#places.push({ file, line: Number(line), rest: '' });
    const cut = indent < 0 ? text.length : Math.min(indent, this.#indent);
    if (this.#marked.length < MESSAGE_LINES) this.#marked.push(text.slice(cut));
  }

  #plain(text: string): void {
    // `>` marks the failing source line, `001 ` a doctest's, `_ _ _` parts entries of a trace.
    const flush = /^[^\s>]/.test(text) && !/^(?:\d{3} |_ _ |Traceback |file )/.test(text);
    if (flush || (this.#text.length > 0 && !this.#native)) {
      if (this.#text.length < MESSAGE_LINES) this.#text.push(text);
    } else if (this.#native && text.trim() !== '') this.#text = [];
  }

  /** The exception's own words, or `text`: what stands in a report without an exception, which may be anything. */
  get message(): { exact?: string; text?: string } {
    const marked = this.#marked;
    // A syntax error is told last, under the source it is in.
    const syntax = IN_SOURCE.test(marked[0] ?? '') ? [marked.at(-1) as string, ...marked.slice(0, -1)] : marked;
    const exact = (syntax.length > 0 ? syntax.join('\n') : (this.#group ?? '')).trim();
    const text = this.#text.join('\n').trim();
    return { ...(exact && { exact }), ...(text && { text }) };
  }

  /** Where the test or fixture of this heading is likely to stand. */
  origin(heading: string): string | undefined {
    const own = this.#places.filter(({ file }) => !isLibrary(file));
    const within = `in ${(/([^.]*)$/.exec(heading.replace(/[[(].*$/, ''))?.[1] ?? '').trim()}`;
    const found = own.find(({ rest }) => rest === within) ?? own.find(({ file }) => isTestFile(file)) ?? own[0];
    return found?.file;
  }

  speaksOf(file: string): boolean {
    return this.#places.some(place => sameFile(place.file, file));
  }

  /** Where it failed: in the test's own file if the report goes through it. */
  place(file: string | undefined): Pick<Fields, 'file' | 'line'> {
    const own = file === undefined ? undefined : this.#places.findLast(place => sameFile(place.file, file));
    const place = own ?? this.#places.findLast(p => !isLibrary(p.file)) ?? this.#places.at(-1);
    return place === undefined ? {} : { file: place.file, line: place.line };
  }
}

/** Reports may name the same file by its absolute path. */
export const sameFile = (printed: string, file: string): boolean => {
  const path = printed.replaceAll('\\', '/');
  return path === file || path.endsWith(`/${file.replace(/^(?:\.\.\/)+/, '')}`);
};

export const isTestFile = (file: string): boolean => TEST_FILE.test(file);
