/**
 * Node's uncaught errors: the place, the source and a caret, then the error and its stack. An error that a program only
 * logs has no caret above it.
 */
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';

const PLACE = /^(?:file:\/\/)?((?:[A-Za-z]:)?[^\s:][^:]*|node:[^:]+):(\d+)$/;
const CARET = /^\s*\^+\s*$/;
const ERROR = /^(?:Uncaught )?([A-Z][\w$.]*)(?: \[(\w+)\])?(?:: (.*))?$/;
const FRAME = /^\s+at (?:.*\()?(?:file:\/\/)?((?:[A-Za-z]:)?[^\s:()]+):(\d+):(\d+)\)?(?: \{)?$/;
const TRAILER = /^Node\.js v\d+\.\d+\.\d+/;
const HEAP = /^FATAL ERROR: (.*)$/;
const HEAP_STACK = /^(?:-{5} Native stack trace -{5}|\s*\d+: 0x[0-9a-f]+ .*|<--- .* --->|)$/;
const HEAP_ABOVE = /^\[\d+:0x[0-9a-f]+\] |^<--- |^$/;
const WARNING = /^\(node:\d+\) |^\(Use `node /;

/** The lines above an error that show where it was thrown, or nothing. */
function thrownAt(out: Out, blank: number): { file: string; line: number; lines: Line[] } | undefined {
  if (!CARET.test(out.back(blank + 1)?.text ?? '')) return undefined;
  for (let n = blank + 2; n <= blank + 8; n++) {
    const [, file, line] = PLACE.exec(out.back(n)?.text ?? '') ?? [];
    if (file === undefined) continue;
    const lines = Array.from({ length: n }, (_, k) => out.back(n - k)).filter(l => l !== undefined);
    return { file, line: Number(line), lines };
  }
  return undefined;
}

/** The stack, what the message goes on with before it, and what node shows of the error's properties. */
function stack(draft: Draft): Block {
  let frames = 0;
  let depth = 0;
  return {
    line({ text, ...rest }) {
      const line = { text, ...rest };
      if (TRAILER.test(text)) return 'last';
      const frame = FRAME.exec(text);
      if (frames > 0 && depth === 0 && frame === null && !/^\s+at |^$/.test(text)) return undefined;
      draft.add(line);
      if (/^\s+at /.test(text)) frames++;
      if (/ \{$/.test(text)) depth++;
      if (/^\s*\}/.test(text)) depth--;
      if (frame !== null && depth <= 1) own(draft.fields, frame);
      if (frames === 0 && text !== '') draft.fields.message = `${draft.fields.message}\n${text}`;
      return 'more';
    },
  };
}

/** The first frame outside of node is a better place than one inside. */
function own(fields: Fields, [, file, line, column]: RegExpExecArray): void {
  if (file === undefined || file.startsWith('node:')) return;
  if (
    fields.column !== undefined ||
    (fields.file !== undefined && !fields.file.startsWith('node:') && fields.file !== file)
  )
    return;
  Object.assign(fields, { file, line: Number(line), column: Number(column) });
}

export const node: Format = {
  name: 'node',
  url: 'https://nodejs.org/api/errors.html',
  hints: ['Error: ', 'Error [', 'FATAL ERROR', 'fatal exception', 'Rejection', 'Uncaught', 'Node.js v'],
  reader(out) {
    let last = 0;

    const thrown = (line: Line, blank: number, fields: Fields, first: Line): Block | undefined => {
      const at = thrownAt(out, blank);
      if (at === undefined) return undefined;
      for (const above of at.lines) out.claim(above);
      last = line.no;
      const draft = out.failure(
        { kind: 'crash', severity: 'error', file: at.file, line: at.line, ...fields },
        at.lines[0] ?? first,
        line,
      );
      for (const above of at.lines) draft.add(above);
      draft.add(line);
      return stack(draft);
    };

    /** Something that is no error was thrown: only the end says so. */
    const trailer = (line: Line): 'mine' => {
      for (let n = 2; n <= 20 && line.no - n > last; n++) {
        if (!CARET.test(out.back(n)?.text ?? '')) continue;
        const said = [1, 2].map(k => out.back(n - k)).find(l => l !== undefined && l.text !== '');
        if (said !== undefined) {
          out.claim(said);
          thrown(line, n - 1, { message: said.text }, said);
        }
        break;
      }
      return 'mine';
    };

    return {
      line(line) {
        const { text } = line;
        if (TRAILER.test(text)) return trailer(line);
        const heap = HEAP.exec(text)?.[1];
        if (heap !== undefined) return outOfMemory(out, heap, line);
        const [, name, code, message = ''] = ERROR.exec(text) ?? [];
        if (name === undefined || !/(?:Error|Rejection|Exception)$/.test(name)) return undefined;
        const fields = { ...(code && { code }), message: `${name}: ${message}` };
        return thrown(line, out.back(1)?.text === '' ? 1 : 0, fields, line);
      },
      excuse: ({ text }) => WARNING.test(text),
    };
  },
};

function outOfMemory(out: Out, message: string, line: Line): Block {
  out.early('crash');
  for (let n = 1; n <= 12; n++) {
    const above = out.back(n);
    if (above === undefined || !HEAP_ABOVE.test(above.text)) break;
    out.claim(above);
  }
  const draft = out.failure({ kind: 'crash', severity: 'fatal error', message }, line);
  return {
    line(next) {
      if (!HEAP_STACK.test(next.text)) return undefined;
      draft.add(next);
      return 'more';
    },
  };
}
