/**
 * The compilers of Java and Kotlin: javac (`f.java:4: error: m`, source, caret, details), ecj (`1. ERROR in f (at line 4)`,
 * source, caret, message) and kotlinc (`e: file:///f:3:8 m`, `e: f: (3, 8): m`), also as ant and old gradle print them.
 */
import { normalise } from '../../record/identity.js';
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';

/** `    [javac] `, `[ant:javac] `; `:core:compileJava` glued to the first line by old gradle. */
const PREFIX = /^(?:\s*\[[\w:.-]{1,40}\] (?=\s|\S))/;
const GLUED = /^:[\w:.-]+(?=\/)/;
const LOCATED =
  /^((?:[A-Za-z]:(?=[\\/]))?[^:\s][^:]*\.(?:java|aj|kts?|groovy)):(\d+)(?::(\d+))?: (error|warning|note|エラー|警告|错误|警告|Fehler|Warnung|erreur|avertissement)(?:[:：]| -) (.*)$/;
const KOTLIN =
  /^([ew]): (?:file:\/\/)?((?:[A-Za-z]:(?=[\\/]))?[^:]+\.(?:kts?|java)):(?: \((\d+), (\d+)\):|(\d+)(?::(\d+))?:?) (?:error: |warning: )?(.*)$/;
/** A folder that JUnit made for a test: it compiles something and looks at what the compiler says. */
const MADE_BY_TEST = /[\\/]junit-?\d{6,}[\\/]/;
const KOTLIN_OTHER = /^([ew]): (warnings found and -Werror specified|.* specified|.*incompatible version of Kotlin.*)$/;
const ECJ = /^\d+\. (ERROR|WARNING|INFO) in (\S.*) \(at line (\d+)\)$/;
const UNLOCATED =
  /^error: (invalid flag: .*|release version \S+ not supported|invalid (?:source|target) release: .*|file not found: .*|Annotation processor .*|warnings found and -Werror specified|Class names, .*|option .* (?:not|cannot|requires) .*|no source files|cannot (?:access|read) .*|Bad service configuration file.*)$/;
