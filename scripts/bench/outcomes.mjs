/**
 * Records of many runs of the same tests, as `aido-fail -a --run` writes them: `node outcomes.mjs FILE RUNS TESTS`. Two in a
 * hundred tests fail in one run of twenty.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

const [file, runs, tests] = process.argv.slice(2).map((arg, i) => (i ? Number(arg) : arg));
const fd = openSync(file, 'w');
const ids = Array.from({ length: tests }, (_, i) => [`shop::suite_${i % 97}`, `orders::total::case_${i}`]);
for (let run = 0; run < runs; run++) {
  const lines = ids.map(([suite, name], i) => {
    const result = i % 50 === 0 && (run + i) % 20 === 0 ? 'failed' : 'passed';
    const log = { first: i + 10, last: i + 10 };
    return JSON.stringify({
      type: 'outcome',
      tool: 'cargo',
      id: `${suite} ${name}`,
      suite,
      name,
      result,
      run: `run ${run}`,
      log,
    });
  });
  const summary = {
    type: 'summary',
    by: 'aido-fail',
    failures: 0,
    outcomes: tests,
    suites: 0,
    unread: 0,
    run: `run ${run}`,
  };
  lines.push(JSON.stringify({ ...summary, complete: true }), '');
  writeSync(fd, lines.join('\n'));
}
closeSync(fd);
