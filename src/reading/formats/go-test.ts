/**
 * go test: `--- FAIL: TestX/sub (0.00s)`, what the test said indented below it (or, with -v, before it, in the turns that
 * `=== RUN`, `=== CONT` and `=== NAME` give), and the package's line last: `FAIL⇥pkg⇥0.1s`. See go-package.ts for that,
 * go-build.ts, go-stack.ts, go-test-json.ts and gotestsum.ts for the rest.
 */
import type { Block, Format, Line, Out, Reader } from '../format.js';
import { BUILD_HINTS, Build } from './go-test/build.js';
import type { Failing } from './go-test/failing.js';
import { GoTestSum } from './go-test/gotestsum.js';
import { isEvent, TestJson } from './go-test/json.js';
import { Package } from './go-test/package.js';
import { DEATH_HINTS, GOROUTINE } from './go-test/stack.js';

const STATUS = /^(\s*)--- (FAIL|PASS|SKIP): (\S+)(?: \(\d+\.\d\d?(?:s| seconds)\))?$/;
const GLUED = /--- (FAIL|PASS|SKIP): ((?:Test|Example|Fuzz)(?![a-z])\w*) \(\d+\.\d\ds\)$/;
const NAME = /^(?:Test|Benchmark|Example|Fuzz)(?![a-z])/;
/** Also behind output without a newline. */
const TURN = /^(?:\S.{0,400})?=== (RUN|CONT|NAME) {1,3}(\S+)$/;
const BOUND = /^(?:ok {2}|FAIL|\? {3})\t/;
/** A test's words (its verdict is what counts), and what begins it. */
const HARMLESS = /^ {4,}\S+\.go:\d+: |^=== (?:RUN|CONT|NAME|PAUSE|ATTR|ARTIFACTS) /;
/** Lines about a test that are no words of its own. */
const ASIDE = /^=== (?:PAUSE|ATTR|ARTIFACTS) /;

interface Status {
  indent: number;
  result: 'FAIL' | 'PASS' | 'SKIP';
  name: string;
}

