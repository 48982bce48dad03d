/** What a report says of one test, and of the suite it stands in. */
import type { Result } from '../../../record/types.js';
import type { Fields } from '../../format.js';
import type { Attributes } from './documents.js';
import type { Producer } from './producer.js';

export type Verdict = 'failure' | 'error' | 'rerunFailure' | 'rerunError' | 'flakyFailure' | 'flakyError';

/** Why an attempt failed. */
export interface Problem {
  verdict: Verdict;
  message: string;
  type: string;
  text: string;
  no: number;
}

export interface Case {
  name: string;
  classname: string;
  attributes: Attributes;
  no: number;
  /** The line it ends in. */
  last: number;
  problems: Problem[];
  /** What `<skipped>` says, where it stands. */
  skipped?: { type: string; message: string };
}

/** What is counted of a suite, in every way that some runner counts. */
export interface Counts {
  /** `<testcase>`s. */
  cases: number;
  /** Of those, the ones that were skipped. */
  skipped: number;
  /** Of those, the ones that failed in the end. */
  red: number;
  /** Tests that failed in the end, attempts of one test being one. */
  tests: number;
  /** What failed without being a test: a package that could not be built. */
  others: number;
  /** Attempts that failed, whatever came of them. */
  attempts: number;
  /** `<failure>` and `<error>` elements. */
  elements: number;
  /** Suites inside in which something failed: node:test counts some of them as tests. */
  groups: number;
  /** Suites inside. */
  suites: number;
  /** What was skipped, as the suites themselves say: some runners count it and do not list it. */
  unlisted: number;
}

export interface Suite {
  name: string;
  attributes: Attributes;
  no: number;
  parent: Suite | undefined;
  /** `<testsuites>`: whatever it is called, it is the whole run. */
  outermost: boolean;
  /** `<property>` names that tell who wrote it, and `properties` where that element is there. */
  marks: Set<string>;
  /** What a comment says of the run. */
  said: Map<string, number>;
  own: Counts;
  /** With the suites inside. */
  all: Counts;
  /** Who wrote it: known with its first test. */
  producer?: Producer;
  /** Read, and not said yet. */
  held: Held[];
  /** What failed in it outside of its tests. */
  trouble?: Case | undefined;
}

export interface Held {
  test: Case;
  identity: Identity;
}

export interface Identity extends Pick<Fields, 'weakId' | 'suite' | 'tool' | 'kind'> {
  id: string;
  name: string;
  /** Told like a test, and not counted by who told it. */
  uncounted?: true;
}

export const noCounts = (): Counts => ({
  cases: 0,
  skipped: 0,
  red: 0,
  tests: 0,
  others: 0,
  attempts: 0,
  elements: 0,
  groups: 0,
  suites: 0,
  unlisted: 0,
});

/** The attempts that failed in the end, or none. */
export const finals = ({ problems }: Case): Problem[] =>
  problems.filter(({ verdict }) => verdict === 'failure' || verdict === 'error');

/** Counts what a `<testcase>` tells, or a suite of itself; how many tests that are is known when all of the suite is. */
export function count(counts: Counts, test: Case, result: Result): void {
  counts.attempts += test.problems.length;
  counts.elements += finals(test).length;
  if (result === 'failed') counts.red++;
  if (result === 'skipped') counts.skipped++;
}

export function add(to: Counts, counts: Counts): void {
  for (const key of Object.keys(to) as (keyof Counts)[]) to[key] += counts[key];
}
