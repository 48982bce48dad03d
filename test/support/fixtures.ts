/** The fixtures, and what the reader makes of bytes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LogReader, type ReadOptions } from '../../src/reading/engine.js';
import { Facts } from '../../src/reading/facts.js';
import { Counts } from '../../src/reading/summary.js';
import type { AidoRecord } from '../../src/record/types.js';
import { serialise } from '../../src/record/write.js';

export interface Fixture {
  /** `cargo/green` */
  name: string;
  format: string;
  log: Buffer;
  /** Whether it is a report that a runner wrote for machines; else it is what a tool printed. */
  report: boolean;
  /** The records of `aido-fail -a -w`, checked by hand; undefined where the file is missing. */
  expected: string | undefined;
}

/** The repository, whether a test runs from `test/` or, compiled, from `dist/test/`. */
export const ROOT = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../../' : '../../', import.meta.url),
);
export const FIXTURES = join(ROOT, 'fixtures');

const INPUT = /\.(?:log|xml|json|jsonl)$/;

/** What stands beside an input of a fixture: the answer. */
export const answerTo = (file: string): string => file.replace(INPUT, '.ndjson');

/** All logs. */
export const fixtures = (): Fixture[] => all().filter(({ report }) => !report);

/** All reports. */
export const reports = (): Fixture[] => all().filter(({ report }) => report);

function all(): Fixture[] {
  const found: Fixture[] = [];
  for (const format of readdirSync(FIXTURES).sort()) {
    for (const file of readdirSync(join(FIXTURES, format)).sort()) {
      if (!INPUT.test(file)) continue;
      const path = join(FIXTURES, format, file);
      const answer = answerTo(path);
      found.push({
        name: `${format}/${file.replace(INPUT, '')}`,
        format,
        report: !file.endsWith('.log'),
        log: readFileSync(path),
        expected: existsSync(answer) ? readFileSync(answer, 'utf8') : undefined,
      });
    }
  }
  return found;
}

const ALL: ReadOptions = { outcomes: true, warnings: true };

/** All records, the summary last. `cuts` are the offsets at which the input is split into chunks. */
export const read = (log: Uint8Array, options = ALL, cuts: number[] = []): AidoRecord[] =>
  gathered(say => new LogReader(options, say), log, cuts);

/**
 * The same of a report, or of whatever a tool would be given.
 * @throws AidoError BAD_INPUT
 */
export const readAny = (input: Uint8Array, options = ALL, cuts: number[] = []): AidoRecord[] =>
  gathered(say => new Facts(options, say), input, cuts);

function gathered(
  make: (say: (record: AidoRecord) => void) => Pick<Facts, 'write' | 'end'>,
  input: Uint8Array,
  cuts: readonly number[],
): AidoRecord[] {
  const records: AidoRecord[] = [];
  const counts = new Counts();
  const reader = make(record => {
    counts.add(record);
    records.push(record);
  });
  let from = 0;
  for (const to of [...cuts, input.length]) {
    reader.write(input.subarray(from, to));
    from = to;
  }
  records.push(counts.summary('aido-fail', reader.end()));
  return records;
}

export const text = (records: AidoRecord[]): string => records.map(record => `${serialise(record)}\n`).join('');

/** A small generator of numbers that are the same in every run (mulberry32): a failing property can be run again. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
