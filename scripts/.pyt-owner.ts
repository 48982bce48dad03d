import { readFileSync } from 'node:fs';
import { LogReader } from '/work/main/src/reading/engine.js';
import { FORMATS } from '/work/main/src/reading/formats/index.js';
const formats = FORMATS.map(f => ({ ...f, reader(out: any) { const r = f.reader(out); return { ...({} as any), excuse: r.excuse?.bind(r), end: r.end?.bind(r), line(l: any) { const t = r.line(l); if (t && t !== 'mine') { console.log(f.name, 'BLOCK at', l.no, l.text.slice(0, 80)); let n = 0; return { line(x: any) { const y = t.line(x); n++; if (y !== 'more') console.log(f.name, 'ended', y, 'at', x.no, n); return y; }, end() { t.end?.(); } }; } return t; } }; } }));
const r = new LogReader({ formats }, () => {});
r.write(readFileSync(process.argv[2])); r.end();
