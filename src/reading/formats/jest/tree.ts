/** The tree that jest prints of one file: `  suite`, `    ✓ test (3 ms)`. */
import type { Line } from '../../format.js';

const ENTRY = /^((?: {2})+)(?:(✓|√)|(✕|×)|(○|✎)) (.+)$/;
const TIME = / \([\d.]+ ?m?s\)$/;
const SKIPPED = /^(?:skipped|todo) (.*)$/;
/** `○ skipped 3 tests`, where their names are not told. */
const COUNT = /^(?:skipped|todo) \d+ tests?$/;
const SUITE = /^((?: {2})+)(\S.*)$/;

type Say = (result: 'passed' | 'failed' | 'skipped', titles: string[], line: Line) => void;

export class JestTree {
  readonly #say: Say;
  #suites: string[] = [];
  /** An entry waits for the next line: its title may go on there. */
  #held: { result: 'passed' | 'failed' | 'skipped'; suites: string[]; title: string; line: Line } | undefined;
  /** Suites without any entry yet are none: other text is indented, too. */
  #any = false;

  constructor(say: Say) {
    this.#say = say;
  }

  /** Whether the line is of the tree. */
  line(line: Line): boolean {
    const entry = ENTRY.exec(line.text);
    if (entry !== null) return this.#entry(entry, line);
    const suite = SUITE.exec(line.text);
    if (suite !== null) {
      this.end();
      const depth = (suite[1] as string).length / 2 - 1;
      this.#suites = [...this.#suites.slice(0, depth), suite[2] as string];
      return true;
    }
    if (this.#held !== undefined && line.text !== '') {
      this.#held.title += `\n${line.text}`;
      return true;
    }
    this.end();
    return line.text === '';
  }

  #entry([, margin = '', passed, failed, , rest = '']: RegExpExecArray, line: Line): boolean {
    this.end();
    this.#any = true;
    if (COUNT.test(rest)) return true;
    const result = passed !== undefined ? 'passed' : failed !== undefined ? 'failed' : 'skipped';
    const title = result === 'skipped' ? (SKIPPED.exec(rest)?.[1] ?? rest) : rest;
    this.#held = { result, suites: this.#suites.slice(0, margin.length / 2 - 1), title, line };
    return true;
  }

  end(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || !this.#any) return;
    // What did not run has no duration: there, `(5 ms)` is of the title.
    const title = held.result === 'skipped' ? held.title : held.title.replace(TIME, '');
    this.#say(held.result, [...held.suites, title.trim()], held.line);
  }
}
