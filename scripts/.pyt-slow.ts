import { readFileSync, readdirSync } from 'node:fs';
import { LogReader } from '/work/main/src/reading/engine.js';
import { pytest } from '/work/main/src/reading/formats/pytest.js';
import { unittest } from '/work/main/src/reading/formats/unittest.js';
import { python } from '/work/main/src/reading/formats/python.js';
const F = [' ', 'a', '1', ':', '(', '.', '\t', ' a', 'a:1:', '\x1b[', '| ', '[0] ', '-', '\r', '"', 'FAILED ', 'error: ', '] [', ' ... ', '=', '+', '_', "skipped '", ' exit status', 'a.b::c ', 'PASSED ('];
const trig = new Set<string>([pytest, unittest, python].flatMap(f => [...f.hints, ...(f.outcomeHints ?? [])]));
for (const d of ['pytest', 'unittest', 'python']) for (const f of readdirSync(`fixtures/${d}`).filter(f => f.endsWith('.log'))) for (const l of readFileSync(`fixtures/${d}/${f}`, 'utf8').split('\n').slice(0, 60)) trig.add(l.slice(0, 200));
const t0 = (s: string) => { const b = Buffer.from(s); const t = performance.now(); const r = new LogReader({ outcomes: true, warnings: true, formats: [pytest, unittest, python] }, () => {}); r.write(b); r.end(); return performance.now() - t; };
let worst: [number, string][] = [];
const L = [...trig].filter((_, i) => i % 12 === 0 || [..._].length < 30);
for (const t of L) for (const f of t.length < 24 ? F : F.slice(0, 6).concat(F.slice(17))) for (const pre of ['', '============================= test session starts ==============================\n']) { const s = `${pre}${t}${f.repeat(65000 / f.length)}${t}\n`; const ms = t0(s); if (ms > 15) worst.push([Math.min(ms, t0(s)), JSON.stringify([t.slice(0, 60), f, pre.length])]); }
worst.sort((a, b) => b[0] - a[0]); console.log(trig.size, worst.slice(0, 12));
