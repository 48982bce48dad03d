/**
 * Ctrl-C and SIGTERM. A terminal sends Ctrl-C to the whole pipeline: the producer is left to it first, and we read what
 * it still says until it closes the pipe. Without a producer, and on SIGTERM, the tool stops reading and writes what it
 * has. A second signal ends it at once.
 */
import type { SignalName, Signals } from './world.js';

const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export class Interrupts {
  /** The signal that came, if any: what the tool says now is about a part of the run. */
  signal?: SignalName;
  /** No more is to be read. */
  stopped = false;
  /** Set while the input comes from a program that gets the same Ctrl-C. */
  producer = false;
  /** Called once, when reading is to stop. */
  onStop?: () => void;
  /** Called when this process is about to end at once. */
  onEnd?: () => void;

  private readonly listener = (name: SignalName) => this.interrupt(name);

  constructor(private readonly signals: Signals) {
    for (const name of ['SIGINT', 'SIGTERM'] as const) signals.on(name, this.listener);
  }

  /** The terminal is closed: to be asked for by who must not leave something running. `nohup` wants none of it. */
  hangUp(): void {
    this.signals.on('SIGHUP', this.listener);
  }

  private interrupt(name: SignalName): void {
    if (this.signal === name) {
      this.dispose();
      this.onEnd?.();
      this.signals.raise(name);
      return;
    }
    this.signal = name;
    if (this.stopped || (name === 'SIGINT' && this.producer)) return;
    this.stopped = true;
    this.onStop?.();
  }

  /** The exit status: the signal's where one came, else the given one. */
  status(otherwise: number): number {
    return this.signal ? statuses[this.signal] : otherwise;
  }

  dispose(): void {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) this.signals.off(name, this.listener);
  }
}
