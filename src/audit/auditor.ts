/**
 * What an auditor is: a program that says which known vulnerabilities the dependencies of a project have, in JSON. This
 * and what it is made of (versions.ts, fields.ts) are all that a file in `auditors/` needs to know.
 *
 * An input is one JSON document or several in a row. Each is offered to the auditors in their order; the first that
 * recognises its shape reads it.
 */
import type { Reachable } from '../record/types.js';
import type { Manager } from './managers.js';

export interface Auditor {
  /** The name of its file and of its fixture folder. */
  name: string;
  /** The command whose output it reads, for an error that lists them: `npm audit --json`. */
  prints: string;
  /** Where the format is described. */
  url: string;
  /** Whether a document is one of its. What it reads may have any shape: every field is looked at with suspicion. */
  recognises(document: unknown): boolean;
  /** A fresh reader for one input: its memory is this closure. */
  reader(out: Out): Reader;
}

export interface Reader {
  /** One document that was recognised. */
  read(document: unknown): void;
  /** There is no more. */
  end?(): void;
}

/** Where a reader says what it read. */
export interface Out {
  /**
   * An audit took place. Said by every reader of what it reads, also when nothing was found: without it, silence is no
   * evidence. `tool`: who made it, `npm`; also of the findings that follow.
   */
  audited(tool: string): void;
  finding(finding: Finding): void;
  notice(notice: Note): void;
  /** What is an advisory and cannot be told: then not everything is known. */
  unreadable(what: Pick<Note, 'ecosystem' | 'package' | 'version' | 'ids' | 'message'>): void;
  /** The audit is not whole: `truncated`, it stops in its middle. */
  incomplete(reason: 'truncated', message: string): void;
  /** Nobody can tell from the document whether it is an audit: only the auditor's exit status can (`--status 0`). */
  doubt(message: string): void;
  /** The auditor says of itself that it failed: then this is no audit. `message` is its own, for people. */
  failed(message: string): void;
}

/** The ecosystems by the names that OSV gives them (https://ossf.github.io/osv-schema/#defined-ecosystems). */
export type Ecosystem = 'npm' | 'crates.io' | 'PyPI' | 'Go' | 'Packagist' | 'RubyGems' | (string & {});

/** One vulnerability in one version of one package, as one auditor tells it. What is not known is absent. */
export interface Finding {
  ecosystem: Ecosystem;
  package: string;
  /** What the auditor calls it, then what else it is called: GHSA, CVE, RUSTSEC, PYSEC, GO …; empty: it has no name. */
  ids: readonly string[];
  /** The version that is installed. */
  version?: string | undefined;
  /** The versions that are vulnerable, as printed. */
  range?: string | undefined;
  /** The versions that are safe, as ranges, each by itself: `>=1.2.3, <2`. */
  patched?: readonly string[] | undefined;
  /** The versions in which it was mended, one for each series. */
  mended?: readonly string[] | undefined;
  /** The auditor's own word, as printed. */
  severity?: string | undefined;
  /** CVSS vectors, as printed; their own prefix tells the version, one without is of 2.0. */
  vectors?: readonly string[] | undefined;
  /** A CVSS base score that comes without its vector, and its CVSS version. */
  score?: { value: number; version: 2 | 3 | 4 } | undefined;
  /** What it is about; of a longer text its first line is shown. */
  title?: string | undefined;
  url?: string | undefined;
  /** Absent: the auditor does not tell whether there is one. */
  fix?: Fix | undefined;
  /** The project itself asks for it. */
  direct?: boolean | undefined;
  /** Only used for development. */
  dev?: boolean | undefined;
  /** From the project's own dependency down to the package, both included; a function where they have to be searched for. */
  paths?: Paths | ((finding: Finding) => Paths) | undefined;
  /** How many paths there are where those are not all. */
  pathCount?: number | undefined;
  reachable?: Reachable | undefined;
  /** The lock file or workspace in which it was found, where the auditor reads several. */
  manifest?: string | undefined;
}

export type Paths = readonly (readonly string[])[];

export type Fix = { available: false } | Upgrade;

/** What has to be done to be rid of it. */
export interface Upgrade extends How {
  available: true;
  /** What uses it may have to change. Absent: not known. */
  breaking?: boolean | undefined;
  /** The rest of it, where that takes work: it is called only for what is shown. */
  how?: (finding: Finding) => How;
}

export interface How {
  /** The lowest version without it; with `package`, that one's. */
  version?: string | undefined;
  /** What is to be upgraded, where that is not the package itself but one that brings it. */
  package?: string | undefined;
  /** Who does it. Absent: nobody knows a command for it. */
  manager?: Manager | undefined;
  /** The folder of the project that asks for it, as the manager calls it; absent: its root. */
  folder?: string | undefined;
  /** The lock file that it is about, where the auditor reads several. */
  lockFile?: string | undefined;
  /** The manager's own command for everything of this kind (`npm audit fix`) closes it, too. */
  together?: boolean | undefined;
}

/** What is no vulnerability and still matters. */
export interface Note {
  kind:
    | 'unmaintained'
    | 'unsound'
    | 'yanked'
    | 'deprecated'
    | 'abandoned'
    | 'insecureSource'
    | 'notAudited'
    | 'unread'
    | 'other';
  ecosystem?: Ecosystem | undefined;
  package?: string | undefined;
  version?: string | undefined;
  /** The advisory's id, where it has one, then what else it is called. */
  ids?: readonly string[] | undefined;
  /** What it says, in one line. */
  message?: string | undefined;
  url?: string | undefined;
  /** What to use instead. */
  replacement?: string | undefined;
}
