import { readFileSync, readdirSync } from 'node:fs';
import { LogReader } from '/work/main/src/reading/engine.js';
import { Counts } from '/work/main/src/reading/summary.js';
import { serialise } from '/work/main/src/record/write.js';
import { validate } from '/work/main/src/record/validate.js';
import { VARIANTS } from '/work/main/test/support/variants.js';
const run = (log: Buffer, o: any, cuts: number[] = []) => { const recs: any[] = []; const c = new Counts(); const r = new LogReader(o, x => { c.add(x); recs.push(x); }); let f = 0; for (const t of [...cuts, log.length]) { r.write(log.subarray(f, t)); f = t; } recs.push(c.summary('aido-fail', r.end())); return recs; };
const text = (r: any[]) => r.map(x => serialise(x) + '\n').join('');
const facts = (r: any[]) => r.filter(x => x.type !== 'unread' && x.type !== 'summary').map(({ log, ...x }) => JSON.stringify(x)).join('\n');
const O = { outcomes: true, warnings: true };
for (const dir of process.argv.slice(2)) for (const f of readdirSync(dir).filter(f => f.endsWith('.log'))) {
  const log = readFileSync(`${dir}/${f}`);
  const base = run(log, O);
  for (const x of base) { const w = validate(x); if (w) console.log(f, 'INVALID', w, JSON.stringify(x).slice(0, 300)); }
  for (const [v, dress] of Object.entries(VARIANTS)) {
    const d = dress(log); if (!d) continue;
    const a = run(d, O), b = run(d, { ...O, everyLine: true });
    if (text(a) !== text(b)) console.log(f, v, 'SIEVE');
    if (facts(a) !== facts(base)) { console.log(f, v, 'FACTS'); const A = facts(a).split('\n'), B = facts(base).split('\n'); for (const l of A) if (!B.includes(l)) { console.log('  +', l.slice(0, 300)); break; } for (const l of B) if (!A.includes(l)) { console.log('  -', l.slice(0, 300)); break; } }
  }
  if (text(run(log, {})) !== text(run(log, { everyLine: true }))) console.log(f, 'SIEVE no -a');
  const wanted = (r: any[]) => r.filter(x => !['outcome', 'warning', 'summary'].includes(x.type));
  if (text(wanted(run(log, {}))) !== text(wanted(base))) console.log(f, 'A differs');
  if (text(run(log, O, [...log.keys()])) !== text(base)) console.log(f, 'SPLIT');
}
