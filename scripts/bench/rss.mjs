/** Runs a tool over a file and says its peak resident set size: `node rss.mjs aido-fail FILE`. */
import { spawnSync } from 'node:child_process';

const { stderr } = spawnSync(
  process.execPath,
  ['--require', new URL('./rss-probe.cjs', import.meta.url).pathname, `bin/${process.argv[2]}`, process.argv[3]],
  {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  },
);
process.stdout.write(stderr);
