/** All tests over all runs: records in, a history of each test out. Memory is bounded by tests and runs, not by records. */
import { type SuiteSeen, Suites } from '../reading/suites.js';
import type { Totals } from '../reading/totals.js';
import { matchWeak, namesOf } from '../record/matching.js';
import type { AidoRecord, Failure, Outcome, Reason, Suite } from '../record/types.js';
import { groupOfHook } from './hooks.js';
import { SEEN, TestHistory } from './test-history.js';

/** One run: what is known of it as a whole. */
export interface Run {
  readonly name: string;
  /** From 0. */
  readonly no: number;
  /** How many outcomes and failures of tests it told by name. */
  named: number;
  /** Suites that told their own count. */
  counted: number;
  /** It is not known to have ended whole. */
  reason?: Reason;
  /** It counts more tests that passed than it names: one that is not seen may have passed. */
  unnamed?: boolean;
  /** What its suites say: while it is read, and after that where there are tests that it does not name. */
  suites?: Suites | undefined;
  /** All of it was read. */
  over?: true;
  /** It is a report: there is no test that it does not name. */
  namesAll?: true;
}

/** Whether it tells of any test. */
export const isReadable = ({ named, counted }: Run): boolean => named + counted > 0;

export class Histories {
  readonly runs: Run[] = [];
  readonly #tests = new Map<string, TestHistory>();
  /** For each name that is told without its suite, the tests of that name that are told with it. */
  #namesakes = new Map<string, TestHistory[]>();
  /** The test that was told of last. */
  #before: TestHistory | undefined;

  /** A further run. */
  run(name: string): Run {
    const run: Run = { name, no: this.runs.length, named: 0, counted: 0, suites: new Suites() };
    this.runs.push(run);
    return run;
  }

  add(run: Run, record: AidoRecord): void {
    if (record.type === 'outcome') this.#outcome(run, record);
    else if (record.type === 'failure' && record.kind === 'test') this.#failure(run, record);
    else if (record.type === 'suite') this.#suite(run, record);
  }

