/**
 * Mocha `--reporter json`, 6 to 12: `stats`, then lists of tests: all, those that are pending, that failed (hooks among
 * them), that passed. A test's id is its full title, as in mocha's logs.
 */
import { plainText } from '../controls.js';
import type { Fields as Known, Line, Out } from '../format.js';
import { messageOf, place, placeOf } from '../formats/shared/js-stack.js';
import { addText, at, type Report } from '../report.js';
import { excerpt } from './shared/excerpt.js';
import { count, documents, type Fields, isObject, isRight, lineOf, object, type Path, string } from './shared/json.js';

const BEGINS = /^\{\s*"stats"\s*:\s*\{\s*"suites"\s*:/;
/** Mochawesome's begins so, too. */
const OTHERS = /"(?:testsRegistered|passPercent)"\s*:/;
const ATTEMPTS = 100;
const TITLE = 4096;
/** So many tests are said at once. */
const SAID = 500;

/** One document: one run. */
class Run {
  readonly #out: Out;
  readonly #stats = new Map<string, unknown>();
  readonly #read = { passed: 0, failed: 0, skipped: 0 };
  #tests = 0;
  /** Something that stands among the tests is none. */
  #unknown = false;
  /** Where mocha was started, as far as that is known. */
  #root: string | undefined;

  constructor(out: Out) {
    this.#out = out;
    out.begin();
  }

  read(path: Path, value: unknown, no: number): void {
    const [top, below] = path;
    if (path.length === 0) this.#end(no);
    else if (path.length !== 2) return;
    else if (top === 'stats') this.#stats.set(String(below), value);
    else if (top === 'pending') this.#test('skipped', value, no);
    else if (top === 'passes') this.#test('passed', value, no);
    else if (top === 'failures') this.#test('failed', value, no);
  }

  #test(result: 'passed' | 'failed' | 'skipped', test: unknown, no: number): void {
    if (!isObject(test)) {
      this.#unknown = true;
      return;
    }
    this.#read[result]++;
    const key = String(++this.#tests);
    const from = lineOf(test, no);
    const full = string(test.fullTitle) || string(test.title);
    const suite = full.endsWith(` ${string(test.title)}`) ? full.slice(0, -string(test.title).length - 1) : '';
    const fields: Known = { id: full.slice(0, TITLE), name: full.slice(0, TITLE), tool: 'mocha' };
    if (suite !== '') fields.suite = suite.slice(0, TITLE);
    if (full.length > TITLE || full === '') fields.weakId = true;
    const before = Math.min(count(test.currentRetry) ?? 0, ATTEMPTS);
    for (let attempt = 1; attempt <= before; attempt++)
      this.#out.outcome('failed', key, at(from), { ...fields, attempt });
    if (before > 0) fields.attempt = before + 1;
    if (result === 'failed') this.#fail(key, from, fields, test);
    else this.#out.outcome(result, key, at(from), fields);
    if (this.#tests % SAID === 0) this.close();
  }

  #fail(key: string, no: number, fields: Known, test: Fields): void {
    const error = object(test.err);
    const [stack, message] = [string(error.stack), string(error.message)].map(text => plainText(excerpt(text)));
    const text = stack || message || '';
    const lines = text.split('\n').map(line => at(no, line));
    const draft = this.#out.part('detail', key, at(no), fields);
    const file = this.#shown(string(test.file), lines);
    Object.assign(
      draft.fields,
      { message: messageOf(lines, 6) },
      placeOf(lines, file || undefined) ?? (file && { file }),
    );
    addText(draft, text, no);
  }

  /** As mocha names a file in its traces: from where it was started, which they tell. */
  #shown(file: string, trace: readonly Line[]): string {
    const own = trace.map(({ text }) => place(text)?.file ?? '').find(path => path !== '' && file.endsWith(`/${path}`));
    if (own !== undefined) this.#root ??= file.slice(0, -own.length);
    return this.#root !== undefined && file.startsWith(this.#root) ? file.slice(this.#root.length) : file;
  }

  #end(no: number): void {
    const number = (name: string): number => count(this.#stats.get(name)) ?? 0;
    const [passed, failed, skipped] = [number('passes'), number('failures'), number('pending')];
    const result = this.#read.failed > 0 ? 'failed' : 'passed';
    const agrees = this.#isRight ? undefined : false;
    this.#out.tally({ passed, failed, skipped, counted: this.#read.failed, result, agrees }, at(no));
    this.close();
  }

  /** Whether as many passed and were skipped as mocha counted. */
  get #isRight(): boolean {
    const { passed, skipped } = this.#read;
    return !this.#unknown && isRight(this.#stats.get('passes'), passed) && isRight(this.#stats.get('pending'), skipped);
  }

  cut(): void {
    this.#out.early('truncated');
    this.close();
  }

  close(): void {
    this.#out.close(fields => {
      fields.tool = 'mocha';
    });
  }
}

export const mochaJson: Report = {
  name: 'mocha-json',
  url: 'https://mochajs.org/#json',
  begins: head => BEGINS.test(head) && !OTHERS.test(head),
  parser: out => documents(() => new Run(out)),
};
