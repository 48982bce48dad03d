/** What the runs read so far say of one test: a byte a run, and some counts. */
import { oneLine } from '../base/text.js';
import { normalise } from '../record/identity.js';
import type { Failure, Outcome, Result, Signature } from '../record/types.js';

/**
 * How a test ended in a run. `red`: with a failure that makes the run red; `failed`: its last attempt so far failed, and
 * nothing yet says that this was the last.
 */
export const SEEN = { not: 0, passed: 1, failed: 2, red: 3, skipped: 4 } as const;
const LETTERS = ['-', 'P', 'F', 'F', 'S'] as const;
const CODE = { passed: SEEN.passed, failed: SEEN.failed, skipped: SEEN.skipped } as const;

/** Distinct messages kept of a test, the most frequent of which are shown; and of each so many characters. */
const MESSAGES = 50;
const SHOWN = 10;
const LENGTH = 300;

/** Runners in which two tests may bear the same title: one that is told twice is two, unless it is told as an attempt. */
const TITLES = new Set(['jest', 'vitest', 'mocha', 'node-test', 'tap', 'playwright']);

export class TestHistory {
  readonly id: string;
  readonly tool: string;
  readonly suite: string | undefined;
  readonly name: string | undefined;
  /** The id may name several tests. */
  weak = false;
  passed = 0;
  failed = 0;
  skipped = 0;
  inferred = 0;
  /** Runs that ended and do not name what passed: it is not known whether it did. */
  unseen = 0;
  /** Other tests are in it: it is a file, a class or a group, told of because its set-up failed. */
  isGroup = false;
  file: string | undefined;
  line: number | undefined;
  /** The test that was told of after it the last time. */
  next: TestHistory | undefined;
  #runs = new Uint8Array(8);
  /** Runs in which a failure was told, and no outcome with it yet. */
  #owed = 0;
  #messages: Map<string, number> | undefined;
  /** How many tests bore the name in a run, where there were several. */
  #twins: Map<number, number> | undefined;

  constructor({ id, tool, suite, name }: Pick<Outcome, 'id' | 'tool' | 'suite' | 'name'>) {
    this.id = id;
    this.tool = tool;
    this.suite = suite;
    this.name = name;
  }

  /** @param run its number, from 0 */
  outcome(run: number, { result, weakId, attempt = 1 }: Outcome): void {
    if (weakId) this.weak = true;
    const before = this.at(run);
    const again = before !== SEEN.not && !(result === 'failed' && this.#owed > 0);
    if (again && this.#isTwin(weakId, attempt)) this.#twin(run, result, before);
    else this.#attempt(run, result, before);
  }

  /** Whether what is told of a name for the second time in a run is told of another test. */
  #isTwin(weakId: true | undefined, attempt: number): boolean {
    return attempt === 1 && (weakId === true || TITLES.has(this.tool));
  }

  #attempt(run: number, result: Result, before: number): void {
    if (result === 'failed' && this.#owed > 0) this.#owed--;
    this[result]++;
    // A skip says nothing of an attempt that ran, a pass nothing of a failure that made the run red.
    if (before === SEEN.not || (before !== SEEN.red && result !== 'skipped')) this.#set(run, CODE[result]);
  }

  /** One thing is known of both together: that one of them failed, or that none did. */
  #twin(run: number, result: Result, before: number): void {
    this.weak = true;
    this.#twins ??= new Map();
    this.#twins.set(run, (this.#twins.get(run) ?? 1) + 1);
    const rank: number[] = [SEEN.skipped, SEEN.passed, SEEN.failed, SEEN.red];
    if (rank.indexOf(CODE[result]) <= rank.indexOf(before)) return;
    this[before === SEEN.passed ? 'passed' : 'skipped']--;
    this[result]++;
    this.#set(run, CODE[result]);
  }

  /** The test made the run red. The outcome that says so too may follow, or not be among the records. */
  failure(run: number, { weakId, message, file, line, attempt = 1 }: Failure): void {
    if (weakId) this.weak = true;
    const before = this.at(run);
    const twin = before === SEEN.passed && this.#isTwin(weakId, attempt);
    if (twin) this.passed--;
    if (twin || before === SEEN.not) this.#owed++;
    this.weak ||= twin;
    this.#set(run, SEEN.red);
    if (message) this.#message(signature(message), 1);
    this.file ??= file;
    this.line ??= line;
  }

  #message(text: string, count: number): void {
    this.#messages ??= new Map();
    if (this.#messages.size < MESSAGES || this.#messages.has(text))
      this.#messages.set(text, (this.#messages.get(text) ?? 0) + count);
  }

  /** The suite says that it passed. */
  infer(run: number): void {
    this.#set(run, SEEN.passed);
    this.passed++;
    this.inferred++;
  }

  get hasFailed(): boolean {
    return this.failed + this.#owed > 0;
  }

  /** Nothing more is read. */
  end(): void {
    this.failed += this.#owed;
    this.#owed = 0;
  }

  /** One of `SEEN`. */
  at(run: number): number {
    return this.#runs[run] ?? SEEN.not;
  }

  #set(run: number, code: number): void {
    if (run >= this.#runs.length) {
      const longer = new Uint8Array(Math.max(run + 1, 2 * this.#runs.length));
      longer.set(this.#runs);
      this.#runs = longer;
    }
    this.#runs[run] = code;
  }

  /** How many tests of the name a run told of. */
  times(run: number): number {
    return this.at(run) === SEEN.not ? 0 : (this.#twins?.get(run) ?? 1);
  }

  /** A letter for each of so many runs. */
  letters(runs: number): string {
    let letters = '';
    for (let run = 0; run < runs; run++) letters += LETTERS[this.at(run)];
    return letters;
  }

  get reasons(): Signature[] {
    return [...(this.#messages ?? [])]
      .map(([message, count]) => ({ message, count }))
      .sort((a, b) => b.count - a.count || (a.message < b.message ? -1 : 1))
      .slice(0, SHOWN);
  }

  /** Whether one can be the other: no run saw both. */
  meets(other: TestHistory, runs: number): boolean {
    for (let run = 0; run < runs; run++) if (this.at(run) !== SEEN.not && other.at(run) !== SEEN.not) return true;
    return false;
  }

  /** Takes over what is known of the same test under a name without its suite. */
  join(other: TestHistory, runs: number): void {
    for (let run = 0; run < runs; run++) if (other.at(run) !== SEEN.not) this.#set(run, other.at(run));
    this.passed += other.passed;
    this.failed += other.failed;
    this.skipped += other.skipped;
    this.inferred += other.inferred;
    this.file ??= other.file;
    this.line ??= other.line;
    for (const [message, count] of other.#messages ?? []) this.#message(message, count);
  }
}

/** A failure's message as it is the next time: volatile parts replaced, on one line, cut. */
function signature(message: string): string {
  // What is left of times, ports and process numbers (nobody expects five digits), and what Java calls an object.
  const text = normalise(message.slice(0, 4 * LENGTH))
    .replace(/\b\d{5,}(?:\.\d+)?\b/g, '<n>')
    .replace(/(?<=[\w$;])@[0-9a-f]{5,8}\b/g, '@…');
  return oneLine(text).slice(0, LENGTH).toWellFormed();
}
