/** The sanitizers of gcc and clang, libFuzzer, and valgrind: one report, one failure; where, is its first frame of one's own. */
import type { Block, Draft, Format, Line, Out } from '../format.js';

/** `==4711==ERROR: AddressSanitizer: heap-use-after-free on address …`, `WARNING: ThreadSanitizer: data race (pid=4711)`. */
const REPORT = /(?:^|==\d+== ?)(?:ERROR|WARNING): (\w*Sanitizer|libFuzzer): (\S.*)$/;
const SUMMARY = /^SUMMARY: (\w*Sanitizer|libFuzzer): (.*)$/;
const VOLATILE =
  / (?:on|at) (?:unknown )?address .*| \(pid=\d+\).*| on 0x[0-9a-f]+ in thread T\d+.*|:? \(?0x[0-9a-f]+.*/;
const UNDEFINED = /^(\S[^:]*):(\d+):(\d+): runtime error: (.*)$/;
const UNDEFINED_MORE = /^\s+#\d+ |^0x[0-9a-f]+: note: |^ *(?:[0-9a-f]{2} ){4}|^\s*\^|^SUMMARY: UndefinedBehavior/;
const FRAME = /^\s+#\d+ .*?(\S+?):(\d+)(?::(\d+))?(?: \(.*)?$/;
const FOREIGN = /libsanitizer|compiler-rt|sysdeps|^\.\.\/csu|^csu\/|\/usr\/include|<null>/;

const VALGRIND =
  /^==(\d+)== (Invalid (?:read|write|free).*|Conditional jump or move depends on .*|Use of uninitialised value.*|Syscall param .*|Argument .* of function .*|Mismatched (?:free|new).*|Source and destination overlap.*|Jump to the invalid address .*|[\d,]+ (?:\([\d,a-z ]+\) )?bytes in [\d,]+ blocks are (?:definitely|indirectly|possibly) lost.*|Process terminating with default action of signal .*|Possible data race .*)$/;
const VALGRIND_FRAME = /^==\d+== +(?:at|by) 0x[0-9A-F]+: .*\(([^\s()]+):(\d+)\)$/;
const VALGRIND_OWN =
  /^==\d+== (?:Memcheck, |Helgrind, |DRD, |For lists of detected|ERROR SUMMARY: |Use --track-origins)/;

/** What of a message differs from run to run. */
const steady = (text: string): string =>
  text
    .replace(/loss record \d+ of \d+/, 'loss record')
    .replace(/ in loss record$/, '')
    .replace(/ [\d,]+ \(.*\) bytes/, ' bytes');

function place(draft: Draft, pattern: RegExp, text: string): void {
  const [, file, line, column] = pattern.exec(text) ?? [];
  if (file === undefined || draft.fields.file !== undefined || FOREIGN.test(file)) return;
  Object.assign(draft.fields, { file, line: Number(line), ...(column && { column: Number(column) }) });
}

function report(out: Out, line: Line, tool: string, what: string): Block {
  const message = what.replace(VOLATILE, '');
  const draft = out.failure({ kind: 'crash', severity: 'error', code: tool, message }, line);
  draft.add(line);
  return {
    line(next) {
      if (REPORT.test(next.text)) return undefined;
      draft.add(next);
      place(draft, FRAME, next.text);
      // What comes behind the summary is a map of memory at most.
      return SUMMARY.test(next.text) && !next.text.includes('Address')
        ? 'last'
        : /^==\d+==ABORTING/.test(next.text) || /^SUMMARY: .* leaked in /.test(next.text)
          ? 'last'
          : 'more';
    },
  };
}

function undefinedBehaviour(out: Out, line: Line, found: RegExpExecArray): Block {
  const [, file, no, column, message] = found;
  const draft = out.failure(
    {
      kind: 'crash',
      severity: 'error',
      code: 'UndefinedBehaviorSanitizer',
      file,
      line: Number(no),
      column: Number(column),
      message,
    },
    line,
  );
  return {
    line(next) {
      if (!UNDEFINED_MORE.test(next.text)) return undefined;
      draft.add(next);
      return 'more';
    },
  };
}

function valgrind(out: Out, line: Line, pid: string, what: string): Block {
  const draft = out.failure({ kind: 'crash', tool: 'valgrind', severity: 'error', message: steady(what) }, line);
  return {
    line(next) {
      if (!next.text.startsWith(`==${pid}== `) || next.text.trimEnd() === `==${pid}==`) return undefined;
      draft.add(next);
      place(draft, VALGRIND_FRAME, next.text);
      return 'more';
    },
  };
}

export const sanitizer: Format = {
  name: 'sanitizer',
  url: 'https://github.com/google/sanitizers/wiki',
  hints: [
    'Sanitizer',
    'libFuzzer',
    'runtime error',
    'ERROR SUMMARY',
    'Invalid',
    'Conditional',
    'uninitialised',
    'Syscall',
    'Argument ',
    'Mismatched',
    'overlap',
    'invalid',
    'definitely',
    'indirectly',
    'possibly',
    'terminating',
    'Possible',
  ],
  reader: out => ({
    line(line) {
      const { text } = line;
      const found = REPORT.exec(text);
      if (found !== null) return report(out, line, found[1] as string, found[2] as string);
      const undef = UNDEFINED.exec(text);
      if (undef !== null) return undefinedBehaviour(out, line, undef);
      const [, pid, what = ''] = VALGRIND.exec(text) ?? [];
      return pid === undefined ? undefined : valgrind(out, line, pid, what);
    },
    excuse: ({ text }) =>
      VALGRIND_OWN.test(text) ||
      SUMMARY.test(text) ||
      /^\w*Sanitizer: reported \d+ warnings|^AddressSanitizer:DEADLYSIGNAL|^\w*Sanitizer can not provide/.test(text),
  }),
};
