/** How a Go program dies: `panic: …`, `fatal error: …` or a signal, a blank line, then its goroutines. */
import { normalise } from '../../../record/identity.js';

export const DEATH = /^(?:panic: |fatal error: |fatal: |SIG(?:SEGV|ABRT|BUS|QUIT|ILL|FPE|TRAP|SYS): )/;
export const DEATH_HINTS = [
  'panic',
  'fatal',
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGQUIT',
  'SIGILL',
  'SIGFPE',
  'SIGTRAP',
  'SIGSYS',
];
/** The first line behind it that nothing else looks like. */
export const GOROUTINE = /^(?:goroutine \d+ [^[]{0,80}\[[^\]]+\]:|runtime stack:)$/;

const CALL = /^[^\s(]+\(.*\)$/;
const BY = /^created by (\S+)/;
/** The race detector indents by six. */
const FILE = /^(?:\t| {6})(\S[^:]*):(\d+)(?: |$)/;
const OTHER =
  /^(?:goroutine \d+ |\.\.\.(?:additional|\d+ frames)|runtime stack:|\[signal |PC=|signal arrived|stack: |[a-z]\w{1,6} {1,8}0x[0-9a-f]+$|\tgoroutine running)/;
const TEST = /\.((?:Test|Benchmark|Example|Fuzz)(?![a-z])\w*)(?:[.(]|$)/;
const STD =
  /\/src\/(?:archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|fmt|hash|html|image|internal|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|sync|syscall|testing|text|time|unicode|unsafe)\/[^.]*\.(?:go|s)$/;
const FOREIGN = /\/pkg\/mod\/|\/vendor\/|^_/;

/** What a dump of goroutines says about where it happened. */
export class Stack {
  file: string | undefined;
  line: number | undefined;
  /** The test in whose name the goroutine ran. */
  test: string | undefined;
  #foreign = false;
  #decided = false;

  /** Whether the line belongs to the dump. */
  feed(text: string): boolean {
    const [, file, line] = FILE.exec(text) ?? [];
    if (file !== undefined) this.#frame(file, Number(line));
    else if (BY.test(text) || CALL.test(text)) this.#call(BY.exec(text)?.[1] ?? text);
    else if (GOROUTINE.test(text)) this.#decided = this.file !== undefined && !this.#foreign;
    else return text === '' || OTHER.test(text);
    return true;
  }

  #call(name: string): void {
    const test = TEST.exec(name)?.[1];
    if (!this.#decided && test !== 'TestMain') this.test ??= test;
  }

  #frame(file: string, line: number): void {
    if (this.#decided || STD.test(file) || file.startsWith('_')) return;
    const foreign = FOREIGN.test(file);
    if (this.file !== undefined && (foreign || !this.#foreign)) return;
    this.file = file;
    this.line = line;
    this.#foreign = foreign;
  }
}

/** What a death says of itself, without what the runtime adds. */
export const headline = (text: string): string => text.replace(/ \[recovered(?:, repanicked)?\]$/, '');

/** The same as part of an id: the same in the next run. */
export const deathId = (text: string): string =>
  normalise(headline(text).replace(/^(panic: test timed out) after .*$/, '$1')).slice(0, 200);

/** Where it happened, by the lines of a dump. */
export function place(lines: readonly string[]): { file?: string; line?: number } {
  const stack = new Stack();
  for (const line of lines) stack.feed(line);
  return stack.file === undefined ? {} : { file: stack.file, line: stack.line as number };
}
