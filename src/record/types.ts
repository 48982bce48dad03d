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

/** Worst first. `unknown`: the auditor does not say, and there is no CVSS vector. */
export type Severity = 'critical' | 'high' | 'moderate' | 'low' | 'info' | 'unknown';
/** How near the project comes to what is vulnerable: calls it, imports the package, only requires the module, or does not call it. */
export type Reachable = 'called' | 'imported' | 'required' | 'uncalled';

/** Why a run is not known to have ended whole. */
export type Reason = 'interrupted' | 'crash' | 'bailOut' | 'failFast' | 'truncated' | 'tally' | 'noRun' | 'notAudited';

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
  /** The run it belongs to, where the user named it. */
  run?: string;
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
  run?: string;
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
  run?: string;
  log: Span;
}

/** Lines that look like a failure and that no format explains. */
export interface Unread {
  type: 'unread';
  text: string;
  from?: string;
  run?: string;
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

/** One way in which a test failed, and how often. */
export interface Signature {
  message: string;
  count: number;
}

/** A run, or an audit, that is not known to be whole. */
export interface Incomplete {
  run: string;
  reason: Reason;
  /** In words. */
  message?: string;
}

/** What several runs say of one test. */
export interface History {
  tool: string;
  id: string;
  weakId?: true;
  suite?: string;
  name?: string;
  /** How many runs were looked at; in how many of them it was not seen. */
  runs: number;
  missing: number;
  /** How often it ran to which end, attempts within a run included. */
  passed: number;
  failed: number;
  skipped: number;
  /** Of `passed`: known only from the suite's own count. */
  inferred?: number;
  /** Of `missing`: runs that ended, do not name what passed, and do not list it as failed. It may have passed there. */
  unseen?: number;
  /** A letter for each run in order: how it ended there. `P` passed, `F` failed, `S` skipped, `-` not seen. */
  outcomes: string;
  /** `failed` of all that passed or failed, and the bounds of its 95 % Wilson interval; 4 digits. */
  rate: number;
  rateLow: number;
  rateHigh: number;
  file?: string;
  line?: number;
}

/** Passed in some runs or attempts, and failed in others. */
export interface Flaky extends History {
  type: 'flaky';
  /** So many more runs show a failure at that rate with a probability of 95 %. */
  runsFor95: number;
  /** The same number: failed in the same runs, two at least. */
  group?: number;
  /** What its failures said, volatile parts normalised: most often first. */
  reasons?: Signature[];
  /** A command for a POSIX shell that runs just this test. */
  rerun?: string;
}

/** Failed, and never passed. */
export interface Broken extends History {
  type: 'broken';
  reasons?: Signature[];
  rerun?: string;
}

/** Passed, and never failed. */
export interface Stable extends History {
  type: 'stable';
}

/** Whether there is a version without it, and how to get there. */
export type AdvisoryFix =
  | { available: false }
  | {
      available: true;
      /** What is to be upgraded, where that is another package: one that brings the vulnerable one. */
      package?: string;
      version?: string;
      /** What uses it may have to change. */
      breaking?: boolean;
      /** For a POSIX shell, in the project's folder. */
      command?: string;
    };

/** One vulnerability of one package, whoever found it and under whatever name. */
export interface Advisory {
  type: 'advisory';
  /** As OSV calls it: `npm`, `crates.io`, `PyPI`, `Go`, … */
  ecosystem: string;
  package: string;
  /** The installed version; of several the lowest, and all of them in `versions`. */
  version?: string;
  versions?: string[];
  /** The vulnerable versions, as the auditor prints them. */
  range?: string;
  severity: Severity;
  /** CVSS base score. */
  score?: number;
  /** The auditor's own word, or computed from a CVSS score of that version. */
  severitySource?: 'reported' | 'cvss2' | 'cvss3' | 'cvss4';
  id: string;
  aliases?: string[];
  title?: string;
  url?: string;
  fix?: AdvisoryFix;
  /** The project itself asks for the package. */
  direct?: boolean;
  /** It is only used for development. */
  dev?: boolean;
  /** From the project's own dependency down to the package: `a > b > c`; at most 10, the shortest first. */
  paths?: string[];
  /** How many there are where those are not all. */
  pathCount?: number;
  reachable?: Reachable;
  /** The lock files or workspaces in which it was found. */
  manifests?: string[];
  /** Who says so. */
  tools: string[];
  /** The input files, where there are several. */
  from?: string[];
  /** Said by `--allow`: the gate does not count it. */
  allowed?: true;
  allowedUntil?: string;
  allowedReason?: string;
  /** Said by `--diff`. `absent`: not seen, and nobody who saw it before has looked. */
  status?: 'new' | 'worse' | 'unchanged' | 'gone' | 'absent';
}

/** What is no vulnerability and still matters to who reads an audit. */
export interface Notice {
  type: 'notice';
  kind:
    | 'notAudited'
    | 'unsound'
    | 'unmaintained'
    | 'yanked'
    | 'deprecated'
    | 'abandoned'
    | 'insecureSource'
    | 'unread'
    | 'allowExpired'
    | 'allowUnused'
    | 'other';
  ecosystem?: string;
  package?: string;
  version?: string;
  /** What `--allow` knows it by. */
  id?: string;
  aliases?: string[];
  message?: string;
  url?: string;
  /** What to use instead. */
  replacement?: string;
  tool?: string;
  from?: string;
  allowed?: true;
  allowedUntil?: string;
  allowedReason?: string;
}

/** One step that closes advisories. */
export interface Upgrade {
  type: 'upgrade';
  ecosystem: string;
  /** What is upgraded; of a command that upgrades several, the vulnerable packages. */
  packages: string[];
  version?: string;
  /** How many advisories it closes that no upgrade before it has closed. */
  closes: number;
  breaking?: boolean;
  command?: string;
  /** The worst of them. */
  severity: Severity;
  ids: string[];
  /** Of a breaking one: how far one gets without, and how many that closes. */
  safeVersion?: string;
  safeCloses?: number;
  safeCommand?: string;
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
  /** Said by aido-flaky: how many runs and tests it looked at, and what became of the tests. */
  runs?: number;
  tests?: number;
  flaky?: number;
  broken?: number;
  stable?: number;
  /** Runs that do not name all tests that passed: there, one that was not seen may have passed. */
  unnamed?: number;
  /** Runs that did not end: at most 100 of them. */
  incomplete?: Incomplete[];
  /** Commands for a POSIX shell that run just the flaky tests. */
  rerun?: string[];
  /** Said by aido-audit: who was heard, how many advisories there are, and of which severity. */
  tools?: string[];
  advisories?: number;
  critical?: number;
  high?: number;
  moderate?: number;
  low?: number;
  info?: number;
  unknown?: number;
  /** Advisories for which there is a version without, and those that it can be had of without a breaking change. */
  fixable?: number;
  fixableWithoutBreaking?: number;
  /** Packages that have an advisory. */
  packages?: number;
  notices?: number;
  notAudited?: number;
  /** Advisories left out since they are only used for development. */
  dev?: number;
  allowed?: number;
  /** Of `--diff`, beside `new` and `absent`. */
  worse?: number;
  unchanged?: number;
  gone?: number;
  /** Advisories that the gate counts. */
  blocking?: number;
  /** Of `--plan`: how many steps, how many advisories they close, and how many stay. */
  upgrades?: number;
  closes?: number;
  left?: number;
  run?: string;
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

export type AidoRecord =
  | Failure
  | Warning
  | Outcome
  | Suite
  | Unread
  | Fixed
  | Absent
  | Flaky
  | Broken
  | Stable
  | Advisory
  | Notice
  | Upgrade
  | Summary;
