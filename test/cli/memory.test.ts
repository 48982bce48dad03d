/** Memory is flat: what a run holds does not depend on how long its log is. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { ROOT } from '../support/fixtures.js';

const { GREEN } = (await import(`${ROOT}/scripts/bench/logs.mjs`)) as { GREEN: ((i: number) => string)[] };

/** One line in a hundred fails, and each failure has a name of its own. */
const line = (i: number): string =>
  i % 100 === 0 ? `test errors::case_${i % 500_000} ... FAILED` : (GREEN[i % GREEN.length] as (i: number) => string)(i);

/** The peak resident set, in MiB, of reading so many megabytes. */
function peak(folder: string, megabytes: number): number {
  const file = join(folder, 'red.log');
  let log = '';
  for (let i = 0; log.length < megabytes * 1e6; i++) log += `${line(i)}\n`;
  writeFileSync(file, log);
  const probe = join(ROOT, 'scripts/bench/rss-probe.cjs');
  // Coverage would keep what it counts.
  const env = { ...process.env, NODE_V8_COVERAGE: '', NODE_OPTIONS: `--require ${probe}` };
  const { stderr, status } = spawnSync(join(ROOT, 'bin/aido-fail'), [file], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  rmSync(file);
  return status === 0 ? Number(/(\d+) MiB/.exec(stderr)?.[1]) : Number.NaN;
}

test('three times the log, at most 20 MiB more', t => {
  const folder = t.testdir();
  const [small, large] = [peak(folder, 60), peak(folder, 180)];
  t.ok(large - small <= 20, `${small} MiB for 60 MB, ${large} MiB for 180 MB`);
  t.end();
});
