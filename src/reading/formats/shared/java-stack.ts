/**
 * What the Java test runners have in common: the message and stack below a failing test, and where in the test it failed.
 */
import type { Draft, Line } from '../../format.js';

const FRAME = /^\s*at (?:[\w.@-]*\/{1,2})?([\w.$<>]+)\.([\w$<>]+)\(([\w$.-]+\.\w+):(\d+)\)/;
/** gradle's short form: `java.lang.AssertionError at MoneyTest.java:27`. */
const AT = /^\s*(?:Caused by: )?([\w.$]+) at ([\w$.-]+\.\w+):(\d+)$/;
const STACK =
  /^\s*(?:at \S.*\)|\.\.\. \d+ (?:more|common frames omitted|lines|shared with parent)|Caused by: |Suppressed: |\[CIRCULAR REFERENCE)/;
/** Frames of what runs and checks tests. */
const LIBRARY =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy|org\.(?:junit|testng|hamcrest|assertj|opentest4j|mockito|apache\.maven|codehaus|gradle|spockframework)|junit|com\.google\.common\.truth)\./;
/** A message may go on for so many lines before its stack. */
const MESSAGE = 40;
const KEPT = 12;

/** `names(String)[2]` is the method `names`. */
export const methodOf = (name: string): string => /^[\w$]*/.exec(name)?.[0] ?? '';
/** `a.b.C$D` is `C$D`. */
export const simpleName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const outermost = (name: string): string => name.replace(/\$.*/, '');

export const isStack = (text: string): boolean => STACK.test(text);

/** Puts lines into a draft: message first, then frames, of which the one in the test itself says where. */
export class Trace {
  frames = 0;
  #lines = 0;
  #rank = 0;
  #message: string[] = [];

  constructor(
    readonly draft: Draft,
    readonly suite: string,
    readonly method: string,
  ) {}

  /** @returns false when the message has become too long to be one */
  add(line: Line, text = line.text): boolean {
    this.draft.add(line);
    const [, , file, no] = AT.exec(text) ?? [];
    if (file !== undefined) this.#at(1 + Number(file.startsWith(`${outermost(simpleName(this.suite))}.`)), file, no);
    if (!STACK.test(text)) return this.#say(text);
    this.frames++;
    const [, cls = '', method, source, at] = FRAME.exec(text) ?? [];
    if (source !== undefined && !LIBRARY.test(`${cls}.`)) this.#at(this.#rankOf(cls, method as string), source, at);
    return true;
  }

  /** What was taken for the message was not yet it. */
  restart(): void {
    this.#message = [];
    this.#lines = 0;
  }

  #say(text: string): boolean {
    if (this.frames > 0) return true;
    if (this.#message.length < KEPT) {
      this.#message.push(text.trimEnd());
      const message = this.#message
        .join('\n')
        .replace(/ at [\w$.-]+\.\w+:\d+$/, '')
        .trim();
      if (message !== '') this.draft.fields.message = message;
    }
    return ++this.#lines < MESSAGE;
  }

  #rankOf(cls: string, method: string): number {
    if (cls === this.suite) return 4;
    if (outermost(simpleName(cls)) === outermost(simpleName(this.suite))) return 3;
    return method === this.method ? 2 : 1;
  }

  #at(rank: number, file: string, no: string | undefined): void {
    if (rank <= this.#rank) return;
    this.#rank = rank;
    Object.assign(this.draft.fields, { file, line: Number(no) });
  }
}
