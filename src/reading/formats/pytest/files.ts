/**
 * The lines of dots, which tell the results of each test file: `tests/test_a.py ..F.s  [ 50%]`. What pytest itself counts
 * is the session; a file whose letters were all read ended as well, and what it does not list did not fail.
 */
import type { Block, Line, Out, Tally } from '../../format.js';
import type { Entry } from './entries.js';
import { collectedOf, fileOf, isRerun, type Progress, progressOf, restOf } from './lines.js';

interface Seen {
  line: Line;
  passed: number;
  failed: number;
  skipped: number;
  /** Each of its lines ended as one does that no more letters follow. */
  closed: boolean;
}

type Counts = Required<Pick<Tally, 'passed' | 'failed' | 'skipped'>>;

const FILES = 20_000;

export class Files {
  readonly #out: Out;
  readonly #seen = new Map<string, Seen>();
  /** How many tests there are; of one alone it is not known whether it was asked for by its id. */
  #collected = 0;
  /** Only some of the tests were asked for, or not all of them were run. */
  partial = false;

  constructor(out: Out) {
    this.#out = out;
  }

  /** A line between the session's heading and its first section. */
  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const progress = progressOf(text);
    if (progress !== undefined) return this.#progress(progress, line);
    const collected = collectedOf(text);
    if (collected !== undefined) this.#collected = collected;
    else if (isRerun(text)) this.partial = true;
    else return undefined;
    return 'mine';
  }

  #progress({ file, letters, end }: Progress & { file: string }, line: Line): undefined | 'mine' | Block {
    let seen = this.#seen.get(file);
    if (seen === undefined) {
      if (this.#seen.size >= FILES) return 'mine';
      seen = { line, passed: 0, failed: 0, skipped: 0, closed: true };
      this.#seen.set(file, seen);
    }
    count(letters, seen);
    if (end !== 'full') seen.closed &&= end === 'closed';
    return end === 'full' ? continued(seen) : 'mine';
  }

  /** The session is over, nothing was deselected, and its tally agrees with what was read. */
  tally(session: Counts, entries: Iterable<Entry>): void {
    const ran = session.passed + session.failed + session.skipped;
    if (this.partial || this.#collected < 2 || this.#collected > ran) return;
    const sum = { passed: 0, failed: 0, skipped: 0 };
    const sums = Object.keys(sum) as (keyof Counts)[];
    for (const seen of this.#seen.values()) for (const key of sums) sum[key] += seen[key];
    // More than there were: the letters of another session.
    if (sums.some(key => sum[key] > session[key])) return;
    const all = sums.every(key => sum[key] === session[key]);
    const failing = new Map<string, number>();
    for (const { id } of entries) {
      const file = id === undefined ? '' : slashed(fileOf(id));
      failing.set(file, (failing.get(file) ?? 0) + 1);
    }
    for (const [file, { line, passed, failed, skipped, closed }] of this.#seen) {
      const suite = slashed(file);
      if ((closed || all) && failed === (failing.get(suite) ?? 0))
        this.#out.tally({ suite, passed, failed, skipped, counted: failed }, line);
    }
  }

  clear(): void {
    this.#seen.clear();
    this.#collected = 0;
    this.partial = false;
  }
}

/** The lines that follow one that letters fill to its end. */
function continued(seen: Seen): Block {
  let full = true;
  return {
    line: ({ text }) => {
      const rest = restOf(text);
      if (rest === undefined) return undefined;
      count(rest.letters, seen);
      full = rest.end === 'full';
      return full ? 'more' : 'last';
    },
    end: () => {
      if (full) seen.closed = false;
    },
  };
}

/** As the session's tally counts them; reruns and subtests that did not fail count for nothing there. */
function count(letters: string, seen: Seen): void {
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i];
    if (letter === '.' || letter === 'X') seen.passed++;
    else if (letter === 's' || letter === 'x') seen.skipped++;
    else if (letter === 'F' || letter === 'E' || letter === 'u') seen.failed++;
  }
}

/** On Windows files are printed otherwise than ids. */
const slashed = (file: string): string => file.replaceAll('\\', '/');
