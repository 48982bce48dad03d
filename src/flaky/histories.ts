/** All tests over all runs: records in, a history of each test out. Memory is bounded by tests and runs, not by records. */
import { Suites } from '../reading/suites.js';
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
  /** While it is read: what its suites say. */
  open?: Open | undefined;
}

interface Open {
  suites: Suites;
  sessions: Map<string, Session>;
}

/** What a tool says of the whole run, without naming a suite. */
interface Session {
  total: number;
  skipped: number;
  named: number;
  passed: number;
  agrees: boolean;
}

/** What a run that is over says of the tests it did not name. */
interface Unnamed {
  clear: Set<string>;
  sessions: Map<string, Session>;
}

export class Histories {
  readonly runs: Run[] = [];
  readonly #tests = new Map<string, TestHistory>();
  readonly #unnamed: Unnamed[] = [];

  /** A further run. */
  run(name: string): Run {
    const open = { suites: new Suites(), sessions: new Map() };
    const run: Run = { name, no: this.runs.length, named: 0, counted: 0, open };
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
    const { open } = run;
    if (open === undefined) return;
    open.suites.outcome(outcome);
    if (outcome.result === 'passed') session(open, outcome.tool).named++;
  }

  #failure(run: Run, failure: Failure): void {
    run.named++;
    this.#test(failure).failure(run.no, failure);
  }

  #suite(run: Run, suite: Suite): void {
    run.counted++;
    const { open } = run;
    if (open === undefined) return;
    open.suites.suite(suite);
    if (suite.suite !== undefined) return;
    const { passed = Number.NaN, failed = Number.NaN, skipped = 0, agrees } = suite;
    const seen = session(open, suite.tool);
    seen.total += passed + failed + skipped;
    seen.passed += passed;
    seen.skipped += skipped;
    seen.agrees &&= agrees;
  }

  #test(record: Outcome | Failure): TestHistory {
    let test = this.#tests.get(record.id);
    if (test === undefined) {
      test = new TestHistory(record);
      this.#tests.set(record.id, test);
    }
    return test;
  }

  /** The run is over; it may still be added to, but then it says nothing of tests it did not name. */
  end(run: Run, { complete, reason = 'truncated' }: Pick<Totals, 'complete' | 'reason'>): void {
    if (!complete) run.reason ??= reason;
    else if (run.named + run.counted === 0) run.reason ??= 'noRun';
    const { open } = run;
    run.open = undefined;
    if (open === undefined || run.reason !== undefined) return;
    const { suites, sessions } = open;
    const clear = new Set(suites.clear());
    run.unnamed = clear.size > 0 || [...sessions.values()].some(({ named, passed }) => named < passed);
    this.#unnamed[run.no] = { clear, sessions };
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
    for (const [id, known] of matchWeak(weak, ids)) {
      const [from, to] = [this.#tests.get(id), this.#tests.get(known)];
      if (from === undefined || to === undefined || from.meets(to, runs)) continue;
      to.join(from, runs);
      this.#tests.delete(id);
    }
  }

  /** A test that failed in one run and is not named in another passed there, if the suite's own count says so. */
  #infer(test: TestHistory): void {
    const failedIn = this.runs.filter(({ no }) => test.at(no) === SEEN.red);
    for (const { no } of this.runs) {
      if (test.at(no) !== SEEN.not) continue;
      // Where suites are not told of those that pass, all of the same name passed.
      const namesakes = this.#tests.get(nameOf(test.id));
      if (namesakes?.weak && namesakes !== test && namesakes.at(no) === SEEN.passed) test.infer(no);
      const unnamed = test.at(no) === SEEN.not ? this.#unnamed[no] : undefined;
      if (unnamed === undefined) continue;
      const suite = test.suite !== undefined && unnamed.clear.has(test.suite);
      if (suite || failedIn.some(run => this.#sameSession(test.tool, unnamed, this.#unnamed[run.no]))) test.infer(no);
    }
  }

  /** Whether both ran as many tests and skipped as many, and the first did not name all that passed. */
  #sameSession(tool: string, run: Unnamed, other: Unnamed | undefined): boolean {
    const [a, b] = [run.sessions.get(tool), other?.sessions.get(tool)];
    if (a === undefined || b === undefined || !a.agrees || !b.agrees) return false;
    return a.total > 0 && a.total === b.total && a.skipped === b.skipped && a.named < a.passed;
  }
}

function session({ sessions }: Open, tool: string): Session {
  let seen = sessions.get(tool);
  if (seen === undefined) {
    seen = { total: 0, skipped: 0, named: 0, passed: 0, agrees: true };
    sessions.set(tool, seen);
  }
  return seen;
}
