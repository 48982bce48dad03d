/**
 * The end of a package: `ok`, `FAIL`, and why it failed where no test says so: it was not built, it panicked, it exited.
 * A package that died says nothing about the tests it did not come to.
 */
import type { Block, Draft, Fields, Line, Out, Part, Tally } from '../../format.js';
import type { Build } from './build.js';
import { Failing } from './failing.js';
import { DEATH, deathId, GOROUTINE, headline, Stack } from './stack.js';

const END = /^(ok {2}|FAIL)(?:\t| {4})(\S+)(?:\s+(.*))?$/;
const REST = /^(?:\[(?:build|setup) failed\]|[\d.]+s\b|\(cached\))/;
const UNBUILT = /^\[(?:build|setup) failed\]/;
const RACES = /^Found \d+ data race\(s\)$/;
const EXIT = /^(?:exit status \d+|signal: .+|\*\*\* Test killed.*)$/;
/** What the runtime adds to a death's word. */
const RUNTIME = /^(?:\t|\[signal |PC=|signal arrived|$)/;
const PLAIN = /^(?:FAIL|PASS|=== \S+ .*|\s*--- .*|coverage: .*|)$/;
/** How many lines a message of panic may have. */
const MESSAGE = 60;
const OVER = 2000;

export class Package {
  readonly #out: Out;
  readonly #build: Build;
  #failing = new Map<string, Failing>();
  /** What failed in packages that are over: gotestsum says it again. */
  #over = new Set<string>();
  /** Looking back for `=== RUN` was in vain: this package is not read with -v. */
  quiet = false;
  #walked = 0;
  /** Said with a bare `FAIL`, which is all that a test binary run by itself prints; the package's line completes it. */
  #bare: Tally | undefined;
  /** Package lines since the last closing `FAIL`. */
  #packages = 0;
  /** After a red package, where the arguments named any, go's closing `FAIL` is to come (since Go 1.14). */
  closing: 'none' | 'due' | 'read' = 'none';
  /** A second `FAIL`: the beginning of the package's line. */
  #cutAfter = false;
  /** Not as events: those have no closing word. */
  asText = true;
  /** Packages that were not built, and nobody has said why. */
  #unbuilts: { fields: Fields & { kind: 'build' }; line: Line }[] = [];

  constructor(out: Out, build: Build) {
    this.#out = out;
    this.#build = build;
  }

  failed(name: string, line: Line, before?: readonly Line[], part: Part = 'status'): Failing {
    const failing = new Failing(this.#out, name, line, before, name, part);
    this.#failing.set(name, failing);
    this.raced(failing);
    return failing;
  }

  /** Looking back costs: at most so many lines in all, by how far the log has come. */
  walk(line: Line): boolean {
    return ++this.#walked < line.no * 8 + 4000;
  }

  /** @param pkg as gotestsum prints it: without what all packages have in common */
  said(pkg: string, test: string): boolean {
    for (const id of this.#over) if (id === `${pkg} ${test}` || id.endsWith(`/${pkg} ${test}`)) return true;
    return false;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    if (GOROUTINE.test(text)) return this.#died(line);
    if (text === 'FAIL') return this.#bareFail(line);
    if (RACES.test(text)) return this.#raceOnly(line);
    // A test of a runner prints another run's end within its own words.
    if (/^\s+FAIL\t\S+\t[\d.]+s$/.test(text)) return 'mine';
    const [, word, name, rest] = END.exec(text) ?? [];
    if (name === undefined) return undefined;
    if (word === 'FAIL' && !REST.test(rest ?? '')) return this.#cut(rest);
    this.#packages++;
    if (UNBUILT.test(rest ?? '')) this.#unbuilt(name, rest as string, line);
    else if (word === 'FAIL') this.#red(name, line);
    else this.#green(name, rest ?? '', line);
    return 'mine';
  }

  /** A package's line that is cut. */
  #cut(rest = ''): 'mine' | undefined {
    if (!/^[\d.]*$/.test(rest) || (this.#packages === 0 && this.#out.failing() === 0)) return undefined;
    this.#out.early('truncated');
    return 'mine';
  }

  #bareFail(line: Line): 'mine' {
    if (this.#bare !== undefined) this.#cutAfter = true;
    else if (this.#out.failing() === 0) {
      this.closing = 'read';
      this.#packages = 0;
    }
    if (this.#bare === undefined && this.#out.failing() > 0) {
      this.#bare = { result: 'failed' };
      this.#out.tally(this.#bare, line);
    }
    return 'mine';
  }

  #unbuilt(name: string, rest: string, line: Line): void {
    const known = this.#build.failed(name, line);
    const fields = { kind: 'build', id: name, suite: name, message: rest.slice(1, rest.indexOf(']')) } as const;
    // What cannot be found is not the end of anything: nothing has begun.
    if (rest.startsWith('[build')) this.#out.consequence(fields, line);
    this.#due(this.#packages > 1);
    if (!known) this.#unbuilts.push({ fields, line });
  }

  #green(name: string, rest: string, line: Line): void {
    for (const test of this.#failing.keys()) this.#out.drop(test);
    // What a test printed looked like a run that failed.
    if (this.#bare !== undefined) Object.assign(this.#bare, { suite: name, result: 'passed' });
    else if (!rest.includes('[no tests to run]')) this.#out.tally({ suite: name, result: 'passed' }, line);
    this.#close(name);
  }

  #red(name: string, line: Line): void {
    if (this.#out.failing() === 0) this.#exited(line);
    // Without arguments, go passes on what the binary prints and adds how it ended.
    this.#due(this.#packages > 1 || !EXIT.test(this.#out.back(1)?.text ?? 'exit status 1'));
    if (this.#bare !== undefined) this.#bare.suite = name;
    else this.#out.tally({ suite: name, result: 'failed' }, line);
    this.#explained();
    this.#close(name);
  }

  #due(named: boolean): void {
    this.closing = named ? 'due' : 'none';
  }

  #close(name: string | undefined): void {
    this.#out.close((fields, key) => complete(fields, key, name), 'runs');
    if (name !== undefined && this.#over.size < OVER)
      for (const test of this.#failing.keys()) this.#over.add(`${name} ${test}`);
    this.#failing = new Map();
    this.#bare = undefined;
    this.#cutAfter = false;
    this.quiet = false;
  }

  /** The goroutines of a death: its word stands before them. */
  #died(line: Line): Block | undefined {
    const out = this.#out;
    const words: Line[] = [];
    for (let n = 1; n <= MESSAGE; n++) {
      const before = out.back(n);
      if (before === undefined || /^(?:=== |\s*--- |FAIL|ok {2}\t)|^\s+\S+\.go:\d+: /.test(before.text))
        return undefined;
      words.unshift(before);
      if (DEATH.test(before.text)) break;
    }
    const first = words[0];
    if (first === undefined || !DEATH.test(first.text)) return undefined;
    // Multiplexers drop the empty line before the goroutines: then nothing but the runtime's own lines may stand between.
    if (words.at(-1)?.text !== '' && !words.slice(1).every(word => RUNTIME.test(word.text))) return undefined;
    for (const word of words) out.claim(word);
    return this.#dump(first, words, line);
  }

  #dump(first: Line, words: Line[], line: Line): Block {
    const stack = new Stack();
    const recovered = words.some(word => / \[recovered|^panic: test executed panic\(nil\)/.test(word.text));
    const draft = this.#victim(first, words.length, recovered);
    for (const word of words) draft.add(word);
    draft.add(line);
    draft.fields.message = deathMessage(words);
    const stuck = words.findLast(word => /^\t\t\S+ \(/.test(word.text));
    if (stuck !== undefined) draft.fields.name = stuck.text.trim().replace(/ \(.*/, '');
    this.#out.early('crash');
    return {
      line: next => {
        if (!stack.feed(next.text)) return undefined;
        draft.add(next);
        if (stack.file !== undefined) Object.assign(draft.fields, { file: stack.file, line: stack.line });
        if (draft.fields.kind === 'crash' && stack.test !== undefined) draft.fields.name ??= stack.test;
        return 'more';
      },
    };
  }

  /** What failed: the test whose status has just been said, or the package. */
  #victim(first: Line, words: number, recovered: boolean): Draft {
    if (!recovered) return this.#out.part('status', deathId(first.text), first, { kind: 'crash' });
    const last = [...this.#failing.values()].at(-1);
    if (last !== undefined) return last.draft;
    const name = this.#running(words);
    if (name === undefined) return this.#victim(first, words, false);
    return this.failed(name, first).draft;
  }

  /** The test whose turn it is, with -v. */
  #running(from: number): string | undefined {
    for (let n = from + 1; n <= from + 300; n++) {
      const text = this.#out.back(n)?.text;
      if (text === undefined || /^(?:ok {2}|FAIL|\? {3})\t|^\s*--- /.test(text)) return undefined;
      const name = /^=== (?:RUN|CONT|NAME) {1,3}(\S+)$/.exec(text)?.[1];
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** No test failed and nobody panicked: it exited, was killed, or said only that it died. */
  #exited(line: Line): void {
    const out = this.#out;
    const said = this.#lastWords();
    const race = this.#race();
    const name = this.#running(0);
    const draft = out.part('status', '', said ?? line, { kind: 'crash', ...(name && { name }) });
    draft.fields.message = race !== undefined ? 'DATA RACE' : (said?.text.trim() ?? 'the package failed, no test did');
    if (race !== undefined) attach(draft, race, out);
    else if (said !== undefined) draft.add(said);
    draft.add(line);
    out.early('crash');
  }

  /** The race detector reports before the status of the test it fails; with -v the test has the report already. */
  raced(failing: Failing): void {
    const race = failing.raced ? this.#race() : undefined;
    if (race !== undefined) failing.settle();
    if (race !== undefined) attach(failing.draft, race, failing.has('WARNING: DATA RACE') ? undefined : this.#out);
  }

  /** The last line that is no runner's, or the flag that brought up the usage. */
  #lastWords(): Line | undefined {
    let said: Line | undefined;
    for (let n = 1; n <= 120; n++) {
      const before = this.#out.back(n);
      if (before === undefined || END.test(before.text) || /^(?:# |\? {3}\t)/.test(before.text)) break;
      if (/^flag provided but not defined: /.test(before.text)) return before;
      if (!PLAIN.test(before.text) && (said === undefined || (EXIT.test(said.text) && n < 50))) said = before;
    }
    return said;
  }

  /** `go run -race` has no test to fail. */
  #raceOnly(line: Line): 'mine' {
    const draft = this.#out.failure({ kind: 'crash', message: 'DATA RACE' }, line);
    const race = this.#race();
    if (race !== undefined) attach(draft, race, this.#out);
    draft.add(line);
    return 'mine';
  }

  /** The nearest report of the race detector before the current line. */
  #race(): Line[] | undefined {
    const lines: Line[] = [];
    for (let n = 1; n <= 200; n++) {
      const before = this.#out.back(n);
      if (before === undefined || END.test(before.text)) return undefined;
      lines.unshift(before);
      if (before.text === 'WARNING: DATA RACE') return lines;
    }
    return undefined;
  }

  /** All that the package printed is accounted for by its verdict. */
  #explained(): void {
    for (let n = 1; ; n++) {
      const line = this.#out.back(n);
      if (line === undefined || END.test(line.text)) return;
      this.#out.claim(line);
    }
  }

  end(): void {
    // A binary run by itself prints no package's line.
    const owed = this.closing === 'due' || (this.#bare !== undefined && (this.#packages > 0 || this.#cutAfter));
    if (owed && this.asText) this.#out.early('truncated');
    this.#close(undefined);
    if (!this.#build.any) for (const { fields, line } of this.#unbuilts) this.#out.failure(fields, line);
  }
}

/** The first word of a death, and what else it says; a repanic repeats it. */
function deathMessage(words: readonly Line[]): string {
  const said = words.map(word => headline(word.text));
  return said
    .filter((text, i) => i === 0 || (text !== `\t${said[0]}` && !text.startsWith('[signal ')))
    .join('\n')
    .trim();
}

/** Where the race was, and its report. */
function attach(draft: Draft, race: Line[], out?: Out): void {
  const stack = new Stack();
  for (const line of race) {
    if (out !== undefined) draft.add(line);
    out?.claim(line);
    stack.feed(line.text);
  }
  if (stack.file !== undefined) Object.assign(draft.fields, { file: stack.file, line: stack.line });
}

/** `pkg TestX/sub`; for a death `pkg panic: …`, for an exit the package alone. */
function complete(fields: Fields, key: string, name: string | undefined): void {
  if (fields.id !== undefined) return;
  if (name === undefined) fields.weakId = true;
  else fields.suite = name;
  fields.id = [name, key].filter(Boolean).join(' ');
}
