/** Runs aido-fail over a file and says its peak resident set size. */
import { spawnSync } from 'node:child_process';

const { stderr } = spawnSync(
  process.execPath,
  ['--require', new URL('./rss-probe.cjs', import.meta.url).pathname, 'bin/aido-fail', process.argv[2]],
  {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  },
);
process.stdout.write(stderr);
