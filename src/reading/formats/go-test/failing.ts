/** One failing test while its words are gathered. */
import type { Draft, Line, Out, Part } from '../../format.js';
import { exampleReason, LINES, raced, reason } from './output.js';

export class Failing {
  readonly name: string;
  readonly draft: Draft;
  #lines: string[] = [];
  #settled = true;

  /**
   * @param before what it said before its status, with -v
   * @param key under which it is held; the name, where the package is not known yet
   */
  constructor(out: Out, name: string, line: Line, before: readonly Line[] = [], key = name, part: Part = 'status') {
    this.name = name;
    this.draft = out.part(part, key, before[0] ?? line);
    for (const said of before) {
      this.add(said);
      out.claim(said);
    }
    this.draft.add(line);
    if (before.length > 0) this.settle();
  }

  add(line: Line): void {
    this.draft.add(line);
    if (this.#lines.length >= LINES) return;
    this.#lines.push(line.text);
    this.#settled = false;
  }

  has(text: string): boolean {
    return this.#lines.includes(text);
  }

  get raced(): boolean {
    return raced(this.#lines);
  }

  /** All is said: what it means. */
  settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    const example = this.name.startsWith('Example') ? exampleReason(this.#lines) : {};
    Object.assign(this.draft.fields, reason(this.#lines), example);
  }
}
