/** Places and messages in what JavaScript test runners print of an error: shared by jest, vitest and mocha. */
import type { Line } from '../../format.js';

export interface Place {
  file: string;
  line: number;
  column: number;
}

/** `a/b.js:12:5`, `a/b.js:12:5)`, at the end of a stack frame. */
const POSITION = /:(\d+):(\d+)\)?$/;
const FRAME = /^\s*(?:at|❯) /;
/** jest `  > 12 |   code`, `     |  ^`; vitest `    12|   code`, `      |  ^`. */
const CODE_FRAME = /^ *>? *\d* ?\|/;
/** What no project's own test is. */
const LIBRARY =
  /(?:^|[/\\])node_modules[/\\]|^node:|^internal\/|^<|^native\b|^(?:timers|events|module|net|vm|domain|bootstrap_node|_\w+)\.js$/;
/** How much of an error is its message; the rest is detail. */
const MESSAGE_LINES = 16;

/** The place that a stack frame names, if it is one: `at f (a.js:1:2)`, `at async a.js:1:2`, `❯ f a.js:1:2`. */
export function place(text: string): Place | undefined {
  const words = FRAME.exec(text)?.[0];
  if (words === undefined) return undefined;
  const at = POSITION.exec(text);
  if (at === null) return undefined;
  const head = text.slice(words.length, at.index);
  const open = text.endsWith(')') ? head.lastIndexOf('(') : words.includes('❯') ? head.lastIndexOf(' ') : -1;
  const file = head
    .slice(open + 1)
    .replace(/^async /, '')
    .replace(/^file:\/\/(?=\/)/, '');
  return file === '' ? undefined : { file, line: Number(at[1]), column: Number(at[2]) };
}

/** Whether both name one file, however much of the path to it they print. */
const same = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

/**
 * Where a test failed: the first frame in its own file, named as the runner names that file; else (where the file is
 * not known, or nothing of it is in the stack) the first frame that is no library's.
 */
export function placeOf(lines: readonly Line[], file?: string): Place | undefined {
  let first: Place | undefined;
  for (const { text } of lines) {
    const found = place(text);
    if (found === undefined || LIBRARY.test(found.file)) continue;
    if (file !== undefined && same(found.file, file)) return { ...found, file };
    first ??= found;
  }
  return first;
}

export const isFrame = (text: string): boolean => FRAME.test(text) && POSITION.test(text);

/** What stands before the code frame and the stack, without the margin. */
export function messageOf(lines: readonly Line[], margin: number): string {
  const message: string[] = [];
  for (const { text } of lines) {
    if (message.length >= MESSAGE_LINES || isFrame(text) || (text !== '' && CODE_FRAME.test(text))) break;
    const indent = text.search(/\S/);
    message.push(text.slice(Math.min(Math.max(indent, 0), margin)).trimEnd());
  }
  return message.join('\n').trim();
}
