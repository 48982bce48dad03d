import { readFileSync } from 'node:fs';
import { Undresser } from '../src/reading/undress.ts';
import { plainText, lastDrawn } from '../src/reading/controls.ts';
for (const f of process.argv.slice(2)) {
  const b = readFileSync(f);
  const lines = b.toString('utf8').replace(/\n$/, '').split('\n').map(l => l.replace(/\r$/, ''));
  const u = new Undresser();
  let n = 0;
  lines.forEach((l, i) => { const r = u.undress(l, k => lines[i - k]); if (r.stream !== '' || r.text !== lastDrawn(plainText(l))) if (n++ < 4) console.log(f.replace(/.*fixtures./, ''), i + 1, `<${r.stream}>`, JSON.stringify(l.slice(0, 90)), '->', JSON.stringify(r.text.slice(0, 60))); });
}
