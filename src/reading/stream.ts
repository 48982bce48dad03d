/**
 * One stream of the input (the whole of a plain log, one service of a compose log, one package of `go test -json`): the
 * readers of all formats, and the one block that may be open. Who owns a line: the open block first, then the formats
 * in list order, then whoever excuses it; else it is suspect.
 */
import type { Failure } from '../record/types.js';
import type { Block, Format, Line, Reader } from './format.js';
import { type Host, Scope } from './scope.js';

/** A block ends after so many lines in which its reader said nothing. */
const STALL = 2000;
/** Consequences held until the end of the stream. */
const CONSEQUENCES = 20;

interface Desk {
  reader: Reader;
  scope: Scope;
}

interface OpenBlock {
  block: Block;
  scope: Scope;
  /** Its scope's count when it last moved, and the line at which that was. */
  progress: number;
  since: number;
}

export class Stream {
  readonly name: string;
  #formats: readonly Format[];
  #host: Host;
  #desks: (Desk | undefined)[] = [];
  #block: OpenBlock | undefined;
  /** Failures said in this stream: what explains its consequences. */
  failures = 0;
  consequences: Failure[] = [];
  /** Number of the last line that somebody took. */
  last = 0;

  constructor(name: string, formats: readonly Format[], host: Omit<Host, 'consequence'>) {
    this.name = name;
    this.#formats = formats;
    this.#host = {
      ...host,
      say: record => {
        if (record.type === 'failure') this.failures++;
        host.say(record);
      },
      consequence: found => {
        if (this.consequences.length < CONSEQUENCES) this.consequences.push(found);
      },
    };
  }

  get busy(): boolean {
    return this.#block !== undefined;
  }

  /** A run began in this stream and has not said its end. */
  get open(): boolean {
    return this.#desks.some(desk => desk?.scope.open);
  }

  /**
   * @param hinted whether the line bears a hint of the n-th format
   * @returns whether somebody took the line
   */
  offer(line: Line, hinted: (format: number) => boolean): boolean {
    const took = (this.#block !== undefined && this.#toBlock(this.#block, line)) || this.#toFormats(line, hinted);
    if (took) this.last = line.no;
    return took;
  }

  #toFormats(line: Line, hinted: (format: number) => boolean): boolean {
    for (let i = 0; i < this.#formats.length; i++) {
      if (!hinted(i)) continue;
      const { reader, scope } = this.#desk(i);
      const took = reader.line(line);
      if (took === undefined) continue;
      if (took === 'mine') scope.release();
      else this.#block = { block: took, scope, progress: scope.progress, since: line.no };
      return true;
    }
    return false;
  }

  /** Whether some format knows this failure-looking line to be harmless. */
  excuses(line: Line): boolean {
    return this.#formats.some((_, i) => this.#desk(i).reader.excuse?.(line));
  }

  #desk(i: number): Desk {
    let desk = this.#desks[i];
    if (desk === undefined) {
      const format = this.#formats[i] as Format;
      const scope = new Scope(format.name, this.#host);
      desk = { scope, reader: format.reader(scope) };
      this.#desks[i] = desk;
    }
    return desk;
  }

  #toBlock(open: OpenBlock, line: Line): boolean {
    const said = open.block.line(line);
    if (said !== 'more') this.endBlock();
    else if (open.scope.progress !== open.progress) {
      open.progress = open.scope.progress;
      open.since = line.no;
    } else if (line.no - open.since >= STALL) this.endBlock();
    return said !== undefined;
  }

  endBlock(): void {
    const open = this.#block;
    if (open === undefined) return;
    this.#block = undefined;
    open.block.end?.();
    open.scope.release();
  }

  end(): void {
    this.endBlock();
    for (const desk of this.#desks) {
      desk?.reader.end?.();
      desk?.scope.close();
    }
  }
}
