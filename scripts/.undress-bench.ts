import { Undresser } from '../src/reading/undress.ts';
const cases: Record<string, string[]> = {
  plain: ['test result: FAILED. 3 passed; 1 failed', 'error[E0308]: mismatched types', '    at Object.<anonymous> (/home/ci/a.js:1:2)'],
  github: ['2024-05-01T10:00:00.1234567Z \x1b[31merror\x1b[0m: mismatched types', '2024-05-01T10:00:00.1234567Z ok 12 - works', '2024-05-01T10:00:00.1234567Z src/a.c:1:2: error: x'],
  compose: ['web-1  | error: mismatched types', 'db-1   | FAILED a', 'web-1  | x'],
  colonish: ['WARN foo: error x', 'src/a.c: error x', 'Error: x failed', 'a.b: c: d'],
};
for (const [name, ls] of Object.entries(cases)) {
  const u = new Undresser(); const N = 300000; const back = (k: number) => ls[(k * 7) % ls.length];
  const t = process.cpuUsage();
  for (let i = 0; i < N; i++) u.undress(ls[i % ls.length]!, back);
  console.log(name, (process.cpuUsage(t).user * 1000) / N, 'ns/line');
}
