/** What a report says of a failure: the parts of the text that pytest prints of it, put together again. */
import type { Fields as Known } from '../../format.js';
import { Report, sameFile } from '../../formats/pytest/report.js';
import { isLibrary } from '../../formats/shared/python-trace.js';
import { at } from '../../report.js';
import { count, type Fields, list, object, string, strings } from '../shared/json.js';

/** So much of it is read. */
const LINES = 2000;
const TEXT = 65_536;

export class Trouble {
  readonly text: string;
  readonly fields: Known;

  /** @param file that the test stands in */
  constructor(report: Fields, file: string) {
    const { longrepr } = report;
    const lines = linesOf(longrepr).slice(0, LINES);
    const told = new Report();
    for (const text of lines) told.add(at(1, text.slice(0, TEXT)));
    const { exact, text } = told.message;
    const crash = object(object(longrepr).reprcrash);
    const message = exact ?? text ?? string(crash.message);
    const place = { ...(file !== '' && { file }), ...crashOf(crash, file), ...told.place(file) };
    this.fields = { ...place, ...(message !== '' && { message }) };
    this.text = [...lines, ...captured(report.sections)].join('\n').slice(0, TEXT);
  }
}

/** Where it was thrown: all that is told with `--tb=line`. */
function crashOf({ path, lineno }: Fields, file: string): Known {
  const line = count(lineno);
  if (string(path) === '' || line === undefined || isLibrary(string(path))) return {};
  return { file: sameFile(string(path), file) ? file : string(path), line };
}

function linesOf(longrepr: unknown): string[] {
  if (typeof longrepr === 'string') return longrepr.slice(0, TEXT).split('\n');
  if (Array.isArray(longrepr)) return [string(longrepr[2])];
  const { chain, reprtraceback } = object(longrepr);
  const links = list(chain).map(list);
  if (links.length === 0) return traceOf(reprtraceback);
  return links.flatMap(([trace, , why]) => [...traceOf(trace), ...(string(why) === '' ? [] : ['', string(why), ''])]);
}

function traceOf(trace: unknown): string[] {
  return list(object(trace).reprentries).flatMap(entry => {
    const data = object(object(entry).data);
    const { path, lineno, message } = object(data.reprfileloc);
    const lines = strings(data.lines).flatMap(line => line.split('\n'));
    if (string(path) === '') return lines;
    const place = `${path}:${Number(lineno)}: ${string(message)}`;
    return data.style === 'short' ? [place, ...lines] : [...argumentsOf(data), ...lines, '', place];
  });
}

function argumentsOf(data: Fields): string[] {
  const named = list(object(data.reprfuncargs).args).map(strings);
  return named.length === 0 ? [] : [...named.map(([name, value]) => `${name} = ${value}`), ''];
}

/** Pairs of a heading and what was printed. */
const captured = (sections: unknown): string[] =>
  list(sections).flatMap(section => {
    const [heading, text] = strings(section);
    return text === undefined ? [] : [`----- ${heading} -----`, text.slice(0, TEXT)];
  });

/** What stands behind a subtest's node id: `[message] (n=1)`. Not `sure`: Python would print it otherwise. */
export function describe(context: Fields, version: number): { text: string; sure: boolean } {
  const message = context.msg === null || context.msg === undefined ? [] : [`[${String(context.msg)}]`];
  const values = Object.entries(object(context.kwargs)).map(
    ([name, value]) => [name, printed(value, version)] as const,
  );
  const words = values.length === 0 ? [] : [`(${values.map(([name, value]) => `${name}=${value ?? '…'}`).join(', ')})`];
  const text = [...message, ...words].join(' ') || '(<subtest>)';
  return { text, sure: values.every(([, value]) => value !== undefined) };
}

/** A value as Python prints it; since pytest 9 the report has it so. */
function printed(value: unknown, version: number): string | undefined {
  if (typeof value === 'string') return version >= 9 ? value : /['\\\n]/.test(value) ? undefined : `'${value}'`;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : undefined;
}
