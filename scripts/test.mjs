/**
 * Runs all tests, or the ones given (`node scripts/test.mjs test/base/flags.test.ts`), and says in the last line
 * `N passed, N failed` (and `, N skipped`). Exits as tap does.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const files = process.argv.slice(2).map(file => file.replace(/^(?:dist\/)?(.*)\.ts$/, 'dist/$1.js'));
const coverage = files.length ? ['--disable-coverage'] : [];
const tap = spawn(process.execPath, ['node_modules/tap/dist/esm/run.mjs', ...coverage, ...files], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

// Whoever reads this may go, as `head` does; the status is still to be had.
process.stdout.on('error', () => {});

/** tap's closing line, `# { total: 3, pass: 2, fail: 1 }`, is the last of its kind and stands at the margin. */
let closing = '';
let line = '';
tap.stdout.setEncoding('utf8').on('data', text => {
  process.stdout.write(text);
  const lines = (line + text).split('\n');
  line = lines.pop();
  closing = lines.findLast(each => each.startsWith('# { total: ')) ?? closing;
});

tap.on('close', status => {
  const count = name => Number(new RegExp(`\\b${name}: (\\d+)`).exec(closing)?.[1] ?? 0);
  const skipped = count('skip') + count('todo');
  // Without a closing line, tap itself has failed: that is no success.
  const failed = count('fail') || (closing && status === 0 ? 0 : 1);
  console.log(`${count('pass')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  process.exitCode = status ?? 1;
});
