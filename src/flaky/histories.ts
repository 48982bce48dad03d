/** All tests over all runs: records in, a history of each test out. Memory is bounded by tests and runs, not by records. */
import { type SuiteSeen, Suites } from '../reading/suites.js';
import type { Totals } from '../reading/totals.js';
import { matchWeak, nameOf } from '../record/matching.js';
import type { AidoRecord, Failure, Outcome, Reason, Suite } from '../record/types.js';
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
}

export class Histories {
  readonly runs: Run[] = [];
  readonly #tests = new Map<string, TestHistory>();
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
    else if (run.named + run.counted === 0) run.reason ??= 'noRun';
    if (run.over) return;
    run.over = true;
    run.suites?.end();
    run.unnamed = run.reason === undefined && run.suites?.isReticent() === true;
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
      const namesakes = weak.get(test.weak ? test.id : nameOf(test.id));
      for (const run of seen) {
        if (test.at(run.no) === SEEN.passed) naming.add(run);
        if (seen.length > 1) related.add(run);
        namesakes?.add(run);
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
    const failedIn = this.runs.filter(({ no, suites }) => suites !== undefined && test.at(no) === SEEN.red);
    const members = test.passed > 0 ? [] : this.#membersOf(test.id);
    for (const { no, reason, suites } of this.runs) {
      if (test.at(no) !== SEEN.not || reason !== undefined) continue;
      if (
        this.#namesakesPassed(test, no) ||
        members.some(member => member.at(no) === SEEN.passed) ||
        (suites !== undefined && hasPassed(test, suites, failedIn))
      )
        test.infer(no);
    }
  }

  /** Where suites are not told of those that pass: all of its name did. */
  #namesakesPassed(test: TestHistory, run: number): boolean {
    const all = this.#tests.get(nameOf(test.id));
    return all !== undefined && all !== test && all.weak && all.at(run) === SEEN.passed;
  }

  /** The tests of a group: a file that cannot be loaded, a group whose hook fails, is told of only when it does. */
  #membersOf(id: string): TestHistory[] {
    const group = id.replace(/ "(?:before|after) (?:all|each)" hook\b.*$/s, '');
    const within = group === id ? [`${id} > `, `${id}::`, `${id}.`] : [`${group} `];
    return [...this.#tests.values()].filter(other => within.some(prefix => other.id.startsWith(prefix)));
  }
}

/** Whether what a run counts leaves no other way than that a test, which it does not name, passed. */
function hasPassed({ tool, suite }: TestHistory, suites: Suites, failedIn: readonly Run[]): boolean {
  if (!suites.isReticent(tool)) return false;
  if (suite !== undefined && suites.clears(suite)) return true;
  return failedIn.some(({ suites: others }) => {
    const [here, there] = suite === undefined ? [] : [suites.get(suite), others?.get(suite)];
    // Where only the whole run is counted, that has to do.
    if (hasCount(here) && hasCount(there)) return hasRoom(here, there);
    return hasRoom(suites.session(tool), others?.session(tool));
  });
}

const hasCount = (suite: SuiteSeen | undefined): boolean => suite?.ended === true && !Number.isNaN(suite.total);

/**
 * Whether a test that failed there can only have passed here: as many tests ran, not all that passed are named, and no more
 * were skipped without being named.
 */
function hasRoom(here: SuiteSeen | undefined, there: SuiteSeen | undefined): boolean {
  if (here === undefined || there === undefined || !here.agrees || !there.agrees) return false;
  const room = here.namedPassed < here.passed && here.total >= there.total;
  return room && here.skipped <= Math.max(here.namedSkipped, there.skipped);
}
