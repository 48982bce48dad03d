/** The blocks of a file's `message`, which is what jest prints of it: `  ● suite › test`, and below it the error. */
import { plainText } from '../../controls.js';
import { SUITE_FAILED } from '../../formats/jest.js';

const HEAD = '  ● ';

export class Blocks {
  readonly #message: string;
  #starts: number[] = [];
  #of = new Map<string, number[]>();

  /** @param titles of the tests that failed, in their order, once for each of their errors */
  constructor(message: string, titles: readonly string[]) {
    this.#message = plainText(message);
    for (let at = 0, next = 0; next < titles.length; next++) {
      const title = titles[next] as string;
      const found = this.#find(title, at);
      if (found < 0) continue;
      this.#add(title, found);
      at = found + HEAD.length + title.length;
    }
    const whole = this.#find(SUITE_FAILED, 0);
    if (whole >= 0) this.#add(SUITE_FAILED, whole);
    this.#starts.sort((a, b) => a - b);
  }

  /** The next so many errors told under a title, without it: tests of one name follow one another. */
  take(title: string, many: number): string[] {
    const starts = this.#of.get(title)?.splice(0, many) ?? [];
    return starts.map(start => {
      const end = this.#starts.find(other => other > start) ?? this.#message.length;
      return this.#message.slice(start + HEAD.length + title.length + 1, end);
    });
  }

  #find(title: string, from: number): number {
    const head = `${HEAD}${title}\n`;
    if (from === 0 && this.#message.startsWith(head)) return 0;
    const at = this.#message.indexOf(`\n${head}`, Math.max(0, from - 1));
    return at < 0 ? -1 : at + 1;
  }

  #add(title: string, start: number): void {
    this.#starts.push(start);
    const same = this.#of.get(title);
    if (same === undefined) this.#of.set(title, [start]);
    else same.push(start);
  }
}
