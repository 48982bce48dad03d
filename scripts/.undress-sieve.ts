import { read, text } from '../test/support/fixtures.ts';
import { VARIANTS } from '../test/support/variants.ts';
import { readFileSync, readdirSync } from 'node:fs';
let bad = 0;
for (const d of process.argv.slice(2)) for (const f of readdirSync('fixtures/' + d).filter(f => f.endsWith('.log'))) {
  const raw = readFileSync(`fixtures/${d}/${f}`);
  for (const [v, make] of Object.entries(VARIANTS)) { const log = make(raw); if (!log) continue;
    const a = text(read(log)), b = text(read(log, { outcomes: true, warnings: true, everyLine: true }));
    if (a !== b) { bad++; console.log('SIEVE', d, f, v); const x = a.split('\n'), y = b.split('\n'); for (let i = 0; i < y.length; i++) if (x[i] !== y[i]) { console.log('  - ' + x[i]?.slice(0, 250)); console.log('  + ' + y[i]?.slice(0, 250)); break; } }
  }
  const whole = text(read(raw)); for (const step of [1, 7, 4096]) { const cuts = []; for (let i = step; i < raw.length; i += step) cuts.push(i); if (text(read(raw, undefined, cuts)) !== whole) { bad++; console.log('CUT', d, f, step); } }
}
console.log('bad', bad);
