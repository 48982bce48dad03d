import { LogReader } from '/work/main/src/reading/engine.js';
import { pytest } from '/work/main/src/reading/formats/pytest.js';
import { unittest } from '/work/main/src/reading/formats/unittest.js';
import { python } from '/work/main/src/reading/formats/python.js';
for (const [n, f] of [['pytest', [pytest]], ['unittest', [unittest]], ['python', [python]]] as any) for (const [t, fill] of [['error', '-'], ['FAILED', ' '], ['error', '='], ['____', '_'], ['error', '+'], ['error', '!']]) {
  const b = Buffer.from(`${t}${fill.repeat(65000)}${t}\n`); for (let k = 0; k < 3; k++) { const s = performance.now(); const r = new LogReader({ outcomes: true, warnings: true, formats: f }, () => {}); r.write(b); r.end(); if (k === 2) console.log(n, t, fill, (performance.now() - s).toFixed(1)); } }
