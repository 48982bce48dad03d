/**
 * What libtest shows of one failing test under `---- name stdout ----`: the test's output, its panics, the runner's own
 * notes, and for a doctest also what the compiler said. Read line by line; `fields` picks what tells most.
 */
import type { Fields, Line } from '../../format.js';
import { addToPanic, type Panic, panicFields, panicOf } from '../shared/rust-panic.js';

const CALM = /^note: test did not panic as expected(?: at (.+):(\d+):(\d+))?$/;
const OTHER_PANIC = 'note: panic did not contain expected string';
const ERR = /^Error: (.*)$/;
const DOCTEST =
  /^(?:Test executable failed \(.*\)\.|Test executable succeeded, but .*|Test compiled successfully, but .*|Some expected error codes were not found: .*)$/;
const ERROR = /^error(?:\[(E\d{4})\])?: (.*)$/;
const ARROW = /^ {0,8}--> (.+):(\d+):(\d+)$/;
/** What the compiler says at its end is no diagnostic. */
const ABORTING = /^aborting due to /;
/** Lines kept for `detail`: the engine cuts at 4 KiB itself, and should see that there was more. */
const KEPT = 4200;
const PANICS = 20;

export class Story {
  lines: Line[] = [];
  #kept = 0;
  #panics: Panic[] = [];
  #open: Panic | undefined;
  #calm: Fields | undefined;
  #otherPanic: string[] | undefined;
  #err: string | undefined;
  #doctest: string | undefined;
  #error: Fields | undefined;
  #text: string[] = [];

  /** @param plain the block is not headed `stdout`: a harness like libtest-mimic shows the failure's message alone */
  constructor(readonly plain: boolean) {}

  add(line: Line): void {
    if (this.#kept < KEPT) {
      this.lines.push(line);
      this.#kept += line.text.length + 1;
    }
    const { text } = line;
    if (this.#open !== undefined && addToPanic(this.#open, text)) return;
    this.#open = panicOf(text);
    if (this.#open !== undefined) this.#panic(this.#open);
    else this.#note(text);
  }

  /** The message of the panic at hand is over, whatever follows. */
  settle(): void {
    this.#open = undefined;
  }

  #panic(panic: Panic): void {
    if (this.#panics.length >= PANICS) this.#panics.splice(1, 1);
    this.#panics.push(panic);
  }

  #note(text: string): void {
    if (this.plain && this.#text.length < PANICS) this.#text.push(text);
    if (text === OTHER_PANIC) this.#otherPanic = [text.slice(6)];
    else if (this.#otherPanic !== undefined && this.#otherPanic.length < 3) this.#otherPanic.push(text);
    const calm = CALM.exec(text);
    if (calm !== null) this.#calm = { message: 'test did not panic as expected', ...at(calm) };
    this.#err = ERR.exec(text)?.[1] ?? this.#err;
    if (DOCTEST.test(text)) this.#doctest = text;
    this.#diagnostic(text);
  }

  /** The first error of the compiler, or a line of that shape. */
  #diagnostic(text: string): void {
    const [, code, message = ''] = ERROR.exec(text) ?? [];
    if (this.#error === undefined && message !== '' && !ABORTING.test(message)) {
      this.#error = { message, ...(code && { code }) };
    } else if (this.#error !== undefined && this.#error.file === undefined) {
      Object.assign(this.#error, at(ARROW.exec(text)));
    }
  }

  fields(test: string): Fields {
    const panic = this.#own(test);
    if (this.#otherPanic !== undefined) {
      return { ...(panic && panicFields(panic)), message: this.#otherPanic.join('\n') };
    }
    if (this.#calm !== undefined) return this.#calm;
    if (panic !== undefined) return panicFields(panic);
    if (this.#err !== undefined) return { message: `Error: ${this.#err}` };
    if (this.plain) return { message: this.#text.join('\n').trim() };
    if (this.#doctest !== undefined) return { message: this.#doctest };
    return this.#error ?? {};
  }

  /** The panic that ended the test: the last one of its own thread, which older versions and doctests call `main`. */
  #own(test: string): Panic | undefined {
    const last = (thread: string) => this.#panics.findLast(panic => panic.thread === thread);
    return last(test) ?? last('main') ?? this.#panics.at(-1);
  }
}

function at(match: RegExpExecArray | null): Fields {
  const [, file, line, column] = match ?? [];
  return file === undefined ? {} : { file, line: Number(line), column: Number(column) };
}