  #outcome(run: Run, outcome: Outcome): void {
    run.named++;
    this.#test(outcome).outcome(run.no, outcome);
    if (!run.over) run.suites?.outcome(outcome);
  }

  #failure(run: Run, failure: Failure): void {
    run.named++;
    this.#test(failure).failure(run.no, failure);
  }

  #suite(run: Run, suite: Suite): void {
    run.counted++;
    if (!run.over) run.suites?.suite(suite);
  }

  /** Runs tell their tests in much the same order: what followed the last one before is looked at first. */
  #test(record: Outcome | Failure): TestHistory {
    const before = this.#before;
    let test = before?.next;
    if (test === undefined || test.id !== record.id) {
      test = this.#tests.get(record.id) ?? this.#newTest(record);
      if (before !== undefined) before.next = test;
    }
    this.#before = test;
    return test;
  }

  #newTest(record: Outcome | Failure): TestHistory {
    const test = new TestHistory(record);
    this.#tests.set(record.id, test);
    return test;
  }

  /** The run is over; it may still be added to, but then it says nothing of tests it did not name. */
  end(run: Run, { complete, reason = 'truncated' }: Pick<Totals, 'complete' | 'reason'>): void {
    if (!complete) run.reason ??= reason;
    else if (!isReadable(run)) run.reason ??= 'noRun';
    if (run.over) return;
    run.over = true;
    run.suites?.end();
    run.unnamed = run.reason === undefined && !run.namesAll && run.suites?.isReticent() === true;
    if (!run.unnamed) run.suites = undefined;
  }

  /** How many tests have failed so far. */
  get failing(): number {
    let failing = 0;
    for (const test of this.#tests.values()) if (test.hasFailed) failing++;
    return failing;
  }

  /** Whether one is flaky already. */
  get isFlaky(): boolean {
    return this.tests().some(({ passed, failed }) => passed > 0 && failed > 0);
  }

  /** All tests, as the runs that are over have them. */
  tests(): TestHistory[] {
    for (const test of this.#tests.values()) test.end();
    this.#joinWeak();
    const all = [...this.#tests.values()];
    this.#namesakes = new Map(all.filter(({ weak }) => weak).map(({ id }) => [id, []]));
    for (const test of all) {
      if (!test.weak) for (const name of namesOf(test.id)) this.#namesakes.get(name)?.push(test);
    }
    for (const test of all) if (test.failed > 0) this.#infer(test);
    return all;
  }

  /**
   * Runs that have no test in common with another one. Of those that name only what fails nothing can be said: two of them
   * may well differ.
   */
  strangers(tests: readonly TestHistory[]): Run[] {
    const related = new Set<Run>();
    const naming = new Set<Run>();
    // Where a suite is not told, the name is all there is.
    const weak = new Map(tests.filter(test => test.weak).map(({ id }) => [id, new Set<Run>()]));
    for (const test of tests) {
      const seen = this.runs.filter(({ no }) => test.at(no) !== SEEN.not);
      const namesakes = (test.weak ? [test.id] : namesOf(test.id)).map(name => weak.get(name));
      for (const run of seen) {
        if (test.at(run.no) === SEEN.passed) naming.add(run);
        if (seen.length > 1) related.add(run);
        for (const all of namesakes) all?.add(run);
      }
    }
    for (const namesakes of weak.values()) if (namesakes.size > 1) for (const run of namesakes) related.add(run);
    return naming.size < 2 ? [] : this.runs.filter(run => naming.has(run) && !related.has(run));
  }

  /** A test of which some runs do not tell the suite is the one test of that name, if there is just one. */
  #joinWeak(): void {
    const ids = [...this.#tests.values()].map(({ id, weak }) => ({ id, weak }));
    const weak = ids.filter(one => one.weak);
    if (weak.length === 0 || weak.length === ids.length) return;
    const runs = this.runs.length;
    // What followed may be gone.
    this.#before = undefined;
    for (const test of this.#tests.values()) test.next = undefined;
    for (const [id, known] of matchWeak(weak, ids)) {
      const [from, to] = [this.#tests.get(id), this.#tests.get(known)];
      if (from === undefined || to === undefined || from.meets(to, runs)) continue;
      to.join(from, runs);
      this.#tests.delete(id);
    }
  }

  /** A test that failed in one run and is not named in another may be known to have passed there all the same. */
  #infer(test: TestHistory): void {
    test.unseen = 0;
    // A few are as good as all.
    const failedIn = this.runs.filter(({ no }) => test.at(no) === SEEN.red).slice(0, 10);
    const members = test.passed > 0 ? [] : this.#membersOf(test.id);
    test.isGroup ||= members.length > 0;
    for (const run of this.runs) {
      const { no, reason, suites } = run;
      if (test.at(no) !== SEEN.not || reason !== undefined) continue;
      if (
        members.some(member => member.at(no) === SEEN.passed) ||
        failedIn.some(other => this.#namesakesPassed(test, no, other.no) || hasPassed(test, suites, other.suites))
      )
        test.infer(no);
      // Of a file or a class nobody says that nothing was wrong with it.
      else if (suites?.isReticent(test.tool) || test.id === test.suite) test.unseen++;
    }
  }

  /** Whether all tests of its name passed in a run that does not tell which is which, no fewer than where it failed. */
  #namesakesPassed(test: TestHistory, run: number, failed: number): boolean {
    for (const name of namesOf(test.id)) {
      const weak = this.#tests.get(name);
      if (weak === undefined || weak === test || !weak.weak || weak.at(run) !== SEEN.passed) continue;
      const others = this.#namesakes.get(name) ?? [];
      const told = (no: number) => weak.times(no) + others.filter(other => other.at(no) !== SEEN.not).length;
      if (told(run) >= told(failed)) return true;
    }
    return false;
  }

  /** The tests of a group: a file that cannot be loaded, a group whose hook fails, is told of only when it does. */
  #membersOf(id: string): TestHistory[] {
    const group = groupOfHook(id);
    const within = group === undefined ? [`${id} > `, `${id}::`, `${id}.`] : [`${group} `];
    return [...this.#tests.values()].filter(other => within.some(prefix => other.id.startsWith(prefix)));
  }
}

/**
 * Whether what a run counts leaves no other way than that a test, which failed in another and is not named in this one,
 * passed: the same suite, or where suites are not counted the same tool, ran as many tests, and none was skipped unnamed.
 */
function hasPassed({ tool, suite }: TestHistory, run: Suites | undefined, failed: Suites | undefined): boolean {
  if (run === undefined || failed === undefined || !run.isReticent(tool)) return false;
  const [here, there] = suite === undefined ? [] : [run.get(suite), failed.get(suite)];
  if (hasCount(here) && hasCount(there)) return hasRoom(here, there);
  return hasRoom(run.session(tool), failed.session(tool));
}

const hasCount = (suite: SuiteSeen | undefined): boolean => suite?.ended === true && !Number.isNaN(suite.total);

function hasRoom(here: SuiteSeen | undefined, there: SuiteSeen | undefined): boolean {
  if (here === undefined || there === undefined || !here.agrees || !there.agrees) return false;
  return here.total === there.total && here.skipped <= here.namedSkipped && here.namedPassed < here.passed;
}
