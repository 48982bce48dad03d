import { read, text } from '../test/support/fixtures.ts';
import { readFileSync, readdirSync } from 'node:fs';
const fixtures = () => readdirSync('fixtures').flatMap(d => readdirSync('fixtures/' + d).filter(f => f.endsWith('.log')).map(f => ({ name: d + '/' + f, log: readFileSync('fixtures/' + d + '/' + f) })));
import { VARIANTS } from '../test/support/variants.ts';
const strip = (s: string, name: string) => s.split('\n').filter(l => !l.includes('"type":"summary"') && !l.includes('"type":"unread"')).map(l => l.replace(/,"log":\{[^}]*\}/, '')).join('\n');
let bad = 0, n = 0;
for (const { name, log } of fixtures()) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue;
  const plain = strip(text(read(log)), '');
  for (const [v, make] of Object.entries(VARIANTS)) {
    const dressed = make(log); if (!dressed || v === 'plain') continue;
    n++;
    const got = strip(text(read(dressed)), v);
    if (got !== plain) { bad++; console.log(name, '|', v); if (process.env.SHOW) { const a = plain.split('\n'), b = got.split('\n'); for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) { console.log('  - ' + a[i]?.slice(0, 200)); console.log('  + ' + b[i]?.slice(0, 200)); break; } } }
  }
}
console.log(bad, 'of', n);
