/**
 * JUnit XML: what nearly every test runner can write, each in its own way. `junit/bounds.ts` and `documents.ts` read the
 * XML, this file builds suites and tests of it, `junit/detect.ts` finds out whose they are, `teller.ts` says them.
 */
import type { Out } from '../format.js';
import type { Parser, Report } from '../report.js';
import { type Case, noCounts, type Problem, type Suite, type Verdict } from './junit/case.js';
import { type Attributes, Documents, type Handler } from './junit/documents.js';
import { Teller } from './junit/teller.js';

const BEGINS = /^(?:<\?(?:[^?]|\?(?!>))*\?>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!DOCTYPE\s+)?testsuites?(?:[\s>/]|$)/;
const VERDICTS: readonly string[] = ['failure', 'error', 'rerunFailure', 'rerunError', 'flakyFailure', 'flakyError'];
const isVerdict = (name: string): name is Verdict => VERDICTS.includes(name);
/** Properties that tell who wrote the report. */
const MARKS = new Set(['go.version', 'surefire.test.class.path', 'maven.home', 'ant.version']);
/** How much of what is said of one failure is kept: several times what goes into a record. */
const TEXT = 16_384;
/** So many failures of one test are kept. */
const PROBLEMS = 50;

/** Attributes of a test that are of use. */
const KEPT = ['file', 'filepath', 'line', 'status', 'result'];
const NONE: Attributes = {};

/** A copy: a part of a text keeps all of it in memory. */
const own = (text: string): string => (text.length < 13 ? text : ` ${text}`.slice(1));

class Junit implements Parser, Handler {
  readonly #out: Out;
  readonly #teller: Teller;
  readonly #documents = new Documents(this);
  #suite: Suite | undefined;
  #case: Case | undefined;
  #problem: Problem | undefined;
  /** Elements of a test or of properties, of which only some are of use. */
  #above: string[] = [];

  constructor(out: Out) {
    this.#out = out;
    this.#teller = new Teller(out);
  }

  write(text: string, no: number): void {
    this.#documents.write(text, no);
  }

  end(): void {
    if (this.#documents.whole) return;
    this.#out.early('truncated');
    // What failed has failed, however much more would have been said of it.
    if (this.#case !== undefined && this.#case.problems.length > 0) this.#tested(this.#case.last);
    if (this.#suite !== undefined) this.#teller.cut(this.#suite);
  }

  get wanted(): boolean {
    return this.#problem !== undefined && !/^system-/.test(this.#above.at(-1) ?? '');
  }

  open(name: string, attributes: Attributes, no: number): void {
    if (this.#case === undefined && (name === 'testsuite' || name === 'testsuites')) this.#begin(name, attributes, no);
    else if (this.#case === undefined && name === 'testcase') this.#test(attributes, no);
    else {
      this.#above.push(name);
      if (this.#case === undefined) this.#mark(name, attributes);
      else this.#within(this.#case, name, attributes, no);
    }
  }

  text(text: string): void {
    const problem = this.#problem;
    if (problem !== undefined && problem.text.length < TEXT) problem.text += text.slice(0, TEXT - problem.text.length);
  }

  close(name: string, no: number): void {
    if (this.#above.length > 0) {
      this.#above.pop();
      if (this.#case !== undefined) this.#case.last = no;
      if (this.#above.length === 0) this.#problem = undefined;
      if (name === 'properties' && this.#suite?.marks.size === 0) this.#suite.marks.add('no properties');
    } else if (this.#case !== undefined) this.#tested(no);
    else if (this.#suite !== undefined) {
      this.#teller.end(this.#suite, no);
      this.#suite = this.#suite.parent;
    }
  }

  /** node:test ends with its counts. */
  comment(text: string): void {
    const [, what, n] = /^ (tests|pass|fail|cancelled|skipped|todo) (\d{1,9}) $/.exec(text) ?? [];
    if (what !== undefined && this.#suite !== undefined) this.#suite.said.set(what, Number(n));
  }

  #begin(tag: string, attributes: Attributes, no: number): void {
    if (this.#suite === undefined) this.#teller.begin();
    this.#suite = {
      name: attributes.name ?? '',
      attributes,
      no,
      parent: this.#suite,
      outermost: tag === 'testsuites',
      marks: new Set(),
      said: new Map(),
      own: noCounts(),
      all: noCounts(),
      held: [],
    };
  }

  #test(attributes: Attributes, no: number): void {
    const { name = '', classname = '' } = attributes;
    let kept = NONE;
    for (const key of KEPT) {
      const value = attributes[key];
      if (value !== undefined) kept = { ...kept, [key]: own(value) };
    }
    this.#case = { name: own(name), classname: own(classname), attributes: kept, no, last: no, problems: [] };
  }

  /** What may stand in a suite beside its tests. */
  #mark(name: string, attributes: Attributes): void {
    const { marks } = this.#suite as Suite;
    if (name !== 'property') return;
    marks.add(MARKS.has(attributes.name ?? '') ? (attributes.name as string) : 'properties');
  }

  #within(test: Case, name: string, attributes: Attributes, no: number): void {
    test.last = no;
    if (this.#above.length > 1) return;
    const { message = '', type = '' } = attributes;
    if (name === 'skipped') test.skipped = { type, message };
    if (!isVerdict(name)) return;
    this.#problem = { verdict: name, message: message.slice(0, TEXT), type, text: '', no };
    if (test.problems.length < PROBLEMS) test.problems.push(this.#problem);
  }

  #tested(no: number): void {
    const test = this.#case as Case;
    test.last = no;
    for (const problem of test.problems) {
      problem.message = own(problem.message);
      problem.text = own(problem.text);
    }
    this.#case = undefined;
    this.#problem = undefined;
    this.#above = [];
    this.#teller.test(test, this.#suite as Suite);
  }
}

export const junit: Report = {
  name: 'junit',
  url: 'https://github.com/testmoapp/junitxml',
  begins: head => BEGINS.test(head),
  parser: out => new Junit(out),
};
