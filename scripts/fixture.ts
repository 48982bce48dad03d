/**
 * What the readers make of fixtures, beside what they ought to.
 *
 *   node --import tsx scripts/fixture.ts fixtures/cargo/*.log            the records (all of `aido-fail -a -w`)
 *   node --import tsx scripts/fixture.ts --write fixtures/cargo/*.log    writes them beside the logs: review with git diff,
 *                                                                        by hand, against what the tool says
 *
 * Those of fixtures/audit are read by aido-audit, as standard input: `.ndjson` is what it writes, `.err` its error.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { answersTo, audit } from '../test/support/audits.js';
import { answerTo, read, readAny, text } from '../test/support/fixtures.js';

const args = process.argv.slice(2);
const write = args[0] === '--write';
for (const file of write ? args.slice(1) : args) {
  const input = readFileSync(file);
  if (resolve(file).includes('/fixtures/audit/')) {
    const { records, error } = await audit(input);
    if (write) {
      put(answersTo(file).records, records);
      put(answersTo(file).error, error);
    } else process.stdout.write(`== ${file}\n${records}${error}`);
    continue;
  }
  const records = text(file.endsWith('.log') ? read(input) : readAny(input));
  if (write) writeFileSync(answerTo(file), records);
  else process.stdout.write(args.length > 1 ? `== ${file}\n${records}` : records);
}

function put(file: string, text: string): void {
  if (text === '') rmSync(file, { force: true });
  else writeFileSync(file, text);
}
