/**
 * One diagnostic of rustc, clippy or rustdoc in its long form: heading, place, source with labels, notes and helps. It
 * ends at a blank line, or at the first line of another shape.
 */
import { normalise } from '../../../record/identity.js';
import type { Block, Draft, Fields, Line } from '../../format.js';

/** Of which one is in every line that begins one, or tells its place; the words may have a colour. */
export const HINTS = ['error: ', 'error[', 'error\x1b', 'warning: ', 'warning[', 'warning\x1b', ' --> '];
export const HEADING = /^(error|warning)(?:\[(\w+)\])?: (.*)$/;
/** ` --> src/lib.rs:1:2`, and the same in the unicode style. */
export const ARROW = /^ {0,8}(?:-->|╭▸) (.+):(\d+):(\d+)$/;

/** The source and its marks, suggestions as a diff, places in other files, `= note:`. */
const GUTTER = /^ {0,8}(?:\d{1,7}|LL)? ?(?:[|│╭╰├⸬~+-]|:::|=|\.\.\.)/;
const NOTE = /^(?:note|help)(?::| \()/;
const CONTINUED = /^ {4}/;
/** Where a lint tells its name. Only the first of its kind in a crate does, so the name is no part of the id. */
const LINTS = [
  /#!?\[(?:warn|deny|forbid)\(([\w:]+)\)\]` (?:\(part of [^)]*\)\]`\) )?(?:implied by|on by default)/,
  /= note: (?:requested on the command line with )?`-[DWF] ([\w:-]+)`/,
];
const CLIPPY = /\/rust-clippy\/\S+#(\w+)$/;
/** What the linker was called with: long, and of no use here. */
const LINK_LINE = /^ {0,8}= note: {1,2}(?:[A-Z_]+="[^"]*" )*"/;
const PROC_MACRO = /^ {0,8}= help: message: (.*)$/;
const UNDEFINED = /undefined (?:reference to [`'][^']+'|symbols?: .*)$/;

export class Diagnostic implements Block {
  #draft: Draft;
  #path: (path: string) => string;
  /** No place has been read, nor anything below it. */
  #inHeading = true;
  #labelled = false;
  #noted = false;

  constructor(draft: Draft, path: (path: string) => string) {
    this.#draft = draft;
    this.#path = path;
  }

  line(line: Line): 'more' | undefined {
    const { text } = line;
    if (this.#place(text)) this.#draft.add(line);
    else if (GUTTER.test(text) || NOTE.test(text) || CONTINUED.test(text)) this.#within(line);
    else return undefined;
    return 'more';
  }

  #place(text: string): boolean {
    const [, file, line, column] = ARROW.exec(text) ?? [];
    if (file === undefined) return false;
    this.#inHeading = false;
    const { fields } = this.#draft;
    if (fields.file === undefined) Object.assign(fields, { file, line: Number(line), column: Number(column) });
    return true;
  }

  #within(line: Line): void {
    const { text } = line;
    if (LINK_LINE.test(text)) return;
    this.#draft.add(line);
    const { fields } = this.#draft;
    if (this.#inHeading && CONTINUED.test(text)) {
      fields.message += `\n${text.trim()}`;
      return;
    }
    this.#inHeading = false;
    if (NOTE.test(text)) this.#noted = true;
    if (fields.file === undefined) this.#say(UNDEFINED.exec(text)?.[0]);
    else if (!this.#noted) this.#say(labelOf(text));
    fields.code ??= lintOf(text);
    const panic = PROC_MACRO.exec(text)?.[1];
    if (panic !== undefined) fields.message += `\n${panic}`;
  }

  /** What stands at the primary mark tells more than the heading (`mismatched types`). */
  #say(label: string | undefined): void {
    const { fields } = this.#draft;
    if (label === undefined || this.#labelled) return;
    this.#labelled = true;
    if (!fields.message?.endsWith(label)) fields.message = `${fields.message}\n${label}`;
  }

  end(): void {
    const { fields } = this.#draft;
    if (fields.code?.startsWith('E') || fields.file === undefined) return;
    const first = fields.message?.split('\n', 1)[0];
    fields.id = normalise(`${this.#path(fields.file)}: ${first}`);
  }
}

function labelOf(text: string): string | undefined {
  const mark = Math.max(text.lastIndexOf('^'), text.lastIndexOf('━'));
  if (mark < 0 || !/^ {0,8}[|│╰]/.test(text)) return undefined;
  const label = text.slice(mark + 1).trim();
  return text[mark + 1] === ' ' && /^[^-|─│┬]/.test(label) ? label : undefined;
}

function lintOf(text: string): string | undefined {
  const clippy = CLIPPY.exec(text)?.[1];
  if (clippy !== undefined) return `clippy::${clippy}`;
  for (const pattern of LINTS) {
    const lint = pattern.exec(text)?.[1];
    if (lint !== undefined) return lint.replaceAll('-', '_');
  }
  return undefined;
}

/** A heading's own lines: a message may have several, indented by as much as `error: ` takes. */
export function headingFields(lines: string[]): Fields & { severity: string } {
  const [, severity = 'error', code, message] = HEADING.exec(lines[0] as string) ?? [];
  const rest = lines.slice(1).map(line => line.trim());
  return { kind: 'build', severity, ...(code && { code }), message: [message, ...rest].join('\n') };
}
