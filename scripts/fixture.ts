/**
 * What the readers make of fixtures, beside what they ought to.
 *
 *   node --import tsx scripts/fixture.ts fixtures/cargo/*.log            the records (all of `aido-fail -a -w`)
 *   node --import tsx scripts/fixture.ts --write fixtures/cargo/*.log    writes them beside the logs: review with git diff,
 *                                                                        by hand, against what the tool says
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { answerTo, read, readAny, text } from '../test/support/fixtures.js';

const args = process.argv.slice(2);
const write = args[0] === '--write';
for (const file of write ? args.slice(1) : args) {
  const input = readFileSync(file);
  const records = text(file.endsWith('.log') ? read(input) : readAny(input));
  if (write) writeFileSync(answerTo(file), records);
  else process.stdout.write(args.length > 1 ? `== ${file}\n${records}` : records);
}
