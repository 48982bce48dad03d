import { readFileSync } from 'node:fs';
import { LogReader } from '/work/main/src/reading/engine.js';
import { serialise } from '/work/main/src/record/write.js';
const run = (o: any) => { const recs: any[] = []; const r = new LogReader(o, x => recs.push(serialise(x))); r.write(readFileSync(process.argv[2])); r.end(); return recs; };
const O = { outcomes: true, warnings: true };
const a = run(O), b = run({ ...O, everyLine: true });
for (const l of a) if (!b.includes(l)) console.log('sieve only', l.slice(0, 400));
for (const l of b) if (!a.includes(l)) console.log('every only', l.slice(0, 400));
