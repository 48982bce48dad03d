/**
 * Playwright `--reporter=json`: `config`, then `suites`, a file each, with suites and specs in them to any depth; a spec has
 * a test for each project, a test a result for each attempt. Ids as in its logs: `[project] file > suite > test`.
 */
import { plainText } from '../controls.js';
import type { Fields as Known, Out } from '../format.js';
import { messageOf } from '../formats/shared/js-stack.js';
import { addText, at, type Report } from '../report.js';
import { Config, type Place } from './playwright-json/config.js';
import {
  count,
  documents,
  type Fields,
  isObject,
  isRight,
  lineOf,
  list,
  object,
  type Path,
  string,
} from './shared/json.js';

const BEGINS = /^\{\s*"config"\s*:\s*\{\s*"(?:argv|configFile|rootDir|forbidOnly|fullyParallel|failOnFlakyTests)"\s*:/;
const ATTEMPTS = 100;
const ERROR = 65_536;
const TITLE = 4096;
const STOPPED = /^Testing stopped early after /;
const NO_TESTS = /^(?:Error: )?(No tests found)\b/;
/** A file that cannot be loaded. */
const UNLOADED = /^ {3}at (\S.*?):(\d+)\n/;
const OWN_PATH = /^(\w*Error: )\S*[/\\]\S+: (?=\S)/;
/** How an attempt may end. */
const STATUS = /^(?:passed|failed|timedOut|skipped|interrupted)$/;
const isStatus = (value: unknown): boolean => STATUS.test(string(value));
const PASSED = 'Expected to fail, but passed.';

/** A test of one project. */
interface Test {
  /** Where the test stands. */
  place: Place;
  fields: Known & { id: string };
  value: Fields;
  no: number;
}

/** How a test may end, as it is counted in `stats`. */
const OUTCOMES = ['expected', 'unexpected', 'flaky', 'skipped'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** One document: one run. */
class Run {
  readonly #out: Out;
  readonly #config = new Config();
  readonly #stats = new Map<string, unknown>();
  readonly #read: Record<Outcome, number> = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  #files = new Set<string>();
  #tests = 0;
  #failed = 0;
  /** Of something it is not told what it is, or how it ended. */
  #unknown = false;
  /** Something kept tests from being run. */
  #stopped = false;

  constructor(out: Out) {
    this.#out = out;
    out.begin();
  }

  read(path: Path, value: unknown, no: number): void {
    const [top, below] = path;
    if (path.length === 0) this.#end(no);
    else if (path.length !== 2) return;
    else if (top === 'config') this.#config.say(String(below), value);
    else if (top === 'stats') this.#stats.set(String(below), value);
    else if (top === 'suites') this.#file(this.#object(value), no);
    else if (top === 'errors') this.#error(value, no);
  }

  #object(value: unknown): Fields {
    if (!isObject(value)) this.#unknown = true;
    return object(value);
  }

  #file(value: Fields, no: number): void {
    const tests = this.#testsOf(value, no);
    const name = string(value.file) || string(value.title);
    const ids = new Map<string, number>();
    for (const { fields } of tests) ids.set(fields.id, (ids.get(fields.id) ?? 0) + 1);
    for (const test of tests) {
      if (this.#files.has(name) || ids.get(test.fields.id) !== 1) test.fields.weakId = true;
      this.#test(test);
    }
    this.#files.add(name);
    this.#close();
  }

  /** Those of all its suites, without recursion: they may be nested to any depth. */
  #testsOf(value: Fields, no: number): Test[] {
    const tests: Test[] = [];
    const open: { suite: Fields; titles: string[] }[] = [{ suite: value, titles: [] }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { suite, titles } = next;
      for (const spec of list(suite.specs)) tests.push(...this.#spec(this.#object(spec), titles, no));
      for (const inner of [...list(suite.suites)].reverse()) {
        const below = this.#object(inner);
        const title = string(below.title);
        open.push({ suite: below, titles: title === '' ? titles : [...titles, title] });
      }
    }
    return tests;
  }

  #spec(spec: Fields, above: readonly string[], no: number): Test[] {
    const place = this.#config.place(spec);
    const { file, line, column } = place;
    return list(spec.tests).map(test => {
      const value = this.#object(test);
      const project = string(value.projectName);
      const label = project === '' ? '' : `[${project}] `;
      const titles = [...above, string(spec.title)];
      const tags = this.#config.tags(spec, [label, `${file}:${line}:${column}`, ...titles].join(' › '));
      if (tags !== '') titles.push(`${titles.pop()} ${tags}`);
      return { place, fields: named(label + this.#out.path(file), titles), value, no: lineOf(spec, no) };
    });
  }

  #test({ place, fields, value, no }: Test): void {
    const key = String(++this.#tests);
    const outcome = OUTCOMES.find(one => one === value.status);
    if (outcome === undefined) {
      this.#unknown = true;
      return;
    }
    this.#read[outcome]++;
    const results = list(value.results).map(object);
    const told = isStatus(value.expectedStatus);
    this.#unknown ||= !told || results.some(result => !isStatus(result.status));
    this.#stopped ||= results.some(result => result.status === 'interrupted');
    if (outcome === 'skipped') {
      // What has no result was not come to, but for what is never run.
      if (results.length > 0 || value.expectedStatus === 'skipped') this.#out.outcome('skipped', key, at(no), fields);
      return;
    }
    const ran = results.filter(({ status }) => status !== 'skipped' && status !== 'interrupted').slice(-ATTEMPTS);
    for (const [n, result] of ran.entries()) {
      if (!isStatus(result.status)) continue;
      const known: Known = { ...fields, ...(ran.length > 1 && { attempt: n + 1 }) };
      if (result.status === value.expectedStatus) this.#out.outcome('passed', key, at(no), known);
      else if (n === ran.length - 1 && outcome === 'unexpected') this.#fail(key, no, known, place, result);
      else if (told) this.#out.outcome('failed', key, at(no), known);
    }
  }

  #fail(key: string, no: number, fields: Known, own: Place, result: Fields): void {
    this.#failed++;
    const draft = this.#out.part('detail', key, at(no), fields);
    const errors = list(result.errors).map(object);
    const texts = errors.map(error => textOf(error)).filter(text => text !== '');
    if (texts.length === 0 && result.status === 'passed') texts.push(PASSED);
    const place =
      errors.map(error => this.#config.place(object(error.location))).find(({ file }) => file !== '') ?? own;
    Object.assign(draft.fields, { message: messageIn(texts[0] ?? '') }, place);
    for (const text of texts) addText(draft, `${text}\n`, no);
  }

  /** An error of no test: mostly a file that cannot be loaded, and then no test was run. */
  #error(found: unknown, no: number): void {
    const error = this.#object(found);
    if (!isObject(found)) return;
    const text = textOf(error);
    if (STOPPED.test(text)) {
      this.#out.early('failFast');
      return;
    }
    const [first = ''] = text.split('\n', 1);
    const [, file, line] = UNLOADED.exec(string(error.snippet)) ?? [];
    const place = file === undefined ? this.#config.place(object(error.location)) : { file, line: Number(line) };
    const none = NO_TESTS.exec(first)?.[1];
    const kind = place.file !== '' || none !== undefined ? 'build' : 'crash';
    const message = none ?? first.replace(OWN_PATH, '$1');
    this.#stopped = true;
    const from = lineOf(error, no);
    const known: Known = { tool: 'playwright', message, ...(place.file !== '' && place) };
    addText(this.#out.failure({ kind, ...known }, at(from)), text, from);
  }

  #end(no: number): void {
    const number = (name: string): number => count(this.#stats.get(name)) ?? 0;
    const failed = number('unexpected');
    const most = this.#config.maxFailures;
    if (this.#stopped && this.#tests > 0) this.#out.early('bailOut');
    else if (most > 0 && failed >= most) this.#out.early('failFast');
    const passed = number('expected') + number('flaky');
    const result = failed > 0 || this.#stopped ? 'failed' : 'passed';
    // Where no test was found no run took place.
    if (this.#tests > 0 || this.#unknown) {
      const agrees = this.#isRight ? undefined : false;
      this.#out.tally({ passed, failed, skipped: number('skipped'), counted: this.#failed, result, agrees }, at(no));
    }
    this.#close();
  }

  /** Whether all was read that Playwright counted. */
  get #isRight(): boolean {
    return !this.#unknown && OUTCOMES.every(outcome => isRight(this.#stats.get(outcome), this.#read[outcome]));
  }

  cut(): void {
    this.#out.early('truncated');
    this.#close();
  }

  #close(): void {
    this.#out.close(fields => {
      fields.tool = 'playwright';
    });
  }
}

/** As logs do, which do not tell ` › ` within a title from one between titles. */
function named(suite: string, titles: readonly string[]): Test['fields'] {
  const name = titles.join(' › ');
  const path = name.split(' › ').map(title => title.trim());
  const fields = { id: [suite, ...path].join(' > ').slice(0, TITLE), suite, name: path.join(' > ').slice(0, TITLE) };
  return name.length > TITLE ? { ...fields, weakId: true } : fields;
}

/** An error as logs print it: its message goes on with the source. */
function textOf(error: Fields): string {
  const message = string(error.message) || string(error.value);
  const snippet = string(error.snippet);
  return plainText(
    [message, snippet && !message.includes(snippet) && snippet].filter(Boolean).join('\n\n').slice(0, ERROR),
  );
}

const messageIn = (text: string): string =>
  messageOf(
    text.split('\n').map(line => at(1, line)),
    0,
  );

export const playwrightJson: Report = {
  name: 'playwright-json',
  url: 'https://playwright.dev/docs/test-reporters#json-reporter',
  begins: head => BEGINS.test(head),
  parser: out => documents(() => new Run(out)),
};
