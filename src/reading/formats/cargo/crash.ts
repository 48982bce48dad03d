/** A test process that died: which test it took along, where that can be known, and what was said last. */
import type { Line, Out } from '../../format.js';
import type { Run } from './run.js';
import { suiteOf, type Target } from './target.js';

/** How cargo says that a test process ended. */
export interface Death {
  lines: Line[];
  cause: string;
  /** The test that had begun and not ended, where that can be known. */
  suspect: string | undefined;
}

export function crashOf(target: Target, message: string, name?: string) {
  const suite = suiteOf(target);
  const last = message.slice(message.lastIndexOf('\n') + 1);
  const id = name === undefined ? `${suite}: ${last}` : `${suite} ${name}`;
  return { id, suite, message, ...(name && { name }), ...(!target.crate && { weakId: true as const }) };
}

/** @param run what had been read of the process's tests, if it had not said its tally */
export function sayCrash(out: Out, target: Target, { lines, cause, suspect }: Death, run?: Run): void {
  out.early('crash');
  const name = suspect ?? run?.suspect?.name;
  const panic = name === undefined ? undefined : run?.panicOf(name);
  const last = run?.suspect?.name === name ? run?.suspect?.message : undefined;
  const message = [last ?? panic?.fields.message, cause || 'the process ended before its tests did'];
  const fields = crashOf(target, message.filter(Boolean).join('\n'), name);
  const draft = out.failure({ kind: 'crash', ...panic?.fields, ...fields }, lines[0] as Line);
  for (const line of [...(panic?.lines ?? []), ...lines]) draft.add(line);
}
