/** How a pytest session ends, or never begins, otherwise than by its tally. */
import type { Block, Line, Out } from '../../format.js';
import { isLibrary } from '../shared/python-trace.js';
import { placeOf } from './lines.js';

const INTERNAL = /^INTERNALERROR> ?(.*)$/;
const FATAL = /^(.*?)(Fatal Python error: .*)$/;
const TIMEOUT = /^(.*?)\++ Timeout \++$/;
const DUMP =
  /^(?:$|Thread 0x|Current thread 0x| {2}File "| {2}\.\.\.|Extension modules: |<no Python frame>| {2}<no Python frame>)/;
const STACK = /^(?:~+ Stack of | {2,})/;
const FRAMES = 100;
const NOT_FOUND = /^ERROR: (?:file or directory not found|not found): (.+)$/;
const CONFTEST = /^(?:ImportError while loading conftest|ConftestImportFailure: .*) '(.+)'\.?$/;
const USAGE = /^ERROR: (?:usage: .*|Error importing plugin .*|.*: unrecognized arguments: .*)$/;
const COVERAGE = /^(?:FAIL Required test coverage of .* not reached\..*|ERROR: Coverage failure: .*)$/;

export const isInternal = (text: string): boolean => INTERNAL.test(text);

export function internalError(out: Out, first: Line): Block {
  const draft = out.failure({ kind: 'crash', code: 'INTERNALERROR' }, first);
  out.early('crash');
  draft.add(first);
  return {
    line: line => {
      const text = INTERNAL.exec(line.text)?.[1];
      if (text === undefined) return undefined;
      if (/^\S/.test(text)) draft.fields.message = text;
      draft.add(line);
      return 'more';
    },
  };
}

/** What could not be loaded at all, before any test. */
export function notLoaded(out: Out, line: Line): undefined | Block {
  const { text } = line;
  const id = NOT_FOUND.exec(text)?.[1];
  if (id !== undefined) {
    out.failure({ kind: 'test', id: out.path(id), name: id, message: text.slice(7) }, line);
    return { line: next => (/^\((?:no match|no name) .*\)$/.test(next.text) ? 'last' : undefined) };
  }
  const conftest = CONFTEST.exec(text)?.[1];
  if (conftest !== undefined) return conftestError(out, conftest, line);
  if (USAGE.test(text)) return usageError(out, line);
  return undefined;
}

function conftestError(out: Out, file: string, first: Line): Block {
  const draft = out.failure({ kind: 'test', id: out.path(file), name: file, file, message: first.text }, first);
  const marked: string[] = [];
  return {
    line: line => {
      if (!/^(?:E {3}| {4}|\S+:\d+: in |<frozen )/.test(line.text)) return undefined;
      if (line.text.startsWith('E   ')) {
        marked.push(line.text.slice(4));
        draft.fields.message = marked.join('\n');
      }
      const place = placeOf(line.text);
      if (place?.file !== undefined && file.endsWith(place.file)) draft.fields.line = place.line;
      draft.add(line);
      return 'more';
    },
  };
}

function usageError(out: Out, first: Line): Block {
  const draft = out.failure({ kind: 'crash', message: first.text.replace(/^ERROR: /, '') }, first);
  return {
    line: line => {
      const error = /^\S.*?: error: (.*)$/.exec(line.text)?.[1];
      if (error !== undefined) draft.fields.message = error;
      else if (!/^ {2}(?:inifile|rootdir): /.test(line.text)) return undefined;
      draft.add(line);
      return 'more';
    },
  };
}

/** What pytest-cov says of too little coverage, once or twice. */
export function coverageOf(text: string): string | undefined {
  return COVERAGE.test(text) ? text.replace(/^(?:FAIL|ERROR:) /, '') : undefined;
}

/** The process died in a session. If a tally follows, it was a worker, and its test is reported. */
export class Crash {
  readonly #line: Line;
  readonly #message: string;
  readonly #id: string | undefined;
  readonly #stack: Line[] = [];

  /** What stood before the crash on its line, and its name; undefined where the line tells of none. */
  static at(text: string): { before: string; message: string } | undefined {
    const found = text.includes('Fatal Python') ? FATAL.exec(text) : null;
    const timeout = found === null && text.includes('+ Timeout +') ? TIMEOUT.exec(text) : null;
    const [, before, message = 'Timeout'] = found ?? timeout ?? [];
    return before === undefined ? undefined : { before, message };
  }

  constructor(line: Line, message: string, id: string | undefined) {
    this.#line = line;
    this.#message = message;
    this.#id = id;
  }

  /** The stacks that follow. */
  block(): Block {
    const isDump = this.#message === 'Timeout' ? STACK : DUMP;
    return {
      line: line => {
        if (Crash.at(line.text)?.message === 'Timeout') return 'last';
        if (!isDump.test(line.text)) return undefined;
        if (this.#stack.length < FRAMES) this.#stack.push(line);
        return 'more';
      },
    };
  }

  say(out: Out): void {
    const named = this.#id === undefined ? {} : { id: this.#id, name: this.#id };
    const draft = out.failure({ kind: 'crash', message: this.#message, ...named, ...placeIn(this.#stack) }, this.#line);
    for (const frame of this.#stack) draft.add(frame);
    out.early('crash');
  }
}

/** The frame of a dumped stack that is in the program itself; in the current thread, for a crash. */
function placeIn(stack: Line[]): { file?: string; line?: number } {
  const current = stack.findIndex(({ text }) => text.startsWith('Current thread'));
  const frames = stack.slice(current + 1).map(({ text }) => /^ {2}File "([^"<]+)", line (\d+),? in /.exec(text));
  const own = frames.filter(f => f !== null && !isLibrary(f[1] as string));
  // A crash's stack has its latest frame first, a timeout's has it last.
  const frame = current >= 0 ? own[0] : own.at(-1);
  return frame ? { file: frame[1] as string, line: Number(frame[2]) } : {};
}
