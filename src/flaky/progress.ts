/** Which run it is at, on standard error: one line that changes on a terminal, a line for each run elsewhere. */
import type { Writable } from 'node:stream';
import { isTerminal } from '../base/world.js';

export class Progress {
  readonly #terminal: boolean;
  #timer: NodeJS.Timeout | undefined;
  /** How long the runs took that are over, in ms. */
  #took = 0;
  #ran = 0;
  #since = 0;
  #shown = false;

  constructor(private readonly stderr: Writable) {
    this.#terminal = isTerminal(stderr);
    stderr.on('error', () => {});
  }

  /** @param failing tests that failed so far */
  begin(run: number, runs: number, failing: number): void {
    this.#since = performance.now();
    const show = () => {
      const text = `run ${run} of ${runs}${run > 1 ? `: ${tests(failing)} failed so far${this.#left(runs - run + 1)}` : ''}`;
      this.stderr.write(this.#terminal ? `\r${text}\x1b[K` : `aido-flaky: ${text}\n`);
    };
    show();
    this.#shown = true;
    if (this.#terminal) this.#timer = setInterval(show, 1000).unref();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#took += performance.now() - this.#since;
    this.#ran++;
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#terminal && this.#shown) this.stderr.write('\r\x1b[K');
  }

  /** How long the runs that are left will take, if they are like the others. */
  #left(runs: number): string {
    const left = (this.#took / this.#ran) * runs - (performance.now() - this.#since);
    return `, about ${span(Math.max(0, left))} left`;
  }
}

const tests = (n: number): string => `${n} ${n === 1 ? 'test' : 'tests'}`;

function span(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
