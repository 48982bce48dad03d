import { readFileSync } from 'node:fs';
import { Undresser } from '/work/main/src/reading/undress.ts';
for (const f of process.argv.slice(2)) {
  const b = readFileSync(f);
  const text = b[0] === 0xff ? b.toString('utf16le') : b.toString('utf8');
  const lines = text.replace(/\n$/, '').split('\n').map(l => l.replace(/\r$/, ''));
  const u = new Undresser();
  const by = new Map<string, string[]>();
  lines.forEach((l, i) => { const r = u.undress(l, n => lines[i - n]); (by.get(r.stream) ?? by.set(r.stream, []).get(r.stream)!).push(r.text); });
  console.log('=====', f);
  for (const [s, ls] of by) { console.log(`--- <${s}> ${ls.length}`); if (process.env.FULL) console.log(ls.join('\n')); else console.log(ls.slice(0, s === '' ? 14 : 3).map(x => '   ' + x.slice(0, 100)).join('\n')); }
}
