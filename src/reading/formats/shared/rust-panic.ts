/**
 * `thread 'name' panicked at …` and the message that goes with it, in its three shapes:
 *
 *   thread 'a::b' panicked at 'message', src/lib.rs:1:2           before 1.73; the message may have several lines
 *   thread 'a::b' panicked at src/lib.rs:1:2:                     since 1.73; the message follows
 *   thread 'a::b' (1234) panicked at src/lib.rs:1:2:              since 1.91
 */
export interface Panic {
  thread: string;
  file?: string;
  line?: number;
  column?: number;
  message: string[];
  /** Before 1.73: how many lines the quoted message has up to the last that ends in a place. */
  quoted?: number;
}

const PLACE = /^(.+):(\d+):(\d+):?$/;
const MESSAGE_LINES = 40;

export function panicOf(text: string): Panic | undefined {
  const start = text.indexOf("thread '");
  const at = start < 0 ? -1 : text.indexOf(' panicked at ', start);
  if (at < 0) return undefined;
  const named = /^'(.*)'(?: \(\d+\))?$/.exec(text.slice(start + 7, at));
  if (named === null) return undefined;
  const thread = named[1] as string;
  const rest = text.slice(at + 13);
  if (!rest.startsWith("'")) {
    return PLACE.test(rest) ? { thread, message: [], ...place(rest) } : undefined;
  }
  const panic: Panic = { thread, message: [], quoted: 0 };
  quotedLine(panic, rest.slice(1));
  return panic;
}

function place(text: string): { file?: string; line?: number; column?: number } {
  const [, file, line, column] = PLACE.exec(text) ?? [];
  return file === undefined ? {} : { file, line: Number(line), column: Number(column) };
}

/** A line of a quoted message: the last one ends in `', file:line:column`; what follows may be somebody's output. */
function quotedLine(panic: Panic, text: string): void {
  panic.message.push(text);
  const end = text.lastIndexOf("', ");
  const found = end < 0 ? {} : place(text.slice(end + 3));
  if (found.file === undefined) return;
  Object.assign(panic, found);
  panic.quoted = panic.message.length;
}

/** What ends a panic's message for certain. */
const AFTER =
  /^(?:note: (?:run with `RUST_BACKTRACE|test did not panic|panic did not|Some details are omitted)|stack backtrace:$|thread caused |fatal runtime error:)/;

/** Whether the line still belongs to the panic's message; if so it is added. */
export function addToPanic(panic: Panic, text: string): boolean {
  if (AFTER.test(text) || panicOf(text) !== undefined) return false;
  if (panic.message.length >= MESSAGE_LINES) return true;
  if (panic.quoted !== undefined) quotedLine(panic, text);
  else panic.message.push(text);
  return true;
}

function messageOf({ message, quoted }: Panic): string {
  if (quoted === undefined || quoted === 0) return message.join('\n').trimEnd();
  const text = message.slice(0, quoted).join('\n');
  return text.slice(0, text.lastIndexOf("', "));
}

export const panicFields = (panic: Panic) => ({
  ...(panic.file !== undefined && { file: panic.file, line: panic.line as number, column: panic.column as number }),
  message: messageOf(panic),
});

/** A line of a backtrace, or the note below it. */
export const isFrame = (text: string): boolean =>
  /^ {0,6}\d+: |^ +at |^note: Some details are omitted|^thread caused /.test(text);
