/**
 * Jest `--json`, 24 to 30, and vitest `--reporter=json`, which writes nearly the same: `testResults`, a file each, with its
 * tests in `assertionResults`. Ids are those of the logs, `path > suite > test`, as far as the path is known (root.ts).
 */
import { plainText } from '../controls.js';
import type { Fields as Known, Out, Tally } from '../format.js';
import { Failing, SUITE_FAILED } from '../formats/jest.js';
import { messageOf, placeOf } from '../formats/shared/js-stack.js';
import { isAbsolute } from '../paths.js';
import { addText, at, type Report } from '../report.js';
import { Blocks } from './jest-json/blocks.js';
import { rootOf, slashed, typesRoot } from './jest-json/root.js';
import { idOf, type Test, TITLE, testOf } from './jest-json/test.js';
import { Totals } from './jest-json/totals.js';
import { excerpt } from './shared/excerpt.js';
import { documents, type Fields, isObject, list, object, type Path, string } from './shared/json.js';

const BEGINS = /^\{\s*"num(?:Failed|Passed|Pending|RuntimeError|Total|Todo)Test(?:Suite)?s"\s*:/;

interface File {
  name: string;
  /** As the runner prints it; unknown: its tests are known by their names alone. */
  suite: string | undefined;
}

/** One document: one run. */
class Run {
  readonly #out: Out;
  readonly #totals = new Totals();
  #root: string | undefined;
  /** Those of which something is held, by their numbers. */
  #files = new Map<string, File>();
  #names = new Set<string>();
  /** Tests that share their name with another one of their file. */
  #twins = new Set<string>();
  /** Of files whose path is not known yet. */
  #tallies: { file: File; tally: Tally; no: number }[] = [];

  constructor(out: Out) {
    this.#out = out;
  }

  get #tool(): 'jest' | 'vitest' {
    return this.#totals.tool;
  }

  read(path: Path, value: unknown, no: number): void {
    const [top, below] = path;
    if (this.#totals.files === 0) this.#out.begin();
    if (top === 'testResults' && typeof below === 'number') this.#file(value, no);
    else if (path.length === 1) this.#totals.say(String(top), value);
    else if (path.length === 0) this.#end(no);
  }

  #file(found: unknown, no: number): void {
    const value = object(found);
    if (!isObject(found)) this.#totals.unknown = true;
    const name = slashed(string(value.name));
    this.#root ??= this.#tool === 'jest' ? rootOf(name, value) : typesRoot(name, value);
    const file: File = { name, suite: this.#suiteOf(name) };
    const number = String(++this.#totals.files);
    this.#files.set(number, file);
    const tests = list(value.assertionResults).map((test, i) =>
      testOf(object(test), `${number} ${i}`, this.#tool, name, no),
    );
    this.#findTwins(tests, this.#names.has(name));
    this.#names.add(name);
    const titles = tests.flatMap(test => test.errors.map(() => test.titles.join(' › ')));
    const blocks = new Blocks(this.#tool === 'jest' ? string(value.message) : '', titles);
    for (const test of tests) {
      this.#totals.add(test);
      this.#say(test, blocks);
    }
    const failed = tests.filter(test => test.result === 'failed').length;
    const known = isObject(found) && tests.every(test => test.result !== undefined);
    const broken = this.#broken(value, number, blocks, failed === 0 && known, no);
    const red = broken || failed > 0;
    if (red) this.#totals.failedFiles++;
    // Vitest lists files that it did not come to, without tests.
    const ended = tests.every(test => test.result !== 'unended') && (red || tests.length > 0);
    if (!ended) this.#totals.unended = true;
    const tally: Tally = { result: red ? 'failed' : 'passed', counted: failed + (broken ? 1 : 0) };
    // Vitest leaves out what fails beside the tests: a hook, a worker.
    if (known && (this.#tool === 'jest' || (!red && ended))) this.#tallies.push({ file, tally, no });
    // Until the path of a file is known, what was read of it is held.
    if (file.suite !== undefined) this.#close();
  }

  #suiteOf(name: string): string | undefined {
    const placed = this.#out.path(name);
    if (!isAbsolute(placed)) return placed;
    const root = this.#root;
    return root !== undefined && name.startsWith(`${root}/`) ? this.#out.path(name.slice(root.length + 1)) : undefined;
  }

  #findTwins(tests: readonly Test[], all: boolean): void {
    const names = new Map<string, string>();
    for (const { key, titles } of tests) {
      const name = idOf(titles, this.#tool);
      const other = names.get(name);
      if (other !== undefined) this.#twins.add(other);
      if (all || other !== undefined) this.#twins.add(key);
      names.set(name, key);
    }
  }

  #say(test: Test, blocks: Blocks): void {
    const { key, titles, result, before, no } = test;
    const joined = titles.join(this.#tool === 'jest' ? ' › ' : ' > ').trim();
    const fields: Known = { id: idOf(titles, this.#tool), name: joined.slice(0, TITLE), tool: this.#tool };
    if (joined.length > TITLE) this.#twins.add(key);
    if (result === undefined) return;
    for (let attempt = 1; attempt <= before; attempt++) {
      this.#out.outcome('failed', key, at(no), { ...fields, attempt });
    }
    if (before > 0) fields.attempt = before + 1;
    if (result === 'unended') return;
    if (result !== 'failed') {
      this.#out.outcome(result, key, at(no), fields);
      return;
    }
    const told = blocks.take(titles.join(' › '), test.errors.length);
    this.#fail(key, no, fields, told.length > 0 ? told : test.errors);
  }

  /** @param errors as jest prints them, with a margin, or as they were thrown */
  #fail(key: string, no: number, fields: Known, errors: readonly string[]): void {
    const draft = this.#out.part('detail', key, at(no), fields);
    const texts = errors.map(error => plainText(excerpt(error)));
    Object.assign(draft.fields, this.#told(texts[0] ?? '', this.#fileOf(key)?.name ?? '', fields.name ?? ''));
    for (const text of texts) addText(draft, text, no);
  }

  #told(text: string, file: string, title: string): Known {
    const margin = /^\n*(?: {4}|$)/.test(text);
    const lines = text.split('\n').map(line => at(1, this.#tool === 'jest' && !margin ? `    ${line}` : line));
    if (this.#tool === 'vitest') return { message: messageOf(lines, 0), ...(placeOf(lines, file) ?? { file }) };
    const failing = new Failing(title, at(1));
    for (const line of lines) failing.line(line);
    return failing.told(file);
  }

  /**
   * A file that could not be loaded, or that failed outside of its tests.
   * @param fine none of its tests failed
   * @returns whether it did
   */
  #broken(value: Fields, number: string, blocks: Blocks, fine: boolean, no: number): boolean {
    const said = string(value.message);
    const whole = blocks.take(SUITE_FAILED, 1);
    const unloaded = list(value.assertionResults).length === 0 && said !== '';
    const unexplained = value.status === 'failed' && fine;
    if (whole.length === 0 && !unloaded && !unexplained) return false;
    const errors = whole.length > 0 ? whole : [said || 'the file failed outside of its tests'];
    this.#fail(`${number} ${SUITE_FAILED}`, no, { name: SUITE_FAILED, tool: this.#tool }, errors);
    return true;
  }

  #end(no: number): void {
    const { early, unexplained, tally, tool } = this.#totals;
    if (early !== undefined) this.#out.early(early);
    if (unexplained !== undefined) {
      const id = `${tool}: ${unexplained.message}`;
      this.#out.failure({ ...unexplained, tool, id }, at(no));
    }
    this.#close(() => tally && this.#out.tally(tally, at(no)));
  }

  /** What is held goes out, with the paths that are known by now. */
  #close(last: () => void = () => {}): void {
    for (const file of this.#files.values()) file.suite ??= this.#suiteOf(file.name);
    for (const { file, tally, no } of this.#tallies) {
      if (file.suite !== undefined) this.#out.tally({ ...tally, suite: file.suite }, at(no));
    }
    this.#tallies = [];
    last();
    this.#out.close((fields, key) => this.#finish(fields, key));
    this.#files.clear();
    this.#twins.clear();
  }

  #fileOf(key: string): File | undefined {
    return this.#files.get(key.slice(0, key.indexOf(' ')));
  }

  #finish(fields: Known, key: string): void {
    fields.tool = this.#tool;
    const file = this.#fileOf(key);
    if (file === undefined) return;
    const { name, suite } = file;
    const whole = key.endsWith(` ${SUITE_FAILED}`);
    if (whole) Object.assign(fields, { id: suite ?? name, name: suite ?? name });
    else if (suite !== undefined) fields.id = `${suite} > ${fields.id}`;
    if (suite !== undefined) fields.suite = suite;
    if (fields.file === name) fields.file = this.#shown(name);
    if (suite === undefined || this.#twins.has(key)) fields.weakId = true;
  }

  /** `--root` and `--prefix` are for the engine to heed. */
  #shown(name: string): string {
    const root = this.#root;
    return root !== undefined && name.startsWith(`${root}/`) && isAbsolute(this.#out.path(name))
      ? name.slice(root.length + 1)
      : name;
  }

  cut(): void {
    this.#out.early('truncated');
    this.#close();
  }
}

export const jestJson: Report = {
  name: 'jest-json',
  url: 'https://jestjs.io/docs/cli#--json',
  begins: head => BEGINS.test(head),
  parser: out => documents(() => new Run(out)),
};
