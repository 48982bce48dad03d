/** The fixtures of aido-audit: what auditors printed, and what it makes of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../src/audit/main.js';
import { FIXTURES } from './fixtures.js';
import { call } from './world.js';

const INPUT = /\.(?:json|jsonl|txt)$/;

/** What aido-audit says of an input: its records, else its error. */
export interface Told {
  records: string;
  error: string;
}

export async function audit(input: Buffer): Promise<Told> {
  const { out, err } = await call(command, ['--max', '9999'], { input: [input] });
  return { records: out, error: err };
}

/** Where the answer to an input lies: `.ndjson` the records, `.err` the error. */
export const answersTo = (file: string) => ({
  records: file.replace(INPUT, '.ndjson'),
  error: file.replace(INPUT, '.err'),
});

export interface AuditFixture {
  /** `npm/found` */
  name: string;
  auditor: string;
  input: Buffer;
  /** What it ought to say, checked by hand. */
  expected: Told;
}

const HERE = join(FIXTURES, 'audit');
const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The inputs stand in `cases` of each auditor's folder, so that nothing else that made them is taken for one. */
export function auditFixtures(): AuditFixture[] {
  return readdirSync(HERE)
    .sort()
    .flatMap(auditor => {
      const folder = join(HERE, auditor, 'cases');
      const files = existsSync(folder) ? readdirSync(folder).sort() : [];
      return files
        .filter(file => INPUT.test(file))
        .map(file => {
          const { records, error } = answersTo(join(folder, file));
          return {
            name: `${auditor}/${file.replace(INPUT, '')}`,
            auditor,
            input: readFileSync(join(folder, file)),
            expected: { records: textOf(records), error: textOf(error) },
          };
        });
    });
}
