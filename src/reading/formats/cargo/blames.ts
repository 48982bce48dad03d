/**
 * The targets that cargo says have failed, against those that were read to have failed: where it says more, the log lacks
 * something; where it never came to say so, too.
 */
import type { Line, Out } from '../../format.js';

export class Blames {
  #line: Line | undefined;
  #blamed = 0;
  #counted = 0;
  #red = 0;
  #unblamed = 0;

  /** `error: test failed, to rerun pass …` */
  blamed(line: Line): void {
    this.#line = line;
    this.#blamed++;
  }

  /** `error: 3 targets failed:` */
  counted(targets: number, line: Line): void {
    this.#line = line;
    this.#counted = targets;
  }

  /**
   * A target failed.
   * @param due the line that says so ought to have come, and did not
   */
  red(due: boolean): void {
    this.#red++;
    if (due) this.#unblamed++;
  }

  settle(out: Out): void {
    const failed = Math.max(this.#blamed, this.#counted);
    if (this.#line !== undefined && this.#red < failed) {
      out.tally({ failed, counted: this.#red }, this.#line);
      out.close();
    }
    if (this.#unblamed > 0 && this.#blamed < this.#red) out.early('truncated');
    this.#line = undefined;
    this.#blamed = this.#counted = this.#red = this.#unblamed = 0;
  }
}