const JAVADOC = /^javadoc: (error|warning) - (.*)$/;
const THROWN = /^An annotation processor threw an uncaught exception\.$/;
const LINT = /^\[([a-z][\w-]+)\] (.*)$/;
const CARET = /^\s*\^$/;
const KOTLIN_CARET = /^\s*\^+$/;
const DETAIL = /^ {2,}\S/;
const LOOSE = /^(error|warning): (.*)$/;
const COUNT = /^(?:\d+ (?:errors?|warnings?)|(?:エラー|警告)\d+個|only showing the first \d+ (?:errors|warnings), .*)$/;
const EXCUSED = /^\d+ (?:errors?|warnings?) *$|^\d+ problems? \(\d+ |^only showing the first \d+ /;
/** Neither source nor message: other lines of those that run compilers. */
const FOREIGN =
  /^(?:\[|> Task |:[\w:]+ |BUILD |FAILURE|Note: |> |\* |w: |e: |.* (?:FAILED|PASSED|SKIPPED)$|.*Time elapsed: |Tests run: |\s*$)/;
/** What kotlinc lists below its message. */
const CANDIDATE = /^(?:@\S+ )?(?:public|private|internal|protected|fun|val|var|constructor|suspend|inline) /;
/** So many lines of message and source at most stand above the caret. */
const ABOVE = 4;
const SYMBOL = /^\s*(?:symbol|シンボル|符号) *[:：] *(.*)$/;

type Dressed = { prefix: string; text: string };
const undress = (text: string): Dressed => {
  const prefix = PREFIX.exec(text)?.[0] ?? '';
  return { prefix, text: text.slice(prefix.length).replace(GLUED, '') };
};

const severity = (word: string): 'error' | 'warning' | 'note' =>
  /^(?:e|エ|错|F|ERROR)/.test(word) ? 'error' : /^note|INFO/.test(word) ? 'note' : 'warning';

interface Found {
  word: string;
  /** No source follows. */
  bare?: true;
  fields: Fields & { message: string };
}

function located(text: string): Found | undefined {
  if (MADE_BY_TEST.test(text)) return undefined;
  const [, file, line, column, word, said = ''] = LOCATED.exec(text) ?? [];
  if (file !== undefined) {
    const [, code, message] = LINT.exec(said) ?? [];
    return {
      word: word as string,
      fields: { ...toolOf(file), file, ...place(line, column), ...(code && { code }), message: message ?? said },
    };
  }
  const [, level, source, l1, c1, l2, c2, message = ''] = KOTLIN.exec(text) ?? [];
  if (source === undefined) return undefined;
  return {
    word: level === 'e' ? 'error' : 'warning',
    fields: { tool: 'kotlinc', file: source, ...place(l1 ?? l2, c1 ?? c2), message },
  };
}

const toolOf = (file: string): Fields => (/\.kts?$/.test(file) ? { tool: 'kotlinc' } : {});
const place = (line?: string, column?: string): Fields => ({
  ...(line !== undefined && { line: Number(line) }),
  ...(column !== undefined && { column: Number(column) }),
});

function say(out: Out, word: string, fields: Fields, line: Line): Draft {
  const level = severity(word);
  return level === 'error'
    ? out.failure({ kind: 'build', severity: 'error', ...fields }, line)
    : out.warning({ severity: level, ...fields }, line);
}

/** `cannot find symbol` alone names many: the symbol makes it one. */
export function symbolId(out: Out, fields: Fields, text: string): void {
  const symbol = SYMBOL.exec(text)?.[1];
  if (symbol === undefined || fields.id !== undefined || fields.file === undefined) return;
  fields.id = normalise(`${out.path(fields.file)}: ${fields.message?.split('\n', 1)[0]}: ${symbol}`);
}

/** What follows a located message, and all further messages of this run of the compiler. */
function messages(out: Out, found: Found, first: Line, prefix: string): Block {
  let draft = say(out, found.word, found.fields, first);
  draft.add(first);
  let above = found.bare ? ABOVE : 0;
  let caret = false;
  const begin = (next: Found, line: Line): 'more' => {
    draft = say(out, next.word, next.fields, line);
    draft.add(line);
    above = next.bare ? ABOVE : 0;
    caret = false;
    return 'more';
  };
  return {
    line(line) {
      if (prefix !== '' && !line.text.startsWith(prefix)) return undefined;
      const text = line.text.slice(prefix.length);
      const next = located(text);
      if (next !== undefined) return begin(next, line);
      const [, word, message] = LOOSE.exec(text) ?? [];
      if (word !== undefined) return begin({ word, bare: true, fields: { message: message as string } }, line);
      if (COUNT.test(text)) return 'more';
      if (CARET.test(text) || KOTLIN_CARET.test(text)) {
        if (caret) return undefined;
        caret = true;
        if (draft.fields.column === undefined && draft.fields.line !== undefined)
          draft.fields.column = text.indexOf('^') + 1;
        draft.add(line);
        return 'more';
      }
      if (!caret && draft.fields.tool === 'kotlinc' && CANDIDATE.test(text)) {
        draft.add(line);
        return 'more';
      }
      if (caret ? !DETAIL.test(text) : FOREIGN.test(text) || ++above > ABOVE) return undefined;
      if (caret) {
        symbolId(out, draft.fields, text);
        draft.fields.message = `${draft.fields.message}\n${text}`;
      }
      draft.add(line);
      return 'more';
    },
  };
}

/** ecj: the message stands below the caret. */
function problem(out: Out, [, word, file, no]: RegExpExecArray, first: Line, prefix: string): Block {
  const draft = say(out, word as string, { tool: 'ecj', file, line: Number(no) }, first);
  draft.add(first);
  let caret = false;
  let lines = 0;
  return {
    line(line) {
      const text = line.text.startsWith(prefix) ? line.text.slice(prefix.length) : line.text;
      if (/^-{10}$/.test(text)) return 'last';
      if (++lines > 30 || (caret && FOREIGN.test(text))) return undefined;
      draft.add(line);
      if (!caret && /^\s*\^+$/.test(text)) caret = true;
      else if (caret) draft.fields.message = draft.fields.message ? `${draft.fields.message}\n${text}` : text;
      return 'more';
    },
  };
}

function thrown(out: Out, first: Line, prefix: string): Block {
  const draft = out.failure(
    { kind: 'build', severity: 'error', message: 'An annotation processor threw an uncaught exception.' },
    first,
  );
  let lines = 0;
  return {
    line(line) {
      const text = line.text.startsWith(prefix) ? line.text.slice(prefix.length) : line.text;
      if (/^Consult the following/.test(text)) return 'more';
      if (++lines === 1) draft.fields.message = `${draft.fields.message}\n${text}`;
      else if (!/^\s+at |^Caused by: |^\s+\.\.\. /.test(text)) return undefined;
      draft.add(line);
      return 'more';
    },
  };
}

export const javac: Format = {
  name: 'javac',
  url: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/javac.html',
  hints: [
    ': error:',
    ': warning:',
    ': error - ',
    ': warning - ',
    'エラー: ',
    '警告: ',
    'e: file:',
    'w: file:',
    '.kt: (',
    '.kts: (',
    '(at line ',
    'error: invalid',
    'error: release version',
    'error: file not found',
    'error: Annotation processor',
    'warnings found and -Werror',
    'error: option',
    'annotation processor threw',
    'incompatible version of Kotlin',
  ],
  reader: out => ({
    line(line) {
      const { prefix, text } = undress(line.text);
      const found = located(text);
      if (found !== undefined) return messages(out, found, line, prefix);
      const ecj = ECJ.exec(text);
      if (ecj !== null) return problem(out, ecj, line, prefix);
      const [, grade, doc] = JAVADOC.exec(text) ?? [];
      if (doc !== undefined) {
        say(out, grade as string, { tool: 'javadoc', message: doc }, line).add(line);
        return 'mine';
      }
      if (THROWN.test(text)) return thrown(out, line, prefix);
      const [, level, why] = KOTLIN_OTHER.exec(text) ?? [];
      const message = UNLOCATED.exec(text)?.[1] ?? why;
      if (message === undefined) return undefined;
      say(out, level === 'w' ? 'warning' : 'error', { message, ...(why && { tool: 'kotlinc' }) }, line).add(line);
      return 'mine';
    },
    excuse: ({ text }) => EXCUSED.test(undress(text).text) || (MADE_BY_TEST.test(text) && /^[ew]: /.test(text)),
  }),
};
