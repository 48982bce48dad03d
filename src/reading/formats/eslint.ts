/**
 * ESLint: stylish (also what `next build` prints of it), and the unix, compact and visualstudio formatters that left
 * it with version 9.
 */
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';

/** `  12:5  error  message  rule`; Next.js: `12:5  Error: message  rule`. */
const PROBLEM = /^ *(\d+):(\d+) {1,3}(error|warning|Error:|Warning:) +(\S.*)$/;
/** Formatters of one line a problem: file, line, column, message, and severity and rule in some order. */
const ONE_LINE: RegExp[] = [
  /^(?<file>\S.*?):(?<line>\d+):(?<column>\d+): (?<message>.*) \[(?<severity>Error|Warning)(?:\/(?<rule>[\w@/-]+))?\]$/,
  /^(?<file>\S.*?): line (?<line>\d+), col (?<column>\d+), (?<severity>Error|Warning) - (?<message>.*?)(?: \((?<rule>[\w@/-]+)\))?$/,
  /^(?<file>\S.*?)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<rule>[a-z@][\w@/-]*)? ?: (?<message>.*)$/,
];
const TALLY = /^✖ (\d+) problems? \((\d+) errors?, (\d+) warnings?\)/;
/** The other formatters count errors and warnings together. */
const PROBLEMS = /^(\d+) problems?$/;
const FIXABLE = /^ {2}\d+ errors? and \d+ warnings? potentially fixable/;
const TOO_MANY = /^ESLint found too many warnings/;
/** It could not run: `Oops! Something went wrong! :(`, its version, and why. */
const OOPS = /^Oops! Something went wrong/;
const VERSION = /^ESLint: \d/;
const RULE = /^[\w@][\w@/-]*$/;
const PATH = /^(?![>✖$#])\S.*[./\\]/;
/** What no message goes on with: the next file, the count. */
const NEXT = /^(?:[/\\✖]|[A-Za-z]:\\)/;
/** A message may go on over several lines; and how many lines of what went wrong in ESLint itself are its own. */
const MESSAGE_LINES = 20;
const OOPS_LINES = 30;
const FOREIGN = /^(?:npm |error Command|> |\$ |make|##\[)/;

/** `message   rule` as two: columns are parted by two blanks or more. */
function parts(rest: string): { message: string; code?: string } {
  const at = rest.lastIndexOf('  ');
  const rule = rest.slice(at + 2);
  return at > 0 && RULE.test(rule) ? { message: rest.slice(0, at).trim(), code: rule } : { message: rest.trim() };
}

class Problems {
  errors = 0;
  warnings = 0;
  #out: Out;

  constructor(out: Out) {
    this.#out = out;
  }

  say(fields: Fields, line: Line): Draft {
    if (fields.severity === 'error') {
      this.errors++;
      return this.#out.failure({ kind: 'build', ...fields }, line);
    }
    this.warnings++;
    return this.#out.warning(fields, line);
  }

  /** The problems of one file, which is named on the line above the first. */
  stylish(first: Line): Block {
    const above = this.#out.back(1);
    const file = above !== undefined && PATH.test(above.text) ? above.text : undefined;
    if (file !== undefined) this.#out.claim(above as Line);
    let last = this.#problem(first, file);
    let lines = 0;
    return {
      line: line => {
        if (PROBLEM.test(line.text)) {
          last = this.#problem(line, file);
          lines = 0;
          return 'more';
        }
        // A message of several lines: its rule stands behind the last of them.
        if (line.text === '' || last.fields.code !== undefined || NEXT.test(line.text)) return undefined;
        if (++lines > MESSAGE_LINES) return undefined;
        const { message, code } = parts(line.text);
        last.fields.message += `\n${message}`;
        if (code !== undefined) last.fields.code = code;
        last.add(line);
        return 'more';
      },
    };
  }

  #problem(line: Line, file: string | undefined): Draft {
    const [, row, column, severity, rest] = PROBLEM.exec(line.text) as unknown as string[];
    const fields: Fields = {
      ...(file === undefined ? { weakId: true } : { file }),
      line: Number(row),
      column: Number(column),
      severity: (severity as string).replace(':', '').toLowerCase(),
      ...parts(rest as string),
    };
    return this.say(fields, line);
  }

  /** A problem that may go on on the next lines, where the formatter puts the rule last. */
  oneLine(line: Line): boolean {
    for (const pattern of ONE_LINE) {
      const found = pattern.exec(line.text)?.groups;
      if (found === undefined) continue;
      const { file, line: row, column, message, severity, rule } = found as Record<string, string>;
      // Stylish leaves out the full stop; the id is to be the same.
      const fields = {
        file,
        line: Number(row),
        column: Number(column),
        message: message?.replace(/\.$/, ''),
        code: rule,
      };
      this.say({ ...fields, severity: (severity as string).toLowerCase() }, line);
      return true;
    }
    return false;
  }

  tally(failed: number, line: Line): 'mine' {
    this.#out.tally({ failed, counted: this.errors }, line);
    this.#out.close();
    this.errors = 0;
    this.warnings = 0;
    return 'mine';
  }
}

export const eslint: Format = {
  name: 'eslint',
  url: 'https://eslint.org/docs/latest/use/formatters/',
  hints: [
    '  error ',
    '31merror',
    '  warning ',
    '33mwarning',
    '[Error',
    '[Warning',
    ', Error - ',
    ', Warning - ',
    '): error ',
    '): warning ',
    ' problem',
    'too many warnings',
    'potentially fixable',
    'Oops! Something went wrong',
  ],
  reader: out => {
    const problems = new Problems(out);
    return {
      line(line) {
        const { text } = line;
        if (PROBLEM.test(text)) return problems.stylish(line);
        const tally = TALLY.exec(text);
        if (tally !== null) return problems.tally(Number(tally[2]), line);
        const count = PROBLEMS.exec(text);
        // Other linters count problems, too.
        if (count !== null)
          return problems.errors + problems.warnings > 0
            ? problems.tally(Number(count[1]) - problems.warnings, line)
            : undefined;
        if (FIXABLE.test(text)) return 'mine';
        if (TOO_MANY.test(text)) {
          out.failure({ kind: 'build', message: text, code: 'max-warnings' }, line);
          return 'mine';
        }
        if (OOPS.test(text)) return oops(line, out);
        return problems.oneLine(line) ? 'mine' : undefined;
      },
    };
  },
};

function oops(first: Line, out: Out): Block {
  const draft = out.failure({ kind: 'build', message: first.text }, first);
  let version = false;
  let said = false;
  let blank = false;
  let lines = 0;
  return {
    line(line) {
      const { text } = line;
      if (++lines > OOPS_LINES || FOREIGN.test(text)) return undefined;
      if (said && blank && !/^(?: {4}at |[A-Z]|$)/.test(text)) return undefined;
      blank = text === '';
      if (VERSION.test(text)) version = true;
      else if (version && !said && text !== '') {
        said = true;
        draft.fields.message = text;
      }
      draft.add(line);
      return 'more';
    },
  };
}
