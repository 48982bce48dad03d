/**
 * The TypeScript compiler, plain and pretty, one project or many (`--build`), once or watching; and what calls it and
 * prints the same (vue-tsc, ts-node, ts-loader, the Angular CLI). Where the compiler prints no count (plain, not
 * watching), nothing tells that it ended.
 */
import type { Block, Format, Line, Out } from '../format.js';

/** `a.ts(1,2): error TS1: m`; the Angular CLI puts `Error: ` or `ERROR in ` before it. */
const PLAIN = /^(?:Error: |ERROR in |\[tsl\] ERROR in )?(\S.*?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$/;
const PRETTY = /^(?:Error: |ERROR in )?(\S.*?):(\d+):(\d+) - (error|warning) (TS\d+): (.*)$/;
/** Of no file: options, projects. */
const GLOBAL = /^(error) (TS\d+): (.*)$/;
/** ts-loader: the place, and the code and message on the line below. */
const LOADER = /^(?:\[tsl\] )?ERROR in (\S.*?)(?:\((\d+),(\d+)\)|:(\d+):(\d+))$/;
const LOADER_MESSAGE = /^ *(TS\d+): (.*)$/;
const FOUND = /^(?:\[?\d+:\d+:\d+(?: [AP]M)?\]? (?:- )?)?Found (\d+) errors?\b/;
const START = /^(?:\[?\d+:\d+:\d+(?: [AP]M)?\]? (?:- )?)(?:Starting compilation|File change detected)/;
/** `--build --verbose` says why it builds or skips a project; ts-node wraps the errors in one of its own. */
const HARMLESS =
  /^(?:\[?\d+:\d+:\d+(?: [AP]M)?\]? (?:- )?)?(?:Project '|Skipping build of project ')|^TSError: |^\S+\.[cm]?tsx?$/;

const CHAIN = /^ {2,}\S/;
/** The line of code, `12   const x`, and the squiggle below it; related places are indented. */
const SQUIGGLE = /^ +~*$/;
const CODE = /^ {0,6}(\d+)(?: |$)/;
/** An error may span so many lines of code. */
const SPAN = 500;
const FILES = /^(?:Errors {2}Files| +\d+ {2}\S.*:\d+)$/;

/** What is indented below a message: the chain of reasons. */
const chain = (draft: { add(line: Line): void }): Block => ({
  line(line) {
    if (!CHAIN.test(line.text)) return undefined;
    draft.add(line);
    return 'more';
  },
});

/** Below a pretty message: its chain, the code, related places; ends at the first line that is none of these. */
function code(draft: { add(line: Line): void }, from: number): Block {
  return {
    line(line) {
      const { text } = line;
      const number = Number(CODE.exec(text)?.[1] ?? -1);
      const ofCode = number >= from && number < from + SPAN;
      if (text !== '' && text !== '...' && !ofCode && !CHAIN.test(text) && !SQUIGGLE.test(text)) return undefined;
      draft.add(line);
      return 'more';
    },
  };
}

export const tsc: Format = {
  name: 'tsc',
  url: 'https://www.typescriptlang.org/docs/handbook/compiler-options.html',
  hints: [
    'error TS',
    'warning TS',
    ' TS1',
    ' TS2',
    ' TS3',
    ' TS4',
    ' TS5',
    ' TS6',
    ' TS7',
    ' TS8',
    ' TS9',
    'Found ',
    'Starting compilation',
    'File change detected',
  ],
  reader: out => {
    let errors = 0;

    const diagnostic = (found: RegExpExecArray, line: Line) => {
      const [, file, row, column, severity, code, message] = found as unknown as string[];
      if (severity === 'error') errors++;
      const fields = { file, line: Number(row), column: Number(column), code, severity, message };
      return severity === 'error' ? out.failure({ kind: 'build', ...fields }, line) : out.warning(fields, line);
    };

    const global = ([, severity, code, message]: RegExpExecArray, line: Line): Block => {
      errors++;
      return chain(out.failure({ kind: 'build', code, severity, message }, line));
    };

    return {
      line(line) {
        const { text } = line;
        const plain = PLAIN.exec(text);
        if (plain !== null) return chain(diagnostic(plain, line));
        const pretty = PRETTY.exec(text);
        if (pretty !== null) return code(diagnostic(pretty, line), Number(pretty[2]));
        const loose = GLOBAL.exec(text);
        if (loose !== null) return global(loose, line);
        const loader = LOADER.exec(text);
        if (loader !== null) return loaded(loader, line, out);
        if (START.test(text)) {
          out.begin();
          errors = 0;
          return 'mine';
        }
        const found = FOUND.exec(text);
        if (found === null) return undefined;
        out.tally({ failed: Number(found[1]), counted: errors }, line);
        out.close();
        errors = 0;
        return { line: ({ text }) => (text === '' || FILES.test(text) ? 'more' : undefined) };
      },
      excuse: ({ text }) => HARMLESS.test(text),
    };
  },
};

/** ts-loader and fork-ts-checker: `ERROR in a.ts:1:2`, the error itself on the next line. */
function loaded(found: RegExpExecArray, first: Line, out: Out): Block {
  return {
    line(line) {
      const said = LOADER_MESSAGE.exec(line.text);
      if (said === null) return undefined;
      const [, file, row = found[4], column = found[5]] = found;
      const fields = { file, line: Number(row), column: Number(column), code: said[1], message: said[2] };
      out.failure({ kind: 'build', severity: 'error', ...fields }, first, line);
      return 'last';
    },
  };
}
