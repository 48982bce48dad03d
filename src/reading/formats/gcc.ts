/**
 * gcc, clang, swiftc, gfortran and whoever else speaks the GNU message format: `f:L:C: error: m [-Wx]`, between context
 * (`In file included from`, `f: In function 'x':`, `required from here`) and notes, with or without the source line.
 */
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';
import { type Level, levelOf, WORD_HINTS } from './gcc/words.js';

/** `f:L:C: word: message`; clang's `f:L:C:{…}{…}:` and `f(L,C):`; Android's `C/C++: ` before it. */
const LOCATED =
  /^\s*(?:C\/C\+\+: |\d+% )?((?:[A-Za-z]:(?=[\\/]))?[^:\s][^:]*?)(?::(\d+)(?:[:.](\d+))?(?::(?:\{[\d:-]+\})+)?| ?\((\d+)(?:,(\d+))?\) ?): ?([^:：]{2,40})[:：] *(\S.*)$/;
/** `cc1plus: fatal error: m`, `x86_64-linux-gnu-gcc-12: error: m`. */
const UNLOCATED = /^(\S{1,200}) ?: ([^:：]{2,40})[:：] *(\S.*)$/;
const DRIVER =
  /(?:^|[\\/-])(?:gcc|g\+\+|c\+\+|cc|cpp|cc1|cc1plus|cc1objc?|lto1|f951|gfortran|lto-wrapper|clang|clang\+\+|clang-cl|clang-tidy|swiftc?|swift-frontend|emcc|nvcc|xcodebuild|configure)(?:-\d[\d.]*)?(?:\.exe)?$/;
