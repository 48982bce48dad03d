/**
 * Takes off what others put around a tool's line: colours, carriage-return redraws, the stamps of CI systems, and the
 * prefixes of multiplexers. A prefix that names a stream demultiplexes: interleaved blocks do not mix.
 *
 * What is taken off a line depends on that line, on the lines up to 64 KiB before it (`back`) and on what was said by
 * lines that bear one of HINTS or were taken by a format (`taken`): never on which lines happened to be offered, so that
 * skipping stays unobservable.
 */
import { lastDrawn, plainText } from './controls.js';
import { isNote, record } from './notes.js';
import { Prefixes } from './prefixes.js';
import { type Back, stamp } from './stamps.js';

export interface Undressed {
  text: string;
  /** '' is the stream of what bears no prefix. */
  stream: string;
}

/** Literals of lines that are evidence for a prefix: `Attaching to web-1, db-1`. */
export { HINTS } from './prefixes.js';

/** So many prefixes may stand before each other: `gh run view`, a stamp, `web-1  | `, another stamp. */
const DEPTH = 6;
/** Between the names of a stream and of one within it. */
export const BETWEEN = '\t';

const NONE: readonly string[] = [];

export class Undresser {
  #prefixes = new Prefixes();

  /**
   * @param raw a line as it is in the input, without its line end
   * @param back the raw text of the n-th line before this one (1 is the one just before), at most 64 KiB back
   */
  undress(raw: string, back: Back): Undressed {
    let text = plainText(raw);
    let streams = NONE;
    for (let depth = 0; depth < DEPTH; depth++) {
      const rest = stamp(text, back) ?? this.#prefixes.peel(text, back, streams);
      if (rest === undefined) {
        if (!text.includes('\r')) break;
        text = lastDrawn(text);
        continue;
      }
      text = rest.text;
      if (rest.stream !== undefined) streams = [...streams, rest.stream];
    }
    if (isNote(raw, text, back)) text = '';
    return { text: record(text), stream: streams === NONE ? '' : streams.join(BETWEEN) };
  }

  /** An undressed line that bears one of HINTS may make the prefixes after it evident. */
  heading(text: string): void {
    this.#prefixes.heading(text);
  }

  /** Grows with what is evident: what a line wore must be asked again when it has changed. */
  get evidence(): number {
    return this.#prefixes.evidence;
  }

  /** A format took a line of this stream: its prefix is what it seemed to be. */
  taken(stream: string): void {
    for (const name of stream.split(BETWEEN)) this.#prefixes.know(name);
  }
}
