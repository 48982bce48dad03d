/** Errors as node prints them: below a failing test, and before a file that died of one. */
import type { Fields, Out } from '../../format.js';

const FRAME = /:(\d+):(\d+)\)?(?: \{)?$/;
/** What node prints last of an uncaught error, and what the error itself begins with. */
const NODE_VERSION = /^Node\.js v\d+/;
const ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*: ./;
/** Another test's line. */
const RESULT = /^ *[✖✔﹣▶⚠] /;

/** Message and place of the failing assertion, from the error as node prints it. */
export function explain(fields: Fields, error: string[]): void {
  const frames = error.findIndex(text => /^\s+at /.test(text));
  const said = (frames < 0 ? error : error.slice(0, frames)).join('\n').trim();
  fields.message ??= said.replace(/^'(.*)'$/, '$1');
  const { file } = fields;
  if (file === undefined || frames < 0) return;
  for (const text of error.slice(frames)) {
    const frame = FRAME.exec(text);
    if (frame === null || !isIn(text.slice(0, frame.index), file)) continue;
    const [, row, column] = frame;
    Object.assign(fields, { line: Number(row), column: Number(column) });
    return;
  }
}

/** Whether a stack frame's text, up to the position, ends in this file. */
const isIn = (frame: string, file: string): boolean =>
  frame.endsWith(file) && /[\s(/\\]$/.test(frame.slice(0, -file.length));

/** Why a whole file failed: the uncaught error that node printed just before. */
export function lastWords(out: Out): string | undefined {
  const before = out.back(1)?.text ?? '';
  if (before.startsWith('ℹ Error: ')) return before.slice(2);
  if (!NODE_VERSION.test(before)) return undefined;
  let message: string | undefined;
  for (let n = 1; n <= 60; n++) {
    const line = out.back(n);
    if (line === undefined || RESULT.test(line.text)) return message;
    out.claim(line);
    if (ERROR.test(line.text)) message = line.text;
    if (message !== undefined && /^(?:node:|file:|\/|[A-Z]:\\).*:\d+$/.test(line.text)) return message;
  }
  return message;
}
