/** The earlier output that `--diff` is given: records of ours, or what the auditors printed then. */
import { AidoError } from '../base/error.js';
import { openInputs } from '../base/input.js';
import type { Interrupts } from '../base/signals.js';
import type { World } from '../base/world.js';
import type { Advisory, AidoRecord, Summary } from '../record/types.js';
import { Findings } from './findings.js';
import { merge, type Scorer } from './merge.js';
import { readInput } from './reading.js';

/**
 * Its advisories.
 * @throws AidoError BAD_INVOCATION: no such file; BAD_INPUT: it does not hold all that was known then
 */
export async function readOld(name: string, score: Scorer, world: World, interrupts: Interrupts): Promise<Advisory[]> {
  if (name === '-') throw new AidoError('BAD_INVOCATION', '--diff reads a file, not standard input');
  const [input] = await openInputs([name], world, interrupts);
  const findings = new Findings();
  const records: AidoRecord[] = [];
  if (!input) return [];
  const { error } = await readInput(input, findings, interrupts, record => records.push(record));
  if (error) throw error;
  const raw = merge(findings.findings, score, false).map(({ record }) => record);
  return records.length > 0 ? [...known(records, name), ...raw] : raw;
}

function known(records: readonly AidoRecord[], name: string): Advisory[] {
  const summaries = records.filter((record): record is Summary => record.type === 'summary');
  const bad = (what: string) => new AidoError('BAD_INPUT', `${name}: ${what}`);
  if (records.at(-1)?.type !== 'summary' || summaries.some(({ by }) => by !== 'aido-audit'))
    throw bad('no output of aido-audit that is whole; its last line is a summary');
  if (summaries.some(({ upgrades }) => upgrades !== undefined))
    throw bad('a plan; --diff needs the advisories (the same without --plan)');
  if (summaries.some(({ over }) => over)) throw bad('not all advisories are in it; make it with a larger --max');
  return records.filter((record): record is Advisory => record.type === 'advisory' && record.status !== 'gone');
}
