/**
 * cargo nextest: a line for each test, what a failing one printed below it, the count, and once more the lines of those
 * that failed. Every test is a process of its own, so that one that dies is a failing test like any other. Ids are the
 * binary's, as nextest names it, and the test's path.
 */
import type { Block, Fields, Format, Line, Out, Reader } from '../format.js';
import { IdTable } from '../id-table.js';
import { around } from './nextest/around.js';
import { isHeader, isOwn, Output, outputBlock } from './nextest/output.js';
import { SIGNALS, type Status, statusOf } from './nextest/status.js';

const STARTING = /^ {4}Starting (\d+) (?:tests?|benchmarks?) across \d+ binar/;
const RUN_ID = /^ Nextest run ID /;
const CANCEL = /^ {0,3}Cancell?ing due to ([a-z ]+)/;
const SUMMARY =
  /^ {5}Summary \[ *[\d.]+s\] (\d+)(?:\/(\d+))? (?:(?:tests?|benchmarks?) run|stress run iterations?): (.*)$/;
const ITERATION = /^ Stress test \[ *[\d.]+s\] iteration \S+ (\d+)(?:\/(\d+))? (?:tests?|benchmarks?) run: (.*)$/;
const COUNT = /(\d+) (exec failed|timed out|passed|failed|skipped)/g;
const FLAKY_FAILS = /^ +- test configured to fail if flaky$/;
const HARMLESS =
  /^error: (?:test run failed|setup script failed)$|^warning: \d+\/\d+ tests? (?:was|were) not run|^ *DELAY \d+\/\d+ by |^ +command: |^ +Note \d+ outstanding /;
/** Tests that failed, and outputs whose test is not known yet. */
const TESTS = 20_000;
const ORPHANS = 200;

/** What was read of a test that failed at least once. */
interface Tried {
  /** Up to which attempt it was told. */
  attempt: number;
  /** What it printed was. */
  detailed: boolean;
}

