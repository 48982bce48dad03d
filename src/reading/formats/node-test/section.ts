/** The closing section of node:test's spec and dot reporters: every failing test once more, with its place and error. */
import type { Line } from '../../format.js';

/** Durations always have decimals; `✖ 3 problems` and other runners' `✖ name (3ms)` have none. */
export const RESULT = /^((?: {2})*)([✖✔⚠﹣▶]) (.+) \(\d+\.\d+ms\)( # .*)?$/;
/** A suite begins, or (in its parent) a test that never ran: no duration. */
export const BARE = /^((?: {2})*)([✖▶]) (.+)$/;
/** The last line of a name of several: only that one bears the duration. */
export const LAST = /^(.+) \(\d+\.\d+ms\)( # .*)?$/;
const TITLE_LINES = 8;
/** Another test, also behind output without a newline. */
const OTHER = /[✖✔⚠﹣▶] \S|^test at .+:\d+:\d+$/;
const AT = /^test at (.+):(\d+):(\d+)$/;
/** What the dot reporter says of a suite that failed only because of what is in it. */
const PARENT = /^'\d+ subtests? failed'$/;

/** How much of an error is kept to find its message and place in it. */
export const ERROR_LINES = 200;

/** The lines of a name, as far as it can be told that they are. */
export class Title {
  readonly lines: Line[] = [];

  constructor(readonly first: string) {}

  /** @returns the name, when it is whole; undefined: it had one line only, and what came since is no part of it */
  line(line: Line): 'more' | { name: string; reason: string | undefined } | undefined {
    const { text } = line;
    if (text === '' || this.lines.length >= TITLE_LINES || OTHER.test(text)) return undefined;
    const [, last, reason] = LAST.exec(text) ?? [];
    if (last !== undefined)
      return { name: [this.first, ...this.lines.map(({ text }) => text), last].join('\n'), reason };
    this.lines.push(line);
    return 'more';
  }
}

/** What the closing section says of one test. */
export interface Entry {
  name: string;
  line: Line;
  at: RegExpExecArray | null;
  error: Line[];
}

/** `✖ failing tests:` and what follows, to the end. */
export class Section {
  #say: (entry: Entry) => void;
  #at: RegExpExecArray | null = null;
  #entry: Entry | undefined;
  #title: Title | undefined;

  constructor(say: (entry: Entry) => void) {
    this.#say = say;
  }

  line(line: Line): 'more' | undefined {
    const { text } = line;
    const title = this.#title?.line(line);
    if (title === 'more') return 'more';
    if (this.#title !== undefined) this.#titled(this.#title, title);
    if (title !== undefined) return 'more';
    if (text === '') return 'more';
    if (text.startsWith('  ')) {
      if ((this.#entry?.error.length ?? ERROR_LINES) < ERROR_LINES)
        this.#entry?.error.push({ ...line, text: text.slice(2) });
      return 'more';
    }
    const at = AT.exec(text);
    const [, , mark, name = '', reason] = RESULT.exec(text) ?? BARE.exec(text) ?? [];
    if (at === null && mark !== '✖' && mark !== '⚠') return undefined;
    this.end();
    // What is still to be done is listed too.
    if (mark === '✖' && reason === undefined) {
      this.#entry = { name, line, at: this.#at, error: [] };
      if (RESULT.exec(text) === null) this.#title = new Title(name);
    }
    this.#at = at;
    return 'more';
  }

  /** The name is known: what was held for it belongs to it, or to the error. */
  #titled({ lines }: Title, said: Exclude<ReturnType<Title['line']>, 'more'>): void {
    this.#title = undefined;
    if (this.#entry === undefined) return;
    if (said?.reason !== undefined) this.#entry = undefined;
    else if (said !== undefined) this.#entry.name = said.name;
    else for (const line of lines) this.#entry.error.push({ ...line, text: line.text.slice(2) });
  }

  end(): void {
    if (this.#title !== undefined) this.#titled(this.#title, undefined);
    const entry = this.#entry;
    this.#entry = undefined;
    // The dot reporter lists the parents of what failed.
    if (entry !== undefined && !PARENT.test(entry.error[0]?.text ?? '')) this.#say(entry);
  }
}
