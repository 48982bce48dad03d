/**
 * What a test printed, below its line: `  stdout ───` and `  stderr ───` with their text four columns in (or at the
 * margin, with --no-output-indent and in older versions), at the end `    (test aborted with signal 6: SIGABRT)`. Where
 * the locale knows no rules, they are dashes.
 */
import type { Block, Draft, Fields, Line } from '../../format.js';
import { Story } from '../cargo/story.js';
import { panicOf } from '../shared/rust-panic.js';

const INDENTED = /^ {2}(?:stdout|stderr|output|execfail) (?:─{1,3}|-{1,3})$/;
const AT_MARGIN =
  /^(?:(?:─{1,2}|-{1,2}) (?:stdout|stderr|output|execfail) (?:─{1,2}|-{1,2})|--- (?:TRY \d+ )?STD(?:OUT|ERR)\b.* ---)$/;
const HOW = /^ {4}\((?:test|script) (.+)\)$/;
/** Below a Windows abort. */
const CODE = /^ +- ((?:with code|terminated via) .*)$/;
const OVERFLOW = /^thread '.+'(?: \(\d+\))? has overflowed its stack$/;
/** The runtime's own word, that it cannot unwind, tells less than the panic before it. */
const RUNTIME = '/core/src/panicking.rs';
/** libtest's line of the test, below which nothing is a panic's message. */
const ENDED = /^test (.+?)(?: - should panic)? \.\.\. (?:ok|(FAILED))$/;
const RULE = /^(?:─{12}|-{12})$/;
const NEXTEST = /^ +(?:Summary \[|Cancell?ing due to |Killing due to |Stress test |Nextest run ID )/;

export const isHeader = (text: string): boolean => INDENTED.test(text) || AT_MARGIN.test(text);

/** nextest speaks again, though not of a test. */
export const isOwn = (text: string): boolean => RULE.test(text) || NEXTEST.test(text);

export class Output {
  readonly #story = new Story(false);
  readonly #lines: Line[] = [];
  #kept = 0;
  #how = '';
  #overflow = false;
  #over = false;
  /** What libtest says it ran, where the line of the test is missing. */
  failed: string | undefined;

  get empty(): boolean {
    return this.#lines.length === 0;
  }

  add(line: Line): void {
    const { text } = line;
    if (this.#kept < 4200) {
      this.#lines.push(line);
      this.#kept += text.length + 1;
    }
    const ended = ENDED.exec(text);
    if (ended !== null) this.#story.settle();
    if (ended?.[2] !== undefined) this.failed ??= ended[1];
    this.#overflow ||= OVERFLOW.test(text);
    this.#over ||= panicOf(text)?.file?.includes(RUNTIME) === true;
    if (!this.#over) this.#story.add(line);
  }

  /** `aborted with signal 6: SIGABRT` */
  ended(how: string, line: Line): void {
    this.#how = how;
    this.#lines.push(line);
  }

  tell(draft: Draft, test: string, word: string): void {
    for (const line of this.#lines) draft.add(line);
    const { message, ...place } = this.#story.fields(test);
    const said = this.#overflow ? 'has overflowed its stack' : message;
    const all: Fields = { message: [said, this.#how].filter(Boolean).join('\n') || word, ...place };
    Object.assign(draft.fields, all);
  }
}

/**
 * The lines below a test's own, as far as they are what it printed.
 * @param own whether nextest speaks again
 */
export function outputBlock(output: Output, own: (text: string) => boolean, end: () => void): Block {
  let begun = false;
  let margin = 4;
  const header = (line: Line): 'more' => {
    begun = true;
    if (AT_MARGIN.test(line.text)) margin = 0;
    output.add({ ...line, text: line.text.trim() });
    return 'more';
  };
  return {
    line: line => {
      const { text } = line;
      if (isHeader(text)) return header(line);
      const how = HOW.exec(text)?.[1] ?? CODE.exec(text)?.[1];
      if (how !== undefined) {
        begun = true;
        output.ended(how, { ...line, text: text.trim() });
        return 'more';
      }
      if (own(text)) return undefined;
      if (text !== '' && (!begun || (margin > 0 && !text.startsWith('    ')))) return undefined;
      if (begun) output.add({ ...line, text: text.slice(margin) });
      return 'more';
    },
    end,
  };
}
