/**
 * What a format is: a small state machine over undressed lines. This is all that a file in `formats/` needs to know.
 *
 * A format never sees the bytes, colours, CI stamps or other programs' streams: each stream of the input has its own
 * reader, offered only the lines that bear one of the format's hints, and every line while its block is open.
 */
import type { Finding, Kind, Reason, Result } from '../record/types.js';

/** One undressed line of one stream. */
export interface Line {
  /** Without colours, prefixes and line end; at most 4 KiB. */
  text: string;
  /** Its number in the input, from 1. */
  no: number;
  /** Where its first byte lies in the input. */
  off: number;
  /** The input ends in it, without a line end: it may be cut. */
  torn?: true;
}

export interface Format {
  /** Its tool's name, as it stands in `tool`; also the name of its file and of its fixture folder. */
  name: string;
  /** Where the tool describes its output, or whose program it is. */
  url: string;
  /**
   * Literals of at least four bytes, looked for in the raw bytes; one without an upper-case letter matches in any case.
   * Every line that the reader takes outside of
   * an open block must bear one of them: a line without is never offered.
   */
  hints: string[];
  /** Further hints, looked for only with `--outcomes`. */
  outcomeHints?: string[];
  /** A fresh reader for one stream: its memory is this closure. */
  reader(out: Out): Reader;
}

export interface Reader {
  /**
   * Offered every hinted line that no open block owns, in list order, until one takes it.
   * undefined: not mine. 'mine': taken. A block: taken, and the lines that follow are offered to the block first.
   */
  line(line: Line): undefined | 'mine' | Block;
  /** Asked about a line that looks like a failure and that nobody took: true when it is known to be harmless. */
  excuse?(line: Line): boolean;
  /** The stream is over; `out.close()` follows by itself. */
  end?(): void;
}

export interface Block {
  /** 'more': mine, go on. 'last': mine, and the block is over. undefined: not mine, the block ended before it. */
  line(line: Line): 'more' | 'last' | undefined;
  /** Called once, however the block ends: its own word, a bound, another block of its stream, the end of input. */
  end?(): void;
}

/** Which part of what a runner prints about one failing test. */
export type Part = 'status' | 'detail' | 'summary';

/** What a format may say of a finding; the engine adds the rest. `id` and `suite` may be left to `close`. */
export type Fields = Partial<Omit<Finding, 'log' | 'source' | 'from' | 'cut' | 'detail'>> & { kind?: Kind };

/** A failure that is still being put together. */
export interface Draft {
  readonly key: string;
  /** Free to change until the draft goes out. */
  fields: Fields;
  /** Appends a line to `detail` (bounded) and stretches `log` over it. */
  add(line: Line): void;
}

/** The runner's own count of what it ran. Failures and errors both count as `failed`. */
export interface Tally {
  suite?: string;
  passed?: number;
  failed?: number;
  skipped?: number;
  /** Needed where the tool says only whether the suite failed. Default: failed when `failed` is not 0. */
  result?: 'passed' | 'failed';
  /** What the reader itself counted, where the runner counts other things than failing tests of this scope. */
  counted?: number;
  /** It is known already that something else was read than the runner counted. */
  agrees?: false;
}

/** A reader's way to say what it read. Each reader (a format in a stream) has its own. */
export interface Out {
  readonly outcomes: boolean;
  readonly warnings: boolean;

  /** A path as it is to stand in an id: `--root` stripped, `--prefix` added. (`file` is treated by the engine.) */
  path(path: string): string;

  /** A run or suite has begun: until its tally, the run is not known to have ended. `part` and `outcome` say so too. */
  begin(): void;

  /**
   * Something was said about the failing test `key` of the open scope: joins the draft of that key that lacks this
   * part, or opens one. A second `status` of the same key is thus a second attempt. Default `id` and `name`: the key.
   */
  part(part: Part, key: string, line: Line, fields?: Fields): Draft;

  /** The test failed before and passed or was expected to fail after all: its open drafts are forgotten. */
  drop(key: string): void;

  /**
   * A test passed or was skipped; `failed`: an attempt that another one followed, which does not make the run red (what
   * failed for good says so through `part`). Written only with `--outcomes`.
   */
  outcome(result: Result, key: string, line: Line, fields?: Fields): void;

  /**
   * A failure that is complete in itself: a diagnostic, a crash. It goes out when the block returned for this line
   * ends, or at once when there is none. Default id: `file: code: message` with volatile parts normalised.
   */
  failure(fields: Fields & { kind: Kind }, first: Line, last?: Line): Draft;

  /** The same for what does not make the run red. Written only with `--warnings`. */
  warning(fields: Fields, first: Line, last?: Line): Draft;

  /**
   * `make: *** Error 1`: a failure only when nothing else in this stream explains it, known at the end. With it a build
   * is known to have ended; a `crash` is no end of anything. What could not begin is a `failure`, not this.
   */
  consequence(fields: Fields & { kind: Kind }, line: Line): void;

  /** How many tests failed in the open scope so far. */
  failing(): number;

  /** The tool's own count of the open scope; what it says is held against what was read when the scope closes. */
  tally(tally: Tally, line: Line): void;

  /**
   * The scope (target, package, session) is over: `finish` completes ids and suites of all that is open, which goes out.
   * @param again 'runs': a key that came before is the same test, run again: its outcomes are numbered from the second on
   */
  close(finish?: (fields: Fields, key: string) => void, again?: 'runs'): void;

  /** The run stopped early: what it does not list is not known to be fine. */
  early(reason: Exclude<Reason, 'noRun' | 'tally' | 'interrupted'>): void;

  /** The n-th line before the current one in this stream (1 is the one just before), at most 64 KiB back. */
  back(n: number): Line | undefined;

  /** A line read earlier belongs to something found: it is explained. */
  claim(line: Line): void;
}
