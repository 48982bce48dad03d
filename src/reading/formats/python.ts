/**
 * Python itself: an exception nobody caught, a syntax error, the interpreter's own end. A traceback that was caught and
 * printed looks the same but for two things: an uncaught one begins at `<module>`, and its program says nothing after it.
 */
import type { Block, Format, Line, Out } from '../format.js';
import { isLibrary, TRACEBACK, Trace } from './shared/python-trace.js';

const SYNTAX = /^(?:(?:Syntax|Indentation|Tab)Error|Sorry: (?:Syntax|Indentation|Tab)Error): (.*)$/;
const PLACE = /^ {2}File "([^"]{1,1000})", line (\d+)$/;
const SORRY = /\(([^()]+), line (\d+)\)$/;
const FATAL = /^(.*?)Fatal Python error: (.*)$/;
const DUMP =
  /^(?:$|Python runtime state: |Thread 0x|Current thread 0x| {2}File "| {2}\.\.\.|Extension modules: | {0,2}<no Python frame>)/;
const INTERPRETER =
  /^(?:\S*[/\\])?python[\d.]*(?:\.exe)?: ((?:No module named|can't open file|Error while finding module|can't find) .*)$/;
/** What Python says before an exception that does not end the program. */
const IGNORED =
  /^(?:Exception ignored |Exception in thread |Task exception was never retrieved|future: <|Error in atexit|Error in sys\.)/;
/** A record of Python's logging, which prints the exception it was given under it. */
const LOGGED = /\b(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b/;
/** What others say after a program that failed. */
const FOLLOWS =
  /^(?:make(?:\[\d+\])?: \*\*\*|ninja: |FAILED: |npm (?:ERR!|error)|error(?:\[\w+\])?: |ERROR: |Error: |##\[|::|\+ |\$ |> |travis_|section_end|Build step |Finished: |Cleaning up|\[end of output\]|The command |Command |.*\b(?:exit(?:ed)?|return(?:ed)?)\b.*\b(?:status|code|non-zero|with)\b|-{10,}$|={10,}$|ld: )/i;
/** What pip says around the failure of another program. */
const PIP =
  /^\s{0,8}(?:error: (?:subprocess-exited-with-error|metadata-generation-failed)|[×x] .*(?:did not run successfully\.|while generating package metadata\.)|note: This (?:error originates|is an issue) .*|.* finished with status 'error')$/;
const ARGUMENTS = /^[^\s:][^:]{0,200}: error: (.*)$/;
const LINES = 100;
const UNIT_TEST = /^(\w\S* \([\w.]+\)) \.\.\. /;

function traceback(out: Out, first: Line, before: Line | undefined): Block {
  const head = /(?: {2}\+ Exception Group )?Traceback .*$/.exec(first.text) as RegExpExecArray;
  const cut = first.text.slice(0, head.index).trim() === '' ? head.index : 0;
  const trace = new Trace();
  const lines = [first];
  trace.take(head[0]);
  let follower: string | undefined;
  return {
    line(line) {
      // pip and others indent what their programs print.
      const text = line.text.slice(0, cut).trim() === '' ? line.text.slice(cut) : line.text;
      if (!trace.take(text)) {
        follower = text;
        return undefined;
      }
      if (lines.length < LINES) lines.push(line);
      return 'more';
    },
    end() {
      while (lines.at(-1)?.text.trim() === '') lines.pop();
      const message = trace.message;
      if (message === undefined) return;
      const caught = !trace.uncaught || (before !== undefined && IGNORED.test(before.text));
      const last = lines.at(-1) as Line;
      const fields = { kind: 'crash' as const, message, ...trace.place() };
      const ended = follower === undefined || FOLLOWS.test(follower);
      // Its message may have more lines, or somebody printed it and went on: it counts if nothing else explains the run.
      if (!caught && !ended && !LOGGED.test(before?.text ?? '')) {
        out.consequence(fields, first);
        return;
      }
      const draft = caught || !ended ? out.warning(fields, first, last) : out.failure(fields, first, last);
      for (const line of lines) draft.add(line);
    },
  };
}

/** The place of a syntax error stands up to four lines before it. */
function syntax(out: Out, line: Line): 'mine' | undefined {
  const sorry = SORRY.exec(line.text);
  if (line.text.startsWith('Sorry: ')) {
    const [, file, at] = sorry ?? [];
    const place = file === undefined ? {} : { file, line: Number(at) };
    out.failure(
      { kind: 'build', severity: 'error', message: line.text.slice(7).replace(/ \([^()]+, line \d+\)$/, ''), ...place },
      line,
    );
    return 'mine';
  }
  for (let n = 1; n <= 4; n++) {
    const head = out.back(n);
    const [, file, at] = head === undefined ? [] : (PLACE.exec(head.text) ?? []);
    if (head === undefined || file === undefined) continue;
    const draft = out.failure(
      { kind: 'build', severity: 'error', message: line.text, file, line: Number(at) },
      head,
      line,
    );
    for (let k = n; k > 0; k--) {
      const part = out.back(k) as Line;
      draft.add(part);
      out.claim(part);
    }
    draft.add(line);
    return 'mine';
  }
  return undefined;
}

function fatal(out: Out, first: Line, before: string, message: string): Block {
  const id = UNIT_TEST.exec(before)?.[1];
  const named = id === undefined ? {} : { id, name: id };
  const draft = out.failure({ kind: 'crash', message: `Fatal Python error: ${message}`, ...named }, first);
  out.early('crash');
  let current = false;
  return {
    line(line) {
      if (!DUMP.test(line.text)) return undefined;
      draft.add(line);
      if (line.text.startsWith('Current thread')) current = true;
      const [, file, at] = /^ {2}File "([^"<]+)", line (\d+) in /.exec(line.text) ?? [];
      if (current && file !== undefined && draft.fields.file === undefined && !isLibrary(file))
        Object.assign(draft.fields, { file, line: Number(at) });
      return 'more';
    },
  };
}

/** Whether argparse's usage stands just before. */
function usage(out: Out): boolean {
  for (let n = 1; n <= 20; n++) {
    const text = out.back(n)?.text;
    if (text === undefined) return false;
    if (text.startsWith('usage: ')) return true;
    if (!/^ {2,}\S/.test(text)) return false;
  }
  return false;
}

export const python: Format = {
  name: 'python',
  url: 'https://docs.python.org/3/tutorial/errors.html',
  hints: [
    'Traceback',
    'SyntaxError',
    'IndentationError',
    'TabError',
    'Fatal',
    'No module named',
    'Errno',
    'Error compiling',
    'Exception ignored',
    ': error: ',
  ],
  reader: out => ({
    line(line) {
      const { text } = line;
      if (TRACEBACK.test(text)) return traceback(out, line, out.back(1));
      if (SYNTAX.test(text)) return syntax(out, line);
      const [, before, message] = FATAL.exec(text) ?? [];
      if (before !== undefined && message !== undefined) return fatal(out, line, before, message);
      const own = INTERPRETER.exec(text)?.[1];
      if (own !== undefined) {
        out.failure({ kind: 'crash', message: own }, line);
        return 'mine';
      }
      if (ARGUMENTS.test(text) && usage(out)) {
        out.failure({ kind: 'crash', message: text }, line);
        return 'mine';
      }
      return /^(?:\*\*\* Error compiling '.*'\.\.\.|Exception ignored in: .*)$/.test(text) ? 'mine' : undefined;
    },
    excuse: ({ text }) => IGNORED.test(text) || PIP.test(text),
  }),
};
