/**
 * What the readers make of fixtures, beside what they ought to.
 *
 *   node --import tsx scripts/fixture.ts fixtures/cargo/*.log            the records (all of `aido-fail -a -w`)
 *   node --import tsx scripts/fixture.ts --write fixtures/cargo/*.log    writes them beside the logs: review with git diff,
 *                                                                        by hand, against what the tool says
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { LogReader } from '../src/reading/engine.js';
import { Counts } from '../src/reading/summary.js';
import { serialise } from '../src/record/write.js';

const args = process.argv.slice(2);
const write = args[0] === '--write';
for (const file of write ? args.slice(1) : args) {
  const lines: string[] = [];
  const counts = new Counts();
  const reader = new LogReader({ outcomes: true, warnings: true }, record => {
    counts.add(record);
    lines.push(serialise(record));
  });
  reader.write(readFileSync(file));
  lines.push(serialise(counts.summary('aido-fail', reader.end())));
  const text = `${lines.join('\n')}\n`;
  if (write) writeFileSync(file.replace(/\.log$/, '.ndjson'), text);
  else process.stdout.write(args.length > 1 ? `== ${file}\n${text}` : text);
}
