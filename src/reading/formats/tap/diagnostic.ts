/** What a producer of TAP says of a failing test point: a YAML block, comments, or indented text. */
import type { Fields, Line } from '../../format.js';

export interface Said {
  fields: Fields;
  /** node:test: why the test failed (`subtestsFailed`, `hookFailed`, …). */
  failureType?: string;
  /** node:test and tape print these; what a test ran in is known from them. */
  producer?: 'node' | 'tape';
}

const KEY = /^( *)([\w$-]+|'[^']*'|"[^"]*"): ?(.*)$/;
const BLOCK_SCALAR = /^[|>][-+\d]*$/;
const POSITION = /:(\d+)(?::(\d+))?\)?'?$/;
const AT_FILE = /\b(?:fileName|file): ['"]?([^'",}\n]+)/;
const AT_LINE = /\b(?:lineNumber|line): (\d+)/;
const AT_COLUMN = /\b(?:columnNumber|column): (\d+)/;

/** The top-level keys of a YAML block: a reader of what producers of TAP print, not of YAML. */
function keysOf(lines: readonly Line[]): Map<string, string> {
  const keys = new Map<string, string[]>();
  let base = -1;
  let open: string[] = [];
  for (const { text } of lines) {
    const key = KEY.exec(text);
    if (key !== null && base < 0) base = (key[1] as string).length;
    if (key !== null && (key[1] as string).length === base) {
      const value = (key[3] as string).trim();
      open = BLOCK_SCALAR.test(value) || value === '' ? [] : [value];
      keys.set((key[2] as string).replace(/^['"]|['"]$/g, ''), open);
    } else open.push(text.slice(base + 2));
  }
  return new Map([...keys].map(([key, value]) => [key, unquote(value.join('\n').trimEnd())]));
}

const unquote = (text: string): string =>
  /^'[^\n]*'$/.test(text)
    ? text.slice(1, -1).replaceAll("''", "'")
    : /^"[^\n]*"$/.test(text)
      ? text
          .slice(1, -1)
          .replace(/\\n/g, '\n')
          .replace(/\\(["\\])/g, '$1')
      : text;

export function fromYaml(lines: readonly Line[]): Said {
  const keys = keysOf(lines);
  const producer = keys.has('location') || keys.has('duration_ms') ? 'node' : keys.has('operator') ? 'tape' : undefined;
  const failureType = keys.get('failureType');
  const at = keys.get('location') ?? keys.get('at') ?? [...keys].map(([key, value]) => `${key}: ${value}`).join('\n');
  const fields: Fields = { ...place(at), message: messageOf(keys) };
  if (BATS_AT.test(fields.message ?? '')) Object.assign(fields, fromText(lines.slice(1)));
  if (producer === 'node' && fields.file !== undefined) assertion(fields, keys.get('stack') ?? '');
  return { fields, ...(failureType && { failureType }), ...(producer && { producer }) };
}

function messageOf(keys: Map<string, string>): string {
  const said = keys.get('error') ?? keys.get('message') ?? '';
  const more = keys.get('details') ?? '';
  if (said === 'test failed' && keys.has('exitCode')) return `${said} (${exit(keys)})`;
  if (said !== '' || more !== '') return [said, dedent(more.replace(HEADER, ''))].filter(Boolean).join('\n');
  if (keys.has('diff')) return keys.get('diff') as string;
  if (keys.has('expected') || keys.has('actual'))
    return `expected: ${keys.get('expected') ?? ''}\nactual: ${keys.get('actual') ?? ''}`;
  return keys.has('exitCode') || keys.has('signal') ? exit(keys) : '';
}

function exit(keys: Map<string, string>): string {
  const signal = keys.get('signal') ?? 'null';
  return signal === 'null' || signal === '~' ? `exit code ${keys.get('exitCode')}` : `signal ${signal}`;
}

/** ava's only key in its details. */
const HEADER = /^'[^'\n]*': \|[-+\d]*\n/;

const dedent = (text: string): string => text.replace(/^ {2}/gm, '');

/** `f.js:1:2`, `fn (file:///f.js:1:2)`, or a map of file, line and column. */
function place(text: string): Fields {
  const file = AT_FILE.exec(text)?.[1]?.trimEnd();
  const line = AT_LINE.exec(text)?.[1];
  const column = AT_COLUMN.exec(text)?.[1];
  if (file !== undefined)
    return { file, ...(line && { line: Number(line) }), ...(column && { column: Number(column) }) };
  const first = text.split('\n', 1)[0]?.trim() || text.trim();
  return position(first) ?? position(text.trim().split('\n').at(-1) ?? '') ?? {};
}

function position(text: string): Fields | undefined {
  const found = POSITION.exec(text);
  if (found === null) return undefined;
  const before = text.slice(0, found.index);
  const file = before.slice(Math.max(before.lastIndexOf('('), before.lastIndexOf(' ')) + 1).replace(/^'?file:\/\//, '');
  if (!/[\w)\]]$/.test(file) || file.startsWith('node:') || file.includes('/node_modules/')) return undefined;
  return { file, line: Number(found[1]), ...(found[2] !== undefined && { column: Number(found[2]) }) };
}

/** node's `location` is where the test is declared; the stack knows where it failed. */
function assertion(fields: Fields, stack: string): void {
  for (const frame of stack.split('\n')) {
    const found = position(frame.trim());
    if (found?.file !== fields.file) continue;
    Object.assign(fields, found);
    return;
  }
}

const PERL_AT = /^\s*(?:Failed test )?at (\S+) line (\d+)\.?$/;
const PERL_FAILED = /^\s*Failed (?:\(TODO\) )?test\b/;
const BATS_AT = /in test file (.+), line (\d+)/;
const PYTEST_AT = /^(?!\.\.)(\S+\.py):(\d+): /;
const PYTEST_E = /^E {3}/;
const STACK = /^\s*at .*[:(]/;

/** Comments of Test::More, bats and pytest-tap; mocha's indented text. */
export function fromText(lines: readonly Line[]): Fields {
  const texts = lines.map(({ text }) => text.replace(/^\s*# ?/, ''));
  const fields: Fields = {};
  const said: string[] = [];
  for (const text of texts) {
    const at = PERL_AT.exec(text) ?? BATS_AT.exec(text) ?? PYTEST_AT.exec(text);
    if (at !== null) Object.assign(fields, { file: at[1], line: Number(at[2]) });
    else if (!PERL_FAILED.test(text) && !/^\s*\(from function/.test(text)) said.push(text);
  }
  const e = said.filter(text => PYTEST_E.test(text)).map(text => text.slice(4));
  const stack = said.findIndex(text => STACK.test(text));
  fields.message = dedentAll(e.length > 0 ? e : stack > 0 ? said.slice(0, stack) : said);
  return fields;
}

function dedentAll(lines: string[]): string {
  const indents = lines.filter(text => text.trim() !== '').map(text => text.length - text.trimStart().length);
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines
    .map(text => text.slice(indent))
    .join('\n')
    .trim();
}
