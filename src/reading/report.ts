/**
 * What a report is: a document that a test runner writes for machines (JUnit XML, JSON), where a log is what it prints for
 * people. This and `Out` (format.ts) are all that a file in `reports/` needs to know.
 *
 * An input is a report when its first bytes say so; then all of it is that report, or several of its kind in a row.
 */
import type { Draft, Line, Out } from './format.js';

export interface Report {
  /** The name of its file and of its fixture folder; also the `tool` of what does not say which runner wrote it. */
  name: string;
  /** Where it is described. */
  url: string;
  /** Whether an input that begins so is one. At most 4 KiB, without byte order mark and blank space in front. */
  begins(head: string): boolean;
  /** A fresh parser for one input: its memory is this closure. `out.close()` follows `end` by itself. */
  parser(out: Out): Parser;
}

export interface Parser {
  /**
   * The next piece of the text: a line with its end, or a part of a long one. How long lines are cut must not matter.
   * @param no the number of the line, from 1
   * @throws AidoError BAD_INPUT: not what it began as; what was said before it counts
   */
  write(text: string, no: number): void;
  /** There is no more. A report that stops in its middle says `out.early('truncated')`. */
  end(): void;
}

/** A place in the report, for `Out`; with what stands there, where it is to go into `detail`. */
export const at = (no: number, text = ''): Line => ({ text, no, off: 0 });

/** Appends text of several lines to a failure's `detail`, all of it from the place `no`. */
export function addText(draft: Draft, text: string, no: number): void {
  let from = 0;
  // What is over the bound of a detail is not looked at.
  while (from <= text.length && from < 16_384) {
    const lf = text.indexOf('\n', from);
    const end = lf < 0 ? text.length : lf;
    draft.add(at(no, text.slice(from, text[end - 1] === '\r' ? end - 1 : end)));
    from = end + 1;
  }
}
