/**
 * cargo test: cargo's lines about targets around libtest's (or libtest-mimic's) lines about tests. What libtest says of
 * one target is gathered in a `Run` and handed on when cargo has said which target it was.
 */
import type { Block, Format, Line, Out, Reader } from '../format.js';
import { Blames } from './cargo/blames.js';
import { crashOf, type Death, sayCrash } from './cargo/crash.js';
import { libtestJson } from './cargo/json.js';
import { PanicBlock } from './cargo/panic.js';
import { Pending } from './cargo/pending.js';
import { Run } from './cargo/run.js';
import { BEGIN, SECTION, TALLY } from './cargo/shapes.js';
import { type Status, statusOf, unfinished } from './cargo/status.js';
import { Story } from './cargo/story.js';
import { announced, rerun, suiteOf, type Target, Targets } from './cargo/target.js';
import { HINTS } from './rustc/diagnostic.js';
import { type Panic, panicFields, panicOf } from './shared/rust-panic.js';

const HEADING = /^---- (.+?)( stdout| stderr)? ----$/;
const LISTED = /^ {4}(\S.*)$/;
const QUIET_FAILED = /^(.+) --- FAILED$/;
const OVERFLOW = /^thread '(.+)'(?: \(\d+\))? has overflowed its stack$/;
const DIED = /^ {2}process didn't exit successfully: .*\(((?:signal|exit (?:status|code)): [^)]*)\)$/;
const BLAME = /^(?:|Caused by:|note: test exited abnormally.*)$/;
const TARGETS_FAILED = /^error: (\d+) targets? failed:$/;
const NAMELESS = 2000;
/** Cargo is at work again: whatever ran before is over. */
const CARGO = /^\s{0,12}Finished `?[\w-]+`? (?:profile )?\[/;
/** What looks like the compiler's words in the middle of a run was printed by a test. */
const DIAGNOSTIC = /^\s{0,8}(?:(?:error|warning)(?:\[\w+\])?: |--> )/;
const HARMLESS =
  /^(?:test .+ \.\.\. (?:ok|ignored)|test .+ has been running for over|\s{0,12}(?:Running|Doc-tests|Executable|Compiling|Checking|Fresh|Documenting|Finished|Downloaded|Installing|Packaging|Verifying) )/;

export const cargo: Format = {
  name: 'cargo',
  url: 'https://doc.rust-lang.org/cargo/commands/cargo-test.html',
  hints: [
    // `running 3 tests`, and `Running unittests`, where the word may have a colour.
    ...[...'0123456789'].map(digit => `running ${digit}`),
    'Running unittests',
    'Running target',
    'Running /',
    'Running tests',
    'Running benches',
    'Running\x1b',
    'Doc-tests',
    'test result: ',
    'FAILED',
    'failures:',
    'successes:',
    'stdout ----',
    'stderr ----',
    'panicked at ',
    'overflowed its stack',
    'to rerun pass',
    ' failed:',
    'Finished `',
    'Finished dev',
    'Finished test',
    'Finished release',
    'Finished\x1b',
    ...HINTS,
    '.rs - ',
    '.md - ',
    '"type": "suite"',
    '"event": "failed"',
  ],
  outcomeHints: ['test ', '"event": "'],
  reader: out => new CargoReader(out),
};

class CargoReader implements Reader {
  readonly #out: Out;
  readonly #targets = new Targets();
  #run: Run | undefined;
  #section: 'failures' | 'successes' | undefined;
  readonly #pending: Pending;
  /** A target was red, and cargo has not said that it went on. */
  #stopped = false;
  /** How often a test of this name failed in targets of unknown name. */
  #nameless = new Map<string, number>();
  /** A panic outside of any test since the last target was announced. */
  #panicked = false;
  readonly #blames = new Blames();

  constructor(out: Out) {
    this.#out = out;
    this.#pending = new Pending(out);
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    // Where no test runs, a compiler's words are the compiler's.
    if (!this.#open && DIAGNOSTIC.test(text) && !text.includes('failed')) return undefined;
    return (
      this.#ofCargo(line) ??
      this.#ofRun(line) ??
      libtestJson(line, { begin: n => this.#begin(n), run: () => this.#current(), outcomes: this.#out }) ??
      this.#ofTest(line) ??
      this.#panic(line) ??
      (this.#open && DIAGNOSTIC.test(text) ? 'mine' : undefined)
    );
  }

  excuse(line: Line): boolean {
    return this.#open || HARMLESS.test(line.text);
  }

  end(): void {
    this.#next();
    if (this.#stopped) this.#out.early('failFast');
  }

  /** Tests are running: neither their tally nor the end of their process has been read. */
  get #open(): boolean {
    return this.#run?.promised !== undefined && this.#run.tally === undefined;
  }

  #ofCargo(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const target = announced(text);
    if (target !== undefined) {
      this.#close(true);
      this.#targets.announce(target);
      this.#panicked = false;
      return 'mine';
    }
    const blamed = text.includes('to rerun pass') ? rerun(text) : undefined;
    if (blamed !== undefined) return this.#blamed(blamed, line);
    const failed = TARGETS_FAILED.exec(text)?.[1];
    if (failed !== undefined) {
      this.#stopped = false;
      if (!this.#open) this.#blames.counted(Number(failed), line);
      return { line: ({ text }) => (LISTED.test(text) ? 'more' : undefined) };
    }
    if (!CARGO.test(text)) return undefined;
    this.#next();
    this.#targets.reset();
    return 'mine';
  }

  #ofRun(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const promised = BEGIN.exec(text)?.[1];
    if (promised !== undefined) {
      this.#begin(Number(promised));
      return 'mine';
    }
    const counts = TALLY.exec(text)?.slice(1).map(Number);
    if (counts !== undefined) {
      this.#tally(counts, line);
      return 'mine';
    }
    const section = SECTION.exec(text)?.[1];
    if (section !== undefined) return this.#list(section as 'failures' | 'successes');
    const [, name, stdout] = HEADING.exec(text) ?? [];
    if (name === undefined || stdout === undefined) return undefined;
    // Others draw such lines too: without a run around it, the name must look like a test's.
    return this.#open || /::|\(line \d+\)/.test(name) ? this.#story(name, line, false) : undefined;
  }

  #tally([passed = 0, failed = 0, skipped = 0, measured = 0, filtered]: number[], line: Line): void {
    this.#pending.settle();
    this.#pending.set(undefined);
    this.#section = undefined;
    const run = this.#current();
    const ran = passed + failed + skipped + measured;
    if (run.promised !== undefined && run.promised !== ran) {
      const rest = run.rest();
      this.#close();
      this.#run = rest;
    }
    this.#current().ended({ passed, failed, skipped }, filtered || 0, line);
  }

  /** `failures:` heads what the tests printed, and then once more their list. */
  #list(section: 'failures' | 'successes'): Block {
    this.#pending.settle();
    this.#section = section;
    let story: Block | undefined;
    return {
      line: line => {
        const said = story?.line(line);
        if (said !== undefined) return said;
        const [, heading, stdout] = HEADING.exec(line.text) ?? [];
        story = heading === undefined ? undefined : this.#story(heading, line, stdout === undefined);
        if (story !== undefined || line.text === '') return 'more';
        const name = LISTED.exec(line.text)?.[1];
        if (name === undefined) return undefined;
        if (section === 'failures') this.#current().listed(name, line);
        return 'more';
      },
    };
  }

  #story(name: string, head: Line, plain: boolean): Block {
    const run = this.#current();
    const story = new Story(plain);
    if (this.#section !== 'successes') run.story(name, head, story);
    return {
      line: line => {
        if (HEADING.test(line.text) || SECTION.test(line.text) || TALLY.test(line.text)) return undefined;
        if (rerun(line.text) !== undefined && line.text.startsWith('error: ')) return undefined;
        story.add(line);
        return 'more';
      },
    };
  }

  #ofTest(line: Line): undefined | 'mine' {
    const { text } = line;
    const quiet = QUIET_FAILED.exec(text)?.[1];
    if (quiet !== undefined) {
      this.#current().failed(quiet, line);
      return 'mine';
    }
    const status = statusOf(text, this.#run?.padded);
    if (status !== undefined) {
      this.#pending.settle();
      this.#status(status, line);
      return 'mine';
    }
    const pending = this.#open ? unfinished(text) : undefined;
    if (pending !== undefined) {
      this.#pending.settle();
      this.#pending.set(pending);
      return panicOf(text) === undefined ? 'mine' : undefined;
    }
    if (!this.#open || text !== 'FAILED') return undefined;
    const name = this.#pending.running();
    if (name !== undefined) this.#current().failed(name, line);
    return 'mine';
  }

  #status({ name, result, padded }: Status, line: Line): void {
    if (name.includes('(line ')) this.#current().doctest(name);
    if (result !== 'failed') {
      if (this.#out.outcomes) this.#out.outcome(result, name, line);
      return;
    }
    const run = this.#current();
    run.padded ||= padded;
    run.failed(name, line);
  }

  #panic(line: Line): undefined | Block {
    const overflow = OVERFLOW.exec(line.text)?.[1];
    if (overflow !== undefined) {
      if (this.#run !== undefined) this.#run.suspect = { name: overflow, message: 'has overflowed its stack' };
      return new PanicBlock(new Story(false));
    }
    const panic = panicOf(line.text);
    if (panic === undefined || panic.thread === 'rustc') return undefined;
    const story = new Story(false);
    story.add(line);
    if (this.#open) this.#shown(panic, line, story);
    else return this.#lonePanic(panic, line, story);
    return new PanicBlock(story);
  }

  #shown(panic: Panic, line: Line, story: Story): void {
    const run = this.#current();
    const name = panic.thread === 'main' ? (unfinished(line.text) ?? this.#pending.running() ?? 'main') : panic.thread;
    run.shown(name, line, story);
    run.suspect = { name };
  }

  #lonePanic(panic: Panic, line: Line, story: Story): Block {
    this.#panicked = true;
    const { suite } = this.#targets;
    const draft = this.#out.failure({ kind: 'crash', ...(suite && { suite }), ...panicFields(panic) }, line);
    draft.add(line);
    const block = new PanicBlock(story, added => draft.add(added));
    return {
      line: next => block.line(next),
      end: () => Object.assign(draft.fields, story.fields(panic.thread)),
    };
  }

  #begin(promised: number): void {
    this.#close();
    this.#out.begin();
    this.#run = new Run(this.#out, this.#targets.begin());
    this.#run.promised = promised;
  }

  #current(): Run {
    this.#run ??= new Run(this.#out, undefined);
    return this.#run;
  }

  /** Cargo is through, or begins anew: what it said of targets is held against what was read of them. */
  #next(): void {
    this.#close(true);
    this.#blames.settle(this.#out);
  }

  /**
   * The run is over, and cargo said no more of it.
   * @param judged had it been red, cargo would have said so by now
   */
  #close(judged = false): void {
    const run = this.#run;
    if (run === undefined) return;
    if (run.red) this.#blames.red(judged && run.target !== undefined);
    if (this.#open) this.#out.early('truncated');
    run.close(run.target, this.#numbered);
    this.#run = undefined;
    this.#section = undefined;
    this.#pending.set(undefined);
  }

  /** Cargo names the target that was red; `Caused by:` says how its process died, if not by failing tests. */
  #blamed(blamed: Target, line: Line): Block {
    const suspect = unfinished(line.text) ?? this.#pending.running();
    const lines = [line];
    let cause = '';
    return {
      line: next => {
        const died = DIED.exec(next.text)?.[1];
        if (died === undefined && !BLAME.test(next.text)) return undefined;
        lines.push(next);
        cause ||= died ?? '';
        return 'more';
      },
      end: () => {
        if (cause !== '' || this.#credible(blamed, line)) this.#blame(blamed, { lines, cause, suspect });
        else this.#pending.set(unfinished(line.text));
      },
    };
  }

  /** A test may print such a line too. */
  #credible(blamed: Target, line: Line): boolean {
    if (!this.#open) return true;
    const target = this.#run?.target;
    return line.text.startsWith('error: ') && (target === undefined || suiteOf(target) === suiteOf(blamed));
  }

  #blame(blamed: Target, death: Death): void {
    const run = this.#run;
    const target = this.#targets.blame(blamed, run?.target, run !== undefined);
    this.#stopped = true;
    this.#run = undefined;
    this.#blames.blamed(death.lines[0] as Line);
    if (run?.red || death.cause !== '' || (run === undefined && this.#panicked)) this.#blames.red(false);
    if (run === undefined) {
      this.#blameNoRun(target ?? blamed, death);
      return;
    }
    run.close(target, this.#numbered);
    const failed = run.tally?.failed;
    if (failed !== undefined && (failed > 0 || death.cause === '')) return;
    sayCrash(this.#out, target ?? blamed, death, failed === undefined ? run : undefined);
  }

  #blameNoRun(target: Target, death: Death): void {
    if (death.cause !== '') sayCrash(this.#out, target, death);
    else if (!this.#panicked) {
      this.#targets.disorder();
      this.#out.consequence({ kind: 'crash', ...crashOf(target, 'test failed') }, death.lines[0] as Line);
    }
  }

  readonly #numbered = (name: string): string => {
    const n = (this.#nameless.get(name) ?? 0) + 1;
    if (this.#nameless.size < NAMELESS) this.#nameless.set(name, n);
    return n === 1 ? name : `${name} #${n}`;
  };
}
