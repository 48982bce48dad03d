import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Undresser } from '../src/reading/undress.ts';
const counts = new Map<string, number>(), sample = new Map<string, string>();
const walk = (p: string): string[] => statSync(p).isDirectory() ? readdirSync(p).flatMap(f => walk(join(p, f))) : [p];
let files = 0, lines = 0;
for (const d of process.argv.slice(2)) for (const c of readFileSync(d + '/cases.ndjson', 'utf8').trim().split('\n').map(l => JSON.parse(l))) {
  const f = d + '/' + (c.id ?? c.name); let b = Buffer.from(String(c.input ?? c.log ?? c.text ?? ''));
  if (b.length > 3e6) b = b.subarray(0, 3e6);
  const ls = b.toString('utf8').split('\n').map(l => l.replace(/\r$/, ''));
  files++; lines += ls.length;
  const u = new Undresser(); const seen = new Set<string>();
  ls.forEach((l, i) => { const r = u.undress(l, k => ls[i - k]); if (r.stream !== '') { const kind = r.stream.split('\t').map(s => s.replace(/ .*/, m => /^\S+ /.test(s) ? '' : m)).join('>').slice(0, 20); if (!seen.has(r.stream)) { seen.add(r.stream); const key = kind; counts.set(key, (counts.get(key) ?? 0) + 1); if (seen.size < 6) console.log(f.split('/').slice(-2).join('/'), i + 1, JSON.stringify(r.stream), JSON.stringify(l.slice(0, 100))); } } });
}
console.log(files, lines); 
