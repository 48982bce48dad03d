/** Python's unittest and what prints as it does (Django, nose). */
import type { Block, Fields, Format, Line, Out, Reader } from '../format.js';
import { Trace } from './shared/python-trace.js';

const HEADING = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/;
const RULE = '='.repeat(70);
const LINE = '-'.repeat(70);
const RAN = /^Ran (\d+) tests? in [\d.]+s$/;
const RESULT = /^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/;
const BEGUN = /(\S+ \([\w.<>]+\)(?: \[[^\]]*\])?(?: \([^)]*\))?) \.\.\. /g;
/** `test_x (mod.C.test_x) [message] (n=1)`; before 3.11 `test_x (mod.C)`. */
const TEST = /^(\S+) \(([\w.<>]+)\)(.*)$/;
const STARTED = /^ {0,2}(\S+ \([\w.<>]+\)(?: \[.*?\])?(?: \(.*?\))?) \.\.\. /;
const ENDS = /(?:^|.)(ok|FAIL|ERROR|expected failure|unexpected success|skipped ['"].*['"])$/;
const DOTS = ' ... ';
const BARE = /^(?:ok|FAIL|ERROR)$/;
const OUTPUT = /^Std(?:out|err):$/;

const WORDS: Record<string, 'passed' | 'skipped' | undefined> = {
  ok: 'passed',
  skipped: 'skipped',
  expected: 'skipped',
};

/** The result at the end of `description ... output result`. */
const wordOf = (text: string): string | undefined => (text.includes(DOTS) ? ENDS.exec(text)?.[1] : undefined);

/** What is known of a test by its description. */
function testOf(id: string): Fields {
  const [, method, path, sub] = TEST.exec(id) ?? [];
  if (method === undefined || path === undefined) return { id, name: id };
  const suite = path.endsWith(`.${method}`) ? path.slice(0, -method.length - 1) : path;
  return { id, name: `${method}${sub}`, ...(!suite.startsWith('unittest.loader') && { suite }) };
}

class UnittestReader implements Reader {
  readonly #out: Out;
  /** How many failures and errors were listed. */
  #listed = 0;
  /** Listed since 3.11 only; before, -v alone names them. */
  #unexpected = new Set<string>();

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    if (text === RULE) return this.#list('rule');
    if (text === LINE) return this.#list('line');
    if (text !== 'ok' && BARE.test(text)) return this.#said(this.#started(), text, line);
    const word = wordOf(text);
    if (word === undefined) return undefined;
    return this.#said(this.#named(text, text.slice(0, text.indexOf(DOTS))), word, line);
  }

  excuse({ text }: Line): boolean {
    if (BARE.test(text) || RAN.test(text)) return true;
    if (/^\S+ \([\w.<>]+\)(?: \.\.\. ?)?$/.test(text)) return true;
    const word = wordOf(text);
    return word !== undefined && word !== 'FAIL' && word !== 'ERROR';
  }

  /** Before 3.11 a test whose subtests failed says nothing, and the next one begins on its line. */
  #named(text: string, before: string): string | undefined {
    const others = [...text.matchAll(BEGUN)];
    if (others.length > 1) return others.at(-1)?.[1];
    return TEST.test(before.trim()) ? before.trim() : this.#described();
  }

  /** A test with a docstring has its name on the line before. */
  #described(): string | undefined {
    const text = this.#out.back(1)?.text;
    return text !== undefined && /^\S+ \([\w.<>]+\)$/.test(text) ? text : undefined;
  }

  /** The test whose output stands before a bare status. */
  #started(): string | undefined {
    for (let n = 1; n < 200; n++) {
      const text = this.#out.back(n)?.text;
      if (text === undefined || BARE.test(text) || wordOf(text) !== undefined) return undefined;
      const id = STARTED.exec(text)?.[1];
      if (id !== undefined) return id;
    }
    return undefined;
  }

  #said(id: string | undefined, word: string, line: Line): undefined | 'mine' {
    if (id === undefined) return undefined;
    const result = WORDS[word.split(' ', 1)[0] as string];
    const key = word === 'unexpected success' ? 'UNEXPECTED SUCCESS' : word;
    if (key.startsWith('U')) this.#unexpected.add(id);
    if (result !== undefined) this.#out.outcome(result, id, line, testOf(id));
    else this.#out.part('status', `${key} ${id}`, line, { ...testOf(id), ...(key !== word && { message: word }) });
    return 'mine';
  }

  /** The list of failures and the tally under it. */
  #list(first: 'rule' | 'line'): Block {
    let state: 'rule' | 'head' | 'body' | 'line' | 'slow' | 'ran' = first;
    let slow = false;
    let trace: Trace | undefined;
    let draft: ReturnType<Out['part']> | undefined;
    let ran = 0;
    let output = false;
    const body = (line: Line): 'more' | undefined => {
      if (draft === undefined || trace === undefined) return undefined;
      state = 'body';
      draft.add(line);
      if (OUTPUT.test(line.text)) output = true;
      if (!output) trace.add(line.text);
      return 'more';
    };
    const finish = () => {
      if (draft === undefined || trace === undefined) return;
      const method = /^[^\s(]+/.exec(draft.fields.name ?? '')?.[0];
      Object.assign(draft.fields, trace.place(method));
      const message = trace.message?.trim();
      if (message) draft.fields.message = message;
      draft = undefined;
    };
    const heading = (line: Line): 'more' | undefined => {
      const [, word = '', said = ''] = HEADING.exec(line.text) ?? [];
      if (word === '') return body(line);
      // Django's parallel runner shows what stands for "no message".
      const id = said.replace(/ \[<object object at 0x[0-9a-f]+>\]/, '');
      finish();
      if (word.startsWith('U')) this.#unexpected.add(id);
      else this.#listed++;
      draft = this.#out.part('detail', `${word} ${id}`, line, testOf(id));
      if (word.startsWith('U')) draft.fields.message = 'unexpected success';
      trace = new Trace();
      output = false;
      state = 'head';
      return 'more';
    };
    const head = (line: Line): 'more' => {
      if (line.text === LINE) state = 'line';
      return 'more';
    };
    const afterLine = (line: Line): 'more' | undefined => {
      const n = RAN.exec(line.text)?.[1];
      slow ||= line.text === 'Slowest test durations';
      if (n === undefined && !slow) return line.text === RULE ? ruled() : body(line);
      finish();
      if (n === undefined) return inDurations(line);
      ran = Number(n);
      state = 'ran';
      return 'more';
    };
    const inDurations = (line: Line): 'more' => {
      state = line.text === LINE ? 'line' : 'slow';
      return 'more';
    };
    const ruled = (): 'more' => {
      state = 'rule';
      return 'more';
    };
    const inBody = (line: Line): 'more' | undefined => {
      if (line.text === RULE) return ruled();
      if (line.text !== LINE) return body(line);
      state = 'line';
      return 'more';
    };
    const result = (line: Line): 'more' | 'last' | undefined => {
      if (line.text === '') return 'more';
      const [, word, counts = ''] = RESULT.exec(line.text) ?? [];
      if (word === undefined) return undefined;
      this.#tally(word, counts, ran, line);
      return 'last';
    };
    const states = { rule: heading, head, body: inBody, line: afterLine, slow: inDurations, ran: result };
    return { line: line => states[state](line), end: finish };
  }

  #tally(word: string, text: string, ran: number, line: Line): void {
    const counts = new Map(text.split(', ').map(item => item.split('=') as [string, string]));
    const count = (name: string) => Number(counts.get(name) ?? 0);
    const skipped = count('skipped') + count('expected failures');
    const failed = count('failures') + count('errors') + count('unexpected successes');
    if (word === 'FAILED' || ran > 0) {
      const passed = word === 'OK' ? { passed: Math.max(0, ran - skipped) } : {};
      const result = word === 'FAILED' ? 'failed' : 'passed';
      this.#out.tally({ ...passed, failed, skipped, result, counted: this.#listed + this.#unexpected.size }, line);
    }
    this.#out.close();
    this.#listed = 0;
    this.#unexpected.clear();
  }
}

export const unittest: Format = {
  name: 'unittest',
  url: 'https://docs.python.org/3/library/unittest.html#command-line-interface',
  hints: ['FAIL', 'ERROR', 'unexpected', RULE.slice(0, 16), LINE.slice(0, 16)],
  outcomeHints: ['... '],
  reader: out => new UnittestReader(out),
};
