/**
 * Playwright `--reporter=json`: `config`, then `suites`, a file each, with suites and specs in them to any depth; a spec has
 * a test for each project, a test a result for each attempt. Ids as in its logs: `[project] file > suite > test`.
 */
import { posix } from 'node:path';
import { plainText } from '../controls.js';
import type { Fields as Known, Out } from '../format.js';
import { messageOf } from '../formats/shared/js-stack.js';
import { addText, at, type Report } from '../report.js';
import { count, documents, type Fields, lineOf, list, object, type Path, string, strings } from './shared/json.js';

const BEGINS = /^\{\s*"config"\s*:\s*\{\s*"(?:argv|configFile|rootDir|forbidOnly|fullyParallel|failOnFlakyTests)"\s*:/;
const ATTEMPTS = 100;
const ERROR = 65_536;
const TITLE = 4096;
const STOPPED = /^Testing stopped early after /;
const NO_TESTS = /^(?:Error: )?(No tests found)\b/;
/** A file that cannot be loaded. */
const UNLOADED = /^ {3}at (\S.*?):(\d+)\n/;
const OWN_PATH = /^(\w*Error: )\S*[/\\]\S+: (?=\S)/;
const PASSED = 'Expected to fail, but passed.';
/** Until then logs named files from `rootDir`; since then from where it was started. */
const FROM_CWD = [1, 50];

const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Whether `1.65.1` is at least `1.50`. */
function since(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** A test of one project. */
interface Test {
  /** Where the test stands. */
  place: Place;
  suite: string;
  titles: string[];
  /** Another one of this name is in the report. */
  twin: boolean;
  value: Fields;
  no: number;
}

/** One document: one run. */
class Run {
  readonly #out: Out;
  readonly #config = new Map<string, unknown>();
  readonly #stats = new Map<string, unknown>();
  #tests = 0;
  #failed = 0;
  /** Something kept tests from being run. */
  #stopped = false;
  #begun = false;

  constructor(out: Out) {
    this.#out = out;
  }

  read(path: Path, value: unknown, no: number): void {
    if (!this.#begun) this.#out.begin();
    this.#begun = true;
    const [top, below] = path;
    if (path.length === 0) this.#end(no);
    else if (path.length !== 2) return;
    else if (top === 'config') this.#config.set(String(below), value);
    else if (top === 'stats') this.#stats.set(String(below), value);
    else if (top === 'suites') this.#file(object(value), no);
    else if (top === 'errors') this.#error(object(value), no);
  }

  /** The folder that logs name files from, and that which the report does. */
  get #folders(): { shown: string; root: string } {
    const root = slashed(string(this.#config.get('rootDir')));
    const config = slashed(string(this.#config.get('configFile')));
    const version = string(this.#config.get('version'));
    return { root, shown: config !== '' && since(version, FROM_CWD) ? posix.dirname(config) : root };
  }

  #shown(file: string): string {
    const { shown, root } = this.#folders;
    return posix.isAbsolute(shown) ? posix.relative(shown, posix.resolve(root, slashed(file))) : slashed(file);
  }

  /** A file's suites, without recursion: they may be nested to any depth. */
  #file(value: Fields, no: number): void {
    const open: { suite: Fields; titles: string[] }[] = [{ suite: value, titles: [] }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { suite, titles } = next;
      for (const spec of list(suite.specs)) this.#spec(object(spec), titles, no);
      for (const inner of [...list(suite.suites)].reverse()) {
        const title = string(object(inner).title);
        open.push({ suite: object(inner), titles: title === '' ? titles : [...titles, title] });
      }
    }
    this.#close();
  }

  #spec(spec: Fields, above: readonly string[], no: number): void {
    const place = this.#place(spec);
    const { file, line, column } = place;
    const tests = list(spec.tests).map(object);
    for (const value of tests) {
      const project = string(value.projectName);
      const label = project === '' ? '' : `[${project}] `;
      const titles = [...above, string(spec.title)];
      const tags = this.#tags(spec, [label, `${file}:${line}:${column}`, ...titles].join(' › '));
      if (tags !== '') titles.push(`${titles.pop()} ${tags}`);
      const twin = tests.filter(other => other.projectName === value.projectName).length > 1;
      this.#test({ place, suite: label + this.#out.path(file), titles, twin, value, no: lineOf(spec, no) });
    }
  }

  /** Those that logs print behind the title, since it does not hold them. */
  #tags(spec: Fields, title: string): string {
    const all = strings(this.#config.get('tags'));
    const tags = strings(spec.tags).map(tag => (tag.startsWith('@') ? tag : `@${tag}`));
    return tags.filter(tag => !title.includes(tag) && !all.includes(tag)).join(' ');
  }

  #test({ place, suite, titles, twin, value, no }: Test): void {
    const key = String(++this.#tests);
    const name = titles.join(' › ');
    const path = name.split(' › ').map(title => title.trim());
    const fields: Known = {
      id: [suite, ...path].join(' > ').slice(0, TITLE),
      suite,
      name: path.join(' > ').slice(0, TITLE),
    };
    if (twin || name.length > TITLE) fields.weakId = true;
    const results = list(value.results).map(object);
    this.#stopped ||= results.some(result => result.status === 'interrupted');
    if (value.status === 'skipped') {
      // What has no result was not come to, but for what is never run.
      if (results.length > 0 || value.expectedStatus === 'skipped') this.#out.outcome('skipped', key, at(no), fields);
      return;
    }
    const ran = results.filter(({ status }) => status !== 'skipped' && status !== 'interrupted').slice(-ATTEMPTS);
    for (const [n, result] of ran.entries()) {
      const told: Known = { ...fields, ...(ran.length > 1 && { attempt: n + 1 }) };
      if (result.status === value.expectedStatus) this.#out.outcome('passed', key, at(no), told);
      else if (n < ran.length - 1 || value.status !== 'unexpected') this.#out.outcome('failed', key, at(no), told);
      else this.#fail(key, no, told, place, result);
    }
  }

  #fail(key: string, no: number, fields: Known, own: Place, result: Fields): void {
    this.#failed++;
    const draft = this.#out.part('detail', key, at(no), fields);
    const errors = list(result.errors).map(object);
    const texts = errors.map(error => textOf(error)).filter(text => text !== '');
    if (texts.length === 0 && result.status === 'passed') texts.push(PASSED);
    const place = errors.map(error => this.#place(object(error.location))).find(({ file }) => file !== '') ?? own;
    Object.assign(draft.fields, { message: messageIn(texts[0] ?? '') }, place);
    for (const text of texts) addText(draft, `${text}\n`, no);
  }

  /** An error of no test: mostly a file that cannot be loaded, and then no test was run. */
  #error(error: Fields, no: number): void {
    const text = textOf(error);
    if (STOPPED.test(text)) {
      this.#out.early('failFast');
      return;
    }
    const [first = ''] = text.split('\n', 1);
    const [, file, line] = UNLOADED.exec(string(error.snippet)) ?? [];
    const place = file === undefined ? this.#place(object(error.location)) : { file, line: Number(line) };
    const none = NO_TESTS.exec(first)?.[1];
    const kind = place.file !== '' || none !== undefined ? 'build' : 'crash';
    const message = none ?? first.replace(OWN_PATH, '$1');
    this.#stopped = true;
    const from = lineOf(error, no);
    const known: Known = { tool: 'playwright', message, ...(place.file !== '' && place) };
    addText(this.#out.failure({ kind, ...known }, at(from)), text, from);
  }

  /** A place as logs name it; without a file where there is none. */
  #place({ file, line, column }: Fields): Place {
    const [row, col] = [count(line), count(column)];
    const shown = string(file) === '' ? '' : this.#shown(string(file));
    return { file: shown, ...(row !== undefined && { line: row }), ...(col !== undefined && { column: col }) };
  }

  #end(no: number): void {
    const number = (name: string): number => count(this.#stats.get(name)) ?? 0;
    const failed = number('unexpected');
    const most = count(this.#config.get('maxFailures')) ?? 0;
    if (this.#stopped && this.#tests > 0) this.#out.early('bailOut');
    else if (most > 0 && failed >= most) this.#out.early('failFast');
    const passed = number('expected') + number('flaky');
    const result = failed > 0 || this.#stopped ? 'failed' : 'passed';
    // Where no test was found no run took place.
    if (this.#tests > 0) {
      this.#out.tally({ passed, failed, skipped: number('skipped'), counted: this.#failed, result }, at(no));
    }
    this.#close();
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
