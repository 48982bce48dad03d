/** One test of a file: what it is called, how it ended, how often it was tried. */
import { count, type Fields, lineOf, list, string, strings } from '../shared/json.js';

const SKIPPED = /^(?:pending|skipped|todo|disabled)$/;
/** So many attempts of a test are told. */
const ATTEMPTS = 100;
/** A longer title is cut: what it names is not sure. */
export const TITLE = 4096;

export type Tool = 'jest' | 'vitest';
export type Ended = 'passed' | 'failed' | 'skipped' | 'unended';

export interface Test {
  key: string;
  titles: string[];
  /** Undefined: the report does not tell. */
  result: Ended | undefined;
  errors: string[];
  /** Attempts that failed before the one that counts. */
  before: number;
  no: number;
}

/** @param file that the test stands in */
export function testOf(value: Fields, key: string, tool: Tool, file: string, no: number): Test {
  const above = strings(value.ancestorTitles);
  const titles = [...above, string(value.title)];
  // Vitest 1 begins with the title of the file, which has none; among types that is its path.
  if (tool === 'vitest' && (titles[0] === '' || file.endsWith(`/${titles[0]}`))) titles.shift();
  const result = resultOf(string(value.status), tool, above[0] === '');
  const errors = strings(value.failureMessages);
  const before = tool === 'jest' ? retries(value) : result === 'passed' ? errors.length : 0;
  return { key, titles, result, errors, before: Math.min(before, ATTEMPTS), no: lineOf(value, no) };
}

/** @param old vitest 1, to which what a failed hook left out is pending, too */
function resultOf(status: string, tool: Tool, old: boolean): Test['result'] {
  if (status === 'failed' || status === 'passed') return status;
  if (status === 'pending' && tool === 'vitest' && !old) return 'unended';
  return SKIPPED.test(status) ? 'skipped' : undefined;
}

/** How often a test of jest was tried in vain. */
function retries(value: Fields): number {
  const invocations = count(value.invocations) ?? 1;
  return Math.max(list(value.retryReasons).length, invocations - 1);
}

/** Titles joined as in the ids of logs: in those of jest ` › ` within a title is not told from one between titles. */
export function idOf(titles: readonly string[], tool: Tool): string {
  if (tool === 'vitest') return titles.join(' > ').slice(0, TITLE);
  const parts = titles.join(' › ').split(' › ');
  return parts
    .map(title => title.trim())
    .join(' > ')
    .slice(0, TITLE);
}
