/** The line of one test: `test a::b ... ok`, with a test's output before it (`hello test a::b ... FAILED`) or in its middle. */
import type { Result } from '../../../record/types.js';

const DOTS = ' ... ';
const RESULT = /^(ok|FAILED|ignored(?:, .*)?|bench: .*)(?: <\d[\d.]*s>)?$/;
const SUFFIX = / - (?:should panic|compile fail|compile)$/;
const KIND = /^\[[^\]]*\] +/;

export interface Status {
  name: string;
  result: Result;
  /** The name is padded, as libtest-mimic does. */
  padded: boolean;
}

export function statusOf(text: string, wasPadded = false): Status | undefined {
  const dots = text.lastIndexOf(DOTS);
  if (dots < 0) return undefined;
  const result = RESULT.exec(text.slice(dots + DOTS.length))?.[1];
  const start = text.startsWith('test ') ? 0 : text.lastIndexOf('test ', dots);
  if (result === undefined || start < 0) return undefined;
  // TAP repeats what a test prints.
  if (start > 0 && /^\s*# /.test(text)) return undefined;
  const padded = wasPadded || text[start + 5] === ' ' || text[dots - 1] === ' ';
  const name = nameOf(text.slice(start + 5, dots), padded);
  // Behind other text only a plain path is a name.
  if (name === '' || (start > 0 && name.includes(' '))) return undefined;
  return { name, padded, result: result === 'FAILED' ? 'failed' : result.startsWith('ignored') ? 'skipped' : 'passed' };
}

function nameOf(text: string, padded: boolean): string {
  const name = text.trim();
  return padded ? name.replace(KIND, '') : name.replace(SUFFIX, '');
}

/** The test that began on this line and whose output came before its status. */
export function unfinished(text: string): string | undefined {
  if (!text.startsWith('test ') || statusOf(text) !== undefined) return undefined;
  const dots = text.indexOf(DOTS);
  return dots < 0 ? undefined : nameOf(text.slice(5, dots), false);
}
