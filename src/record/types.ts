/**
 * The records every tool speaks: one JSON object a line. `schemas/` is the published contract, these types are its
 * face in TypeScript. A field that is not known is absent: never null, never empty.
 */

/** Line numbers of the input (first line is 1) that a record was read from. */
export interface Span {
  first: number;
  last: number;
}

export type Kind = 'test' | 'build' | 'crash';
export type Result = 'passed' | 'failed' | 'skipped';

/** Why a run is not known to have ended whole. */
export type Reason = 'interrupted' | 'crash' | 'bailOut' | 'failFast' | 'truncated' | 'tally' | 'noRun';

/** What is known of one thing that went wrong, whichever record it ends up in. */
export interface Finding {
  kind: Kind;
  tool: string;
  /** Names the same failure in the next run and on another machine. */
  id: string;
  /** The suite could not be known: the id matches only a sole candidate of that name. */
  weakId?: true;
  suite?: string;
  name?: string;
  file?: string;
  line?: number;
  column?: number;
  endLine?: number;
  code?: string;
  severity?: string;
  message?: string;
  /** What the tool said about it, at most 4 KiB; `cut` says that there was more. */
  detail?: string;
  attempt?: number;
  /** The input file, where there are several. */
  from?: string;
  log: Span;
  cut?: true;
  source: 'exact' | 'model';
}

export interface Failure extends Finding {
  type: 'failure';
  /** Said by aido-baseline. */
  baseline?: 'new' | 'preExisting';
}

export interface Warning extends Finding {
  type: 'warning';
}

/** The result of one test. */
export interface Outcome {
  type: 'outcome';
  tool: string;
  id: string;
  weakId?: true;
  suite?: string;
  name?: string;
  result: Result;
  attempt?: number;
  from?: string;
  log: Span;
}

/** A suite that printed its own end: the runner's tally, and whether what was read matches it. */
export interface Suite {
  type: 'suite';
  tool: string;
  suite?: string;
  result: 'passed' | 'failed';
  passed?: number;
  failed?: number;
  skipped?: number;
  agrees: boolean;
  from?: string;
  log: Span;
}

/** Lines that look like a failure and that no format explains. */
export interface Unread {
  type: 'unread';
  text: string;
  from?: string;
  log: Span;
  cut?: true;
}

/** Said by aido-baseline of a failure of the baseline that is not among the current ones. */
export interface Fixed {
  type: 'fixed';
  id: string;
  /** `passed`: the test was seen to pass; `suite`: its suite ended, agrees, and does not list it. */
  evidence: 'passed' | 'suite';
}

export interface Absent {
  type: 'absent';
  id: string;
}

/** The last line every tool writes. Counts are of records before any `--max-…` bound. */
export interface Summary {
  type: 'summary';
  by: string;
  failures?: number;
  warnings?: number;
  outcomes?: number;
  suites?: number;
  /** Suites whose tally does not match what was read. */
  disagree?: number;
  unread?: number;
  /** Failures counted but not written, over `--max-failures`. */
  over?: number;
  new?: number;
  preExisting?: number;
  fixed?: number;
  absent?: number;
  complete: boolean;
  reason?: Reason;
  lines?: number;
  bytes?: number;
  /** The input in pieces of 4 KiB, and how many of them hold nothing that looks like a failure and is unexplained. */
  chunks?: number;
  exactChunks?: number;
  /** Lines longer than 64 KiB, of which only the head was read. */
  longLines?: number;
}

export type AidoRecord = Failure | Warning | Outcome | Suite | Unread | Fixed | Absent | Summary;
