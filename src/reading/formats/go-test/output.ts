/**
 * What a test said: `    a_test.go:12: message`, its further lines indented four deeper; testify's labelled blocks within.
 * A passing remark (t.Log) and the failure itself (t.Error) look the same, so the most telling one is chosen.
 */
import type { Fields } from '../../format.js';
import { GOROUTINE, place } from './stack.js';

const SAID = /^(\s*)(?:Test\S*: )?([^\s:][^:]*\.go):(\d+): ?(.*)$/;
/** Words that a failure has and a remark has not. */
const TELLING =
  /\b(?:got|want(?:ed)?|expect(?:ed|ing)?|unexpected|errors?|fail(?:ed|ure|s)?|wrong|race detected|mismatch|differs?|diff|invalid|cannot|panic|should|must|not)\b/i;
const LABEL = /^\t([A-Z][A-Za-z ]*):[ ]*\t(.*)$/;
const FURTHER = /^\t {4,}\t(.*)$/;
const RACE = /^race detected during execution of test/;
/** The lines of one test that are kept. */
export const LINES = 400;

interface Said {
  indent: string;
  file: string;
  line: number;
  text: string[];
}

/** `    a_test.go:12: m`, also behind output that had no newline: `hello    a_test.go:12: m`. */
function said(text: string): Said | undefined {
  const glued = text.search(/[^\s] {4}\S+\.go:\d/);
  const [, indent, file, line, rest] = SAID.exec(glued < 0 ? text : text.slice(glued + 1)) ?? [];
  if (indent === undefined || indent === '' || file === undefined) return undefined;
  return { indent, file, line: Number(line), text: [rest as string] };
}

function parse(lines: readonly string[]): Said[] {
  const all: Said[] = [];
  for (const line of lines) {
    const next = said(line);
    const last = all.at(-1);
    if (next !== undefined) all.push(next);
    else if (last?.indent.startsWith('\t') && line.startsWith(`${last.indent}\t`)) last.text.push(line.trim());
    else if (last !== undefined && line.startsWith(`${last.indent}    `))
      last.text.push(line.slice(last.indent.length + 4));
  }
  return all;
}

/** testify: the `Error:` part, then what the author had to add. */
function labelled(text: readonly string[]): string | undefined {
  const parts = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of text) {
    const [, label, first] = LABEL.exec(line) ?? [];
    const further = label === undefined ? FURTHER.exec(line)?.[1] : undefined;
    if (further !== undefined) open?.push(further);
    if (label === undefined) continue;
    open = [first as string];
    parts.set(label, open);
  }
  const error = parts.get('Error');
  const stack = error?.findIndex(line => /^goroutine \d+|^\tPanic stack:/.test(line)) ?? -1;
  const why = stack < 0 ? error : error?.slice(0, stack);
  return why && [...why, ...(parts.get('Messages') ?? [])].map(line => line.trimEnd()).join('\n');
}

/** testify reports from where it noticed; the test's own line stands in its trace. */
function traced(text: readonly string[]): { file: string; line: number } | undefined {
  for (const line of text) {
    const [, file, no] = /^\t(?:Error Trace:| {4,}) *\t(?:.*[\\/])?([^\\/:]+_test\.go):(\d+)$/.exec(line) ?? [];
    if (file !== undefined) return { file, line: Number(no) };
  }
  return undefined;
}

/** Where and why a test failed, by what it said; empty where it said nothing. */
export function reason(lines: readonly string[]): Fields {
  const all = parse(lines);
  const testify = all.find(one => one.text.some(line => line.startsWith('\tError Trace:')));
  const chosen = testify ?? all.find(one => TELLING.test(one.text.join('\n'))) ?? all.at(-1);
  if (chosen === undefined) return {};
  const message = (testify && labelled(testify.text)) ?? chosen.text.join('\n').trim();
  const own = chosen.file !== 'testing.go';
  if (testify && !chosen.file.endsWith('_test.go')) Object.assign(chosen, traced(testify.text));
  const died = chosen.text.findIndex(line => GOROUTINE.test(line));
  if (died >= 0 && !testify)
    return { ...place(chosen.text.slice(died)), message: chosen.text.slice(0, died).join('\n').trim() };
  return { ...(own && { file: chosen.file, line: chosen.line }), ...(message && { message }) };
}

/** Whether the race detector is why the test failed: the report stands somewhere before. */
export const raced = (lines: readonly string[]): boolean => lines.some(line => RACE.test(said(line)?.text[0] ?? ''));

/** An example's `got:` and `want:`. */
export function exampleReason(lines: readonly string[]): Fields {
  const from = lines.indexOf('got:');
  return from < 0 ? {} : { message: lines.slice(from).join('\n').trimEnd() };
}