class NextestReader implements Reader {
  readonly #out: Out;
  #total: number | undefined;
  #cancelled: 'failFast' | 'bailOut' = 'failFast';
  #tried = new Map<string, Tried>();
  /** Tests whose passing was told: after the count it may be once more. */
  #told = new IdTable();
  /** With --no-capture and --verbose: what has begun, and what the one that runs alone has printed. */
  #started: Set<string> | undefined;
  #shown: { id: string; line: Line; output: Output } | undefined;
  /** With `--status-level none` a test's output comes without its line. */
  #orphans = new Map<string, { line: Line; output: Output }>();

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): undefined | 'mine' | Block {
    return this.#ofRun(line) ?? this.#ofTest(line, false) ?? this.#orphan(line) ?? around(line, this.#out, this.#own);
  }

  excuse({ text }: Line): boolean {
    return HARMLESS.test(text) || statusOf(text) !== undefined;
  }

  #ofRun(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const total = STARTING.exec(text)?.[1];
    if (total !== undefined || RUN_ID.test(text)) {
      this.#reset();
      if (total !== undefined) this.#total = Number(total);
      this.#out.begin();
      return 'mine';
    }
    const cancelled = CANCEL.exec(text)?.[1];
    if (cancelled !== undefined) {
      this.#cancelled = cancelled.startsWith('test failure') ? 'failFast' : 'bailOut';
      return 'mine';
    }
    const iteration = ITERATION.exec(text);
    if (iteration !== null) {
      this.#tally(iteration, line);
      this.#out.close();
      return 'mine';
    }
    const summary = SUMMARY.exec(text);
    if (summary === null) return undefined;
    // Of a stress run every iteration was counted.
    if (!text.includes(' stress run ')) this.#tally(summary, line);
    return this.#closing();
  }

  #tally([, ran, all, counts = '']: RegExpExecArray, line: Line): void {
    const found = new Map([...counts.matchAll(COUNT)].map(([, n, what]) => [what, Number(n)]));
    const count = (what: string) => found.get(what) ?? 0;
    const failed = count('failed') + count('exec failed') + count('timed out');
    const early = all !== undefined && all !== ran;
    if (early) this.#out.early(this.#cancelled);
    const red = failed > 0 || this.#cancelled === 'bailOut';
    this.#out.tally(
      { passed: count('passed'), failed, skipped: count('skipped'), result: red ? 'failed' : 'passed' },
      line,
    );
  }

  /** After the count: the lines of what failed or was flaky, with `--failure-output final` what it printed. */
  #closing(): Block {
    let output: Block | undefined;
    return {
      line: line => {
        const said = output?.line(line);
        if (said !== undefined) return said;
        output?.end?.();
        output = undefined;
        const took = this.#ofTest(line, true);
        if (took === undefined) return HARMLESS.test(line.text) ? 'more' : undefined;
        if (took !== 'mine') output = took;
        return 'more';
      },
      end: () => {
        output?.end?.();
        this.#out.close();
        this.#reset();
      },
    };
  }

  #reset(): void {
    this.#total = undefined;
    this.#cancelled = 'failFast';
    this.#tried = new Map();
    this.#told = new IdTable();
    this.#started = undefined;
    this.#shown = undefined;
    this.#orphans = new Map();
  }

  /** @param final after the count: told before, for the most part */
  #ofTest(line: Line, final: boolean): undefined | 'mine' | Block {
    const status = statusOf(line.text);
    if (status === undefined || !this.#credible(status, final)) return undefined;
    const { result, id } = status;
    if (result === undefined)
      return /START$/.test(status.word) ? this.#start(id, line) : this.#out.outcomes ? 'mine' : undefined;
    if (result === 'failed') return this.#failed(status, line);
    if (status.attempt !== undefined) return this.#flaky(status, line, final);
    if (!this.#out.outcomes && !final) return undefined;
    if (this.#fresh(status)) this.#out.outcome(result, id, line, named(status));
    return outputBlock(new Output(), this.#own, () => {});
  }

  /** A test may print such a line, too: of another run, or of a test that has not begun. */
  #credible({ total, id, result }: Status, final: boolean): boolean {
    if (total !== undefined && this.#total !== undefined && total !== this.#total) return false;
    return final || result === undefined || this.#started === undefined || this.#started.has(id);
  }

  /** nextest speaks again, below what a test printed. */
  readonly #own = (text: string): boolean => {
    const status = statusOf(text);
    return status === undefined ? isOwn(text) : this.#credible(status, false);
  };

  #fresh(status: Status): boolean {
    return this.#out.outcomes && this.#told.add(keyOf(status));
  }

  #failed(status: Status, line: Line): Block {
    const { id, name, word, attempt = 1 } = status;
    const key = keyOf(status);
    const tried = this.#tried.get(key) ?? { attempt: 0, detailed: false };
    const flaky = word.startsWith('FLKY-FL');
    if (tried.attempt === 0 || (!flaky && tried.attempt < attempt)) {
      this.#before(status, tried.attempt + 1, line);
      const fields = { ...named(status), ...(flaky && { attempt: 1 }) };
      this.#out.part('status', id, line, { ...fields, message: flaky ? FLAKY : messageOf(word) });
      if (flaky && this.#fresh(status)) this.#out.outcome('passed', id, line, named(status));
      tried.attempt = attempt;
      tried.detailed = flaky;
      if (this.#tried.size < TESTS) this.#tried.set(key, tried);
    }
    const tell = (output: Output, head: Line): void => {
      if (tried.detailed || output.empty) return;
      tried.detailed = true;
      output.tell(this.#out.part('detail', id, head), name, messageOf(word));
    };
    const known = this.#known(status);
    if (known !== undefined) tell(known.output, known.line);
    const output = new Output();
    return outputBlock(output, this.#own, () => tell(output, line));
  }

  /** What the test printed, where that was read before its line. */
  #known({ id, name }: Status): { output: Output; line: Line } | undefined {
    const shown = this.#shown?.id === id ? this.#shown : undefined;
    return shown !== undefined && !shown.output.empty ? shown : this.#orphans.get(name);
  }

  /** `TRY 2 PASS`; the next line may say that this is not enough. */
  #flaky(status: Status, line: Line, final: boolean): Block {
    const { id, attempt = 1 } = status;
    const tried = this.#tried.get(keyOf(status))?.attempt ?? 0;
    let red = false;
    return {
      line: next => {
        red = FLAKY_FAILS.test(next.text);
        return red ? 'last' : undefined;
      },
      end: () => {
        if (final && !this.#fresh(status)) return;
        if (!final) this.#fresh(status);
        this.#before({ ...status, attempt }, tried + 1, line);
        if (!red) this.#out.drop(id);
        this.#out.outcome('passed', id, line, named(status));
      },
    };
  }

  /** Attempts that must have failed, and were not shown. */
  #before(status: Status, from: number, line: Line): void {
    const { attempt = 1 } = status;
    for (let n = from; n < attempt; n++) this.#out.outcome('failed', status.id, line, { ...named(status), attempt: n });
  }

  #start(id: string, first: Line): Block {
    this.#started ??= new Set();
    if (this.#started.size < TESTS) this.#started.add(id);
    const output = new Output();
    this.#shown = { id, line: first, output };
    return {
      line: line => {
        const { text } = line;
        if (this.#own(text) || isHeader(text)) return undefined;
        if (!HARMLESS.test(text)) output.add(line);
        return 'more';
      },
    };
  }

  #orphan(line: Line): undefined | Block {
    if (!isHeader(line.text)) return undefined;
    const output = new Output();
    const block = outputBlock(output, this.#own, () => {
      const { failed } = output;
      if (failed !== undefined && this.#orphans.size < ORPHANS) this.#orphans.set(failed, { line, output });
    });
    block.line(line);
    return block;
  }
}

const FLAKY = 'test configured to fail if flaky';

/** Of a stress run, every iteration is another run of the test. */
const keyOf = ({ id, iteration }: Status): string => (iteration === undefined ? id : `${iteration} ${id}`);

function named({ id, suite, name, attempt, iteration }: Status): Fields {
  const n = attempt ?? iteration;
  return { id, suite, name, ...(n !== undefined && { attempt: n }) };
}

/** What is known of a test that said nothing. */
const messageOf = (word: string): string => {
  const said = word.replace(/^TRY \d+ |^\d+\/\d+ RETRY$/, '');
  return said === 'FAIL' ? '' : said;
};

export const nextest: Format = {
  name: 'nextest',
  url: 'https://nexte.st/docs/reporting/',
  hints: [
    ...['FAIL', 'TIMEOUT', 'ABORT', 'FAIL + LEAK', 'START', 'Summary'].flatMap(word => [`${word} [`, `${word}\x1b`]),
    ...SIGNALS.map(name => `SIG${name}`),
    'ABORT SIG ',
    'TRY ',
    'RETRY\x1b',
    'FLKY-FL',
    'FLAKY ',
    ' tests across ',
    ' test across ',
    ' benchmarks across ',
    'Nextest run',
    'Cancelling due to',
    'Cancelling\x1b',
    'Canceling due to',
    'Canceling\x1b',
    'Stress test',
    'SETUP',
    ...['stdout', 'stderr', 'output', 'execfail'].flatMap(name => [`${name} ─`, `${name} -`, `${name}\x1b`]),
    'STDOUT: ',
    'STDERR: ',
    'creating test list failed',
    'no tests to run',
    'failed to parse nextest config',
    ': command `',
  ],
  outcomeHints: ['PASS', 'LEAK', 'SLOW', 'SKIP', 'TERMINATING', 'TRMNTG'],
  reader: out => new NextestReader(out),
};