/** `--- FAIL: T (0.00s)`, also behind output without a newline; undefined for what only looks like it. */
function status(text: string): Status | undefined {
  const [, indent, result, name] = STATUS.exec(text) ?? [];
  if (name !== undefined) {
    const depth = indent?.length ?? 0;
    const sub = name.includes('/') || name.startsWith('Fuzz');
    const timed = text.endsWith(')') || name.startsWith('Benchmark');
    if (!NAME.test(name) || !timed || (depth > 0 && !sub)) return undefined;
    return { indent: depth, result: result as Status['result'], name };
  }
  if (/^[\s+\->|"'`#]/.test(text)) return undefined;
  const [, glued, whole] = GLUED.exec(text) ?? [];
  return whole === undefined ? undefined : { indent: 0, result: glued as Status['result'], name: whole };
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** The statuses of one top-level test and of the tests in it, and what they said. */
class Tree implements Block {
  readonly #out: Out;
  readonly #pack: Package;
  /** The failing test at each depth. */
  #chain: (Failing | undefined)[] = [];
  #all = new Set<Failing>();
  /** Who spoke last, and how far in. */
  #owner: Failing | undefined;
  #said = 0;
  #example = false;

  constructor(out: Out, pack: Package, first: Status, line: Line) {
    this.#out = out;
    this.#pack = pack;
    this.#status(first, line);
  }

  line(line: Line): 'more' | undefined {
    const { text } = line;
    const next = status(text);
    if (next !== undefined) {
      if (next.indent === 0) return undefined;
      this.#status(next, line);
      return 'more';
    }
    if (this.#example) return this.#inExample(line);
    const indent = indentOf(text);
    if (indent === 0 || (indent < 4 && text[0] !== '\t')) return undefined;
    this.#words(line, indent);
    return 'more';
  }

  #status({ indent, result, name }: Status, line: Line): void {
    const depth = indent >> 2;
    this.#said = 0;
    this.#owner = undefined;
    this.#example = false;
    const parent = depth > 0 ? this.#chain[depth - 1] : undefined;
    this.#chain.length = Math.min(depth, this.#chain.length);
    if (result !== 'FAIL') this.#out.outcome(result === 'PASS' ? 'passed' : 'skipped', name, line);
    else if (parent?.name === name) this.#chain[depth] = this.#owner = parent;
    else {
      this.#chain[depth] = this.#owner = this.#pack.failed(name, line, turns(this.#out, name, this.#pack));
      this.#all.add(this.#owner);
      this.#example = name.startsWith('Example');
    }
  }

  /** Indentation tells whose words they are: a parent may go on after its subtests. */
  #words(line: Line, indent: number): void {
    const speaks = /\.go:\d+: /.test(line.text) && (this.#said === 0 || indent <= this.#said);
    if (speaks) {
      this.#said = indent;
      this.#owner = line.text[0] === '\t' ? this.#chain.at(-1) : this.#chain[(indent >> 2) - 1];
    }
    this.#owner?.add(line);
    if (this.#owner !== undefined && line.text.includes('race detected')) this.#pack.raced(this.#owner);
  }

  #inExample(line: Line): 'more' | undefined {
    const { text } = line;
    if (BOUND.test(text) || GOROUTINE.test(text) || /^(?:FAIL|PASS|exit status \d+|panic: .*|=== \S+ .*)$/.test(text))
      return undefined;
    this.#owner?.add(line);
    return 'more';
  }

  end(): void {
    for (const failing of this.#all) failing.settle();
  }
}

/** [, RUN or CONT or NAME, test]; a benchmark is announced by its name alone. */
const turnOf = (text: string): RegExpExecArray | null =>
  text.includes('=== ') ? TURN.exec(text) : /^()(Benchmark\S+)$/.exec(text);

/**
 * With -v, what the test said stands before its status, between the turns of others. Walks back to where it began.
 * @returns undefined where it is not found
 */
function turns(out: Out, name: string, pack: Package): Line[] | undefined {
  if (pack.quiet) return undefined;
  const own: Line[] = [];
  let turn: Line[] = [];
  let verbose = false;
  let n = 1;
  for (; ; n++) {
    const line = out.back(n);
    if (line === undefined || BOUND.test(line.text) || !pack.walk(line)) break;
    const [, how, who] = turnOf(line.text) ?? [];
    if (who !== undefined) {
      verbose = true;
      if (who === name) own.unshift(...turn.reverse());
      turn = [];
      if (who === name && how !== 'CONT' && how !== 'NAME') return own;
    } else if (status(line.text) !== undefined || line.text.startsWith('=== PAUSE')) turn = [];
    else if (!ASIDE.test(line.text)) turn.push(line);
  }
  if (!verbose && n > 100) pack.quiet = true;
  return verbose && own.length > 0 ? own : undefined;
}

/** A heading of go build, the end of gotestsum's lists. */
const OUTSIDE = /^(?:# \S+(?: \[\S+\])?|=== Errors|DONE .*)$/;

/** So near must a line be that was Go's, and the beginning of the test; in bytes. */
const REACH = 65_536;

/** Whether a line is the output of a test that runs: its verdict follows, and is all that matters. */
class Turns {
  readonly #out: Out;
  /** The last line that began or ended a test, as far as was looked. */
  #last: { off: number; begins: boolean } | undefined;
  #seen = 0;
  #taken = Number.NEGATIVE_INFINITY;

  constructor(out: Out) {
    this.#out = out;
  }

  /** The same where a line of Go's was taken nearby, and false elsewhere: cheap. */
  near(at: Line): boolean {
    return at.off - this.#taken <= REACH && this.running(at);
  }

  running(at: Line): boolean {
    for (let n = 1; ; n++) {
      const line = this.#out.back(n);
      if (line === undefined || line.no <= this.#seen) break;
      const begins = beginsTest(line.text);
      if (begins === undefined) continue;
      this.#last = { off: line.off, begins };
      break;
    }
    this.#seen = Math.max(this.#seen, at.no - 1);
    return this.#last?.begins === true && at.off - this.#last.off < REACH;
  }

  /** A line of Go's: what the tests before it printed is explained, too. */
  taken(at: Line): void {
    const first = at.off - this.#taken > REACH;
    this.#taken = at.off;
    if (!first) return;
    let words: Line[] = [];
    for (let n = 1; ; n++) {
      const line = this.#out.back(n);
      if (line === undefined) return;
      const begins = beginsTest(line.text);
      if (begins === true) for (const word of words) this.#out.claim(word);
      if (begins === undefined) words.push(line);
      else words = [];
    }
  }
}

/** Whether a line begins the output of a test (true) or ends it (false). */
function beginsTest(text: string): boolean | undefined {
  if (text.includes('=== ') && TURN.test(text)) return true;
  if (/^(?:=== (?:SKIP|FAIL): |::group::)/.test(text)) return true;
  if (BOUND.test(text) || OUTSIDE.test(text)) return false;
  return text.includes('--- ') && status(text)?.indent === 0 ? false : undefined;
}

export const goTest: Format = {
  name: 'go-test',
  url: 'https://pkg.go.dev/cmd/go#hdr-Testing_flags',
  hints: [
    ...[
      'FAIL',
      'failed',
      '"fail"',
      'build-fail',
      'ok  \t',
      'm  \t',
      'ok  \\t',
      'DONE ',
      'Found',
      'goroutine',
      'runtime',
    ],
    ...DEATH_HINTS,
    ...BUILD_HINTS,
  ],
  outcomeHints: ['PASS', 'SKIP', '"pass"', '"skip"'],
  reader(out) {
    const build = new Build(out);
    const pack = new Package(out, build);
    const json = new TestJson(out, build);
    const sum = new GoTestSum(out, pack);
    const turns = new Turns(out);
    const read = (line: Line): ReturnType<Reader['line']> => {
      const { text } = line;
      if (isEvent(text)) {
        pack.asText = false;
        return json.line(line);
      }
      const found = text.includes('--- ') ? status(text) : undefined;
      if (found?.result === 'FAIL' || (found !== undefined && out.outcomes)) return new Tree(out, pack, found, line);
      const took = sum.line(line) ?? pack.line(line);
      if (took !== undefined || !build.opens(text)) return took;
      // What a test prints may look like a compiler's words.
      return turns.running(line) ? undefined : build.line(line);
    };
    return {
      line(line) {
        const took = read(line);
        if (took !== undefined) turns.taken(line);
        return took;
      },
      excuse: line => {
        const { text } = line;
        if (isEvent(text) || HARMLESS.test(text) || sum.excuse(text) || status(text) !== undefined) return true;
        return turns.near(line);
      },
      end: () => pack.end(),
    };
  },
};