const CODE = /^(.*\S) \[(-W\S+|[a-zA-Z][\w.-]*\w(?:,-warnings-as-errors)?)\]$/;
const FORTRAN = /^(Fatal Error|Internal Error|Error|Warning)(?: at \(\d\))?: ?(.*)$/;
const FORTRAN_PLACE = /^(\S[^:]*):(\d+)[:.](\d+):$/;
/** The assembler, when it cannot write. */
const ASSEMBLER = /^Fatal error: (can't \S.*)$/;
const OUT_OF_MEMORY = /^(?:(cc1\w*): out of memory allocating|virtual memory exhausted)/;
const FRONTEND = /^\S+: error: (clang frontend command (?:failed|terminated)[^(]*)/;
const FRONTEND_PLACE = /^\d+\.\s+(\S[^:]*):(\d+):(\d+): /;

const CONTEXT =
  /^(?:In file included from |In Datei, eingebunden von |Dans le fichier inclus depuis |In module |While building module |\s+from \S+:\d|\S[^:]*: (?:In|At|in|at|Dans|Au|Auf) [^:].*:$|\S[^:]*:\d+:\d+: {2,}(?:\w|\[ ))/;
const GUTTER = /^\s*\d*\s*\||^\s*\+-{2,}|^\s+[‘'].{1,200}: events? [\d-]+$|^ *`- /;
/** A compiler's command line, and what configure looks for: files may be called error.c. */
const COMMAND =
  /^[+ \t]*(?:\S*libtool: \w+: +)?\S*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|swiftc|swift-frontend|gfortran)(?:-[\d.]+)? +[-\w/."']/;
const CHECKING = /^checking .*\.\.\. /;
const QUOTE = /^\s*\d+ \| /;
const CARET = /^[\s~^|]*[~^][\s~^|]*$/;
const EXPANDED = /^ *`- (\S[^:]*):(\d+):(\d+): note: expanded code originates here/;
const ICE_TAIL = /^(?:0x[0-9a-f]+ |\s+\S+:\d+$|Please submit|Please include|See <|\/\/ )/i;
const TERMINATED = /^(?:compilation terminated|Kompilierung beendet|compilation terminée)/;
const ERROR_LIMIT = /^(?:compilation terminated due to -f|fatal error: too many errors emitted)/;
const GENERATED = /^(?:(\d+) warnings? and )?(\d+) errors? generated(?: when compiling .*)?\.$/;
const WARNINGS_GENERATED = /^\d+ warnings? generated/;
/** `cc1: all warnings being treated as errors`, in any language. */
const TREATED =
  /^(?:cc1\w*|lto1|f951|clang|g?cc) ?[:：] ?[^:：]*(?:errors|Fehler|erreurs|fejl|fel|virheinä|エラー|错误|錯誤|ошибками|помилками)[^:]*$/;
/** What can't be a line of source quoted by clang, though it stands where one is expected. */
const NO_SOURCE =
  /^(?:\s*(?:---|===|\*\*\*|not ok\b|ok\b|PASS|FAIL|Test |test |Running )|make\b|gmake\b|ninja\b|\[\s*\d+[%/]|\S*(?:gcc|g\+\+|clang\S*|cc|c\+\+) -|\d+ (?:error|warning)s? |\S+: )/;

/** Files of compilers with a reader of their own, or whose lines of this shape are log lines. */
const FOREIGN = /\.(?:pyi?|rs|java|kts?|scala|tsx?|jsx?|mjs|go|rb|php|cs|vb|fs)$/;
const PATHLIKE = /[./\\]|^<|^\w*makefile\w*$|^macro expansion /i;
const ADDRESS = /^[\d.]+$|^\[|^https?$| {2}/;
const TOOLS: [RegExp, string][] = [
  [/\.swift$|^macro expansion /, 'swiftc'],
  [/\.dart$/, 'dart'],
  [/\.proto$/, 'protoc'],
  [/\.hs$/, 'ghc'],
  [/\.(?:ba|da|k)?sh$/, 'shellcheck'],
  [/makefile|\.mk$/i, 'make'],
];

interface Found {
  level: Level;
  fields: Fields;
}

function located(text: string): Found | undefined {
  const found = LOCATED.exec(text);
  if (found === null) return undefined;
  const [, file = '', l1, c1, l2, c2, word = '', message = ''] = found;
  const level = levelOf(word);
  if (level === undefined || !isPath(file)) return undefined;
  return { level, fields: { ...toolOf(file), ...coded(message), file, ...place(l1 ?? l2, c1 ?? c2) } };
}

function unlocated(text: string): Found | undefined {
  const [, program = '', word = '', message = ''] = UNLOCATED.exec(text) ?? [];
  // autoconf says where it was in a line of its own
  const level = message.startsWith('in `') ? 'note' : levelOf(word);
  if (level === undefined || !DRIVER.test(program)) return undefined;
  const tool = /(xcodebuild|configure|swiftc?)/.exec(program)?.[1];
  return { level, fields: { ...(tool && { tool }), ...coded(message) } };
}

function assembler(text: string): Found | undefined {
  const message = ASSEMBLER.exec(text)?.[1];
  return message === undefined ? undefined : { level: 'fatal error', fields: { message } };
}

/** gfortran names the place four lines above what it says. */
function fortran(out: Out, line: Line): Found | undefined {
  const [, word = '', message = ''] = FORTRAN.exec(line.text) ?? [];
  if (word === '') return undefined;
  // between them stand a blank line, the source and the mark
  for (let n = 1; n <= 6; n++) {
    const text = out.back(n)?.text;
    if (text === undefined) return undefined;
    const [, file, l, c] = FORTRAN_PLACE.exec(text) ?? [];
    if (file !== undefined) {
      const level = levelOf(word.toLowerCase()) ?? 'internal compiler error';
      return { level, fields: { ...coded(message), file, ...place(l, c) } };
    }
  }
  return undefined;
}

const isPath = (file: string): boolean =>
  file.length < 300 && PATHLIKE.test(file) && !ADDRESS.test(file) && !FOREIGN.test(file);

const toolOf = (file: string): Fields => {
  const tool = TOOLS.find(([pattern]) => pattern.test(file))?.[1];
  return tool === undefined ? {} : { tool };
};

const place = (line?: string, column?: string): Fields => ({
  ...(line !== undefined && { line: Number(line) }),
  ...(column !== undefined && { column: Number(column) }),
});

/** `m [-Werror=x]` and clang's `m [-Werror,-Wx]`: the code is that of the warning, so that both have one id. */
function coded(text: string): Fields {
  const [, message, code] = CODE.exec(text.replace(/ \[-Werror\]$/, '')) ?? [];
  return message === undefined
    ? { message: text.replace(/ \[-Werror\]$/, '') }
    : { message, code: code?.replace(/^-Werror[=,](?:-W)?/, '-W').replace(/,-warnings-as-errors$/, '') };
}

/** The lines above a message that say how the compiler came there. */
function contextAbove(out: Out): Line[] {
  const lines: Line[] = [];
  let top = 0;
  for (let n = 1; n <= 60; n++) {
    const line = out.back(n);
    if (line === undefined) break;
    if (CONTEXT.test(line.text)) top = n;
    else if (!GUTTER.test(line.text)) break;
    lines.push(line);
  }
  return lines.slice(0, top).reverse();
}

/** What follows a message: source, caret, fix-it and notes, in gcc's, clang's and swiftc's manner. */
function block(draft: Draft, ice: boolean): Block {
  let expect: 'source' | 'caret' | 'fix-it' | undefined = 'source';
  let column = draft.fields.column;
  /** Context that belongs to a note of this message, or to the next message. */
  let pending: Line[] = [];
  const take = (line: Line, next?: typeof expect): 'more' => {
    for (const held of pending) draft.add(held);
    pending = [];
    draft.add(line);
    expect = next;
    return 'more';
  };
  const source = (text: string): boolean =>
    expect === 'source' &&
    column !== undefined &&
    Buffer.byteLength(text) >= column - 1 &&
    text.trim() !== '' &&
    !NO_SOURCE.test(text);
  return {
    line(line) {
      const { text } = line;
      const expanded = EXPANDED.exec(text);
      if (expanded !== null) {
        if (draft.fields.file?.startsWith('macro '))
          Object.assign(draft.fields, { file: expanded[1], ...place(expanded[2], expanded[3]) });
        return take(line);
      }
      const found = located(text);
      if (found?.level === 'note') {
        column = found.fields.column;
        return take(line, 'source');
      }
      if (found !== undefined) return undefined;
      if (TERMINATED.test(text) && !ERROR_LIMIT.test(text)) return 'last';
      if (CONTEXT.test(text) || (pending.length > 0 && GUTTER.test(text))) {
        pending.push(line);
        return pending.length < 60 ? 'more' : undefined;
      }
      if (GUTTER.test(text) || /^(?:cc1\w*: note: |fix-it:")/.test(text)) return take(line);
      if (draft.fields.message === '') {
        draft.fields.message = text;
        return take(line);
      }
      if (ice && ICE_TAIL.test(text)) return take(line);
      if (expect === 'caret' || expect === 'source') if (CARET.test(text)) return take(line, 'fix-it');
      if (source(text)) return take(line, 'caret');
      if (expect === 'fix-it' && /^\s+\S/.test(text) && !NO_SOURCE.test(text)) return take(line);
      // swiftc sets its messages apart by blank lines; a note may follow
      if (text === '' && draft.fields.tool === 'swiftc') return take(line);
      return undefined;
    },
  };
}

export const gcc: Format = {
  name: 'gcc',
  url: 'https://gcc.gnu.org/onlinedocs/gcc/Diagnostic-Message-Formatting-Options.html',
  hints: [
    ...WORD_HINTS,
    'warning generated',
    'warnings generated',
    'error generated',
    'errors generated',
    'treated',
    'exhausted',
    'allocating',
    'terminated',
  ],
  reader(out) {
    /** Errors that clang has not counted yet. */
    let uncounted = 0;

    const say = ({ level, fields }: Found, line: Line): Block => {
      const above = fields.file === undefined ? [] : contextAbove(out);
      for (const context of above) out.claim(context);
      const first = above[0] ?? line;
      const ice = level === 'internal compiler error';
      if (level !== 'warning') uncounted++;
      const draft =
        level === 'warning'
          ? out.warning(fields, first, line)
          : out.failure({ kind: ice ? 'crash' : 'build', severity: level, ...fields }, first, line);
      for (const context of above) draft.add(context);
      return block(draft, ice);
    };

    /** clang itself died: where, it said above. */
    const died = (message: string, line: Line): 'mine' => {
      const fields: Fields = {};
      let first = line;
      for (let n = 1; n <= 80; n++) {
        const above = out.back(n);
        if (above === undefined) break;
        const [, file, l, c] = FRONTEND_PLACE.exec(above.text) ?? [];
        if (file !== undefined) Object.assign(fields, { file, ...place(l, c) });
        out.claim(above);
        first = above;
        if (above.text.startsWith('PLEASE submit')) break;
      }
      out.failure({ kind: 'crash', severity: 'error', message, ...fields }, first, line);
      return 'mine';
    };

    const counted = (text: string, line: Line): 'mine' | undefined => {
      const generated = GENERATED.exec(text);
      if (generated === null) return WARNINGS_GENERATED.test(text) ? 'mine' : undefined;
      const failed = Number(generated[2]);
      out.tally({ failed, counted: Math.min(failed, uncounted) }, line);
      out.close();
      uncounted = Math.max(0, uncounted - failed);
      return 'mine';
    };

    return {
      line(line) {
        const { text } = line;
        const frontend = FRONTEND.exec(text)?.[1];
        if (frontend !== undefined) return died(frontend, line);
        if (ERROR_LIMIT.test(text)) {
          out.early('failFast');
          if (text.startsWith('fatal')) uncounted++;
          return 'mine';
        }
        const found = located(text) ?? unlocated(text) ?? assembler(text) ?? fortran(out, line);
        if (found !== undefined) return found.level === 'note' ? undefined : say(found, line);
        if (OUT_OF_MEMORY.test(text)) {
          out.failure({ kind: 'crash', severity: 'fatal error', message: text }, line);
          return 'mine';
        }
        if (TREATED.test(text)) {
          out.consequence({ kind: 'build', severity: 'error', message: text }, line);
          return 'mine';
        }
        return TERMINATED.test(text) ? 'mine' : counted(text, line);
      },
      excuse: ({ text }) =>
        [COMMAND, CHECKING, CONTEXT, QUOTE].some(pattern => pattern.test(text)) ||
        (located(text) ?? unlocated(text)) !== undefined ||
        afterDiagnostic(out),
    };
  },
};

/** A line of source under a message that nobody wanted: a warning without --warnings, a lone note. */
const afterDiagnostic = (out: Out): boolean => {
  const before = out.back(1)?.text;
  return before?.includes(':') === true && located(before) !== undefined;
};
