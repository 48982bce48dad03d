import { readFileSync } from 'node:fs';
import { LogReader } from '../src/reading/engine.js';
import { Counts } from '../src/reading/summary.js';
import { serialise } from '../src/record/write.js';

const counts = new Counts();
const lines: string[] = [];
const reader = new LogReader({}, r => {
  counts.add(r);
  lines.push(serialise(r));
});
reader.write(readFileSync(0));
lines.push(serialise(counts.summary('aido-fail', reader.end())));
process.stdout.write(lines.join('\n') + '\n');
