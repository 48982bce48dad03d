/**
 * JUnit XML: what nearly every test runner can write, each in its own way. `junit/bounds.ts` and `documents.ts` read the
 * XML, this file builds suites and tests of it, `junit/detect.ts` finds out whose they are, `teller.ts` says them.
 */
import type { Out } from '../format.js';
import type { Parser, Report } from '../report.js';
import { type Case, noCounts, type Problem, type Suite, type Verdict } from './junit/case.js';
import { type Attributes, Documents, type Handler } from './junit/documents.js';
import { Teller } from './junit/teller.js';

/** The root; or a document type, which is refused: one of that name, or one of a name that is not HTML's before the root. */
const ROOT =
  /testsuites?(?:[\s>/]|$)|!DOCTYPE\s+(?:testsuites?(?:[\s>/]|$)|(?!\s|[Hh][Tt][Mm][Ll]\b)[\s\S]*?<testsuites?[\s>/])/;
const BEGINS = new RegExp(`^(?:<\\?(?:[^?]|\\?(?!>))*\\?>\\s*|<!--(?:[^-]|-(?!->))*-->\\s*)*<(?:${ROOT.source})`);
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
    try {
      this.#documents.write(text, no);
    } catch (error) {
      this.#cut();
      this.#out.close();
      throw error;
    }
  }

  end(): void {
    if (this.#documents.whole) return;
    this.#out.early('truncated');
    this.#cut();
  }

  /** Says what was read of a suite that has no end. */
  #cut(): void {
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
      if (this.#case === undefined) this.#beside(this.#suite as Suite, name, attributes, no);
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
      const failing = this.#case ?? (this.#problem && this.#suite?.trouble);
      if (failing !== undefined) failing.last = no;
      if (this.#above.length === 0) this.#kept();
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
  #beside(suite: Suite, name: string, attributes: Attributes, no: number): void {
    if (name === 'property')
      suite.marks.add(MARKS.has(attributes.name ?? '') ? (attributes.name as string) : 'properties');
    if (this.#above.length > 1 || (name !== 'failure' && name !== 'error')) return;
    suite.trouble ??= { name: suite.name, classname: suite.name, attributes: NONE, no, last: no, problems: [] };
    this.#failed(suite.trouble, name, attributes, no);
  }

  #within(test: Case, name: string, attributes: Attributes, no: number): void {
    test.last = no;
    if (this.#above.length > 1) return;
    const { message = '', type = '' } = attributes;
    if (name === 'skipped') test.skipped = { type, message };
    if (isVerdict(name)) this.#failed(test, name, attributes, no);
  }

  #failed(test: Case, verdict: Verdict, { message = '', type = '' }: Attributes, no: number): void {
    this.#problem = { verdict, message: message.slice(0, TEXT), type, text: '', no };
    if (test.problems.length < PROBLEMS) test.problems.push(this.#problem);
  }

  /** All is said of the problem at hand. */
  #kept(): void {
    const problem = this.#problem;
    if (problem === undefined) return;
    problem.message = own(problem.message);
    problem.text = own(problem.text);
    this.#problem = undefined;
  }

  #tested(no: number): void {
    const test = this.#case as Case;
    test.last = no;
    this.#kept();
    this.#case = undefined;
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
