import { readFileSync, existsSync, readdirSync } from 'node:fs';
import { LogReader } from '/work/main/src/reading/engine.js';
import { Counts } from '/work/main/src/reading/summary.js';
import { serialise } from '/work/main/src/record/write.js';
const dir = process.argv[2], only = process.argv[3];
for (const f of readdirSync(dir).filter(f => f.endsWith('.log') && (!only || f.includes(only)))) {
  const recs: any[] = []; const counts = new Counts();
  const r = new LogReader({ outcomes: true, warnings: true }, x => { counts.add(x); recs.push(x); });
  r.write(readFileSync(`${dir}/${f}`));
  const sum = counts.summary('aido-fail', r.end()) as any;
  const w = `/home/ci/witness/${f.replace('.log', '.txt')}`;
  const want = new Set<string>();
  if (existsSync(w)) for (const l of readFileSync(w, 'utf8').split('\n')) { const m = /^failed \w+ (.*)$/.exec(l); if (m && m[1]) want.add(m[1]); }
  const got = new Set<string>(recs.filter(x => x.type === 'failure' && x.kind === 'test').map(x => x.id));
  const missing = [...want].filter(x => !got.has(x)), extra = [...got].filter(x => !want.has(x));
  const bad = recs.filter(x => x.type === 'suite' && !x.agrees);
  console.log(`${f}: ${got.size}/${want.size} out=${recs.filter(x=>x.type==='outcome').length} ${sum.complete ? 'complete' : sum.reason}${bad.length ? ' DISAGREE ' + JSON.stringify(bad) : ''}`);
  for (const m of missing) console.log('   missing', m);
  for (const m of extra) console.log('   extra', m);
  for (const x of recs) if (x.type === 'unread') console.log('   unread', JSON.stringify(x.text).slice(0, 200));
  for (const x of recs) if (x.type === 'failure' && x.kind !== 'test') console.log('   ', x.kind, x.tool, x.id);
  for (const x of recs) if (x.type === 'failure' && x.tool !== dir.split('/').pop()) console.log('    OTHER TOOL', x.tool, x.id);
  for (const x of recs) if (x.type === 'failure' && x.kind === 'test' && !x.message) console.log('    no message', x.id);
  for (const x of recs) if (x.type === 'failure' && x.kind === 'test' && x.weakId) console.log('    weak', x.id);
}
