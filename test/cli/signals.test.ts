/** Readers that go or are slow, and signals: real processes, real pipes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'tap';
import { bash, type Ended, end, env, folder, last, root } from '../support/shell.js';

test('| head -1 ends it quietly', async t => {
  const script = `seq -f 'not ok %.0f - test' 300000 | aido-baseline diff --plain | head -1; echo "\${PIPESTATUS[@]}"`;
  const { out, err } = await end(bash(script));
  const [first = '', statuses = ''] = out.trimEnd().split('\n');
  t.match(JSON.parse(first), { type: 'failure' });
  t.match(statuses, /^\d+ 141 0$/);
  t.equal(err, '');
});

test('nothing is lost behind a slow reader', async t => {
  const { out } = await end(bash(`seq -f 'FAIL test %.0f' 100000 | aido-baseline diff --plain | (sleep 1; wc -l)`));
  t.equal(out.trim(), '100001');
});

/** Starts a pipe, waits for its first output, and calls back. */
async function during(script: string, act: (child: ChildProcess) => void): Promise<Ended> {
  const child = bash(script, { detached: true });
  const ended = end(child);
  child.stdout?.once('data', () => act(child));
  return ended;
}

/** Says something at once, and something more when it is interrupted. */
const producer = `trap 'echo "FAIL late"; kill $!; exit' INT; echo 'FAIL early'; sleep 60 & wait`;
const status = `echo "status \${PIPESTATUS[1]}" >&2`;

test('Ctrl-C: the producer has its say first', async t => {
  const script = `trap : INT; bash -c "${producer.replaceAll('"', '\\"').replaceAll('$', '\\$')}" | aido-baseline diff --plain; ${status}`;
  const { out, err } = await during(script, child => process.kill(-(child.pid as number), 'SIGINT'));
  t.match(err, /^status 130\n$/);
  t.match(out, /"id":"early".*\n.*"id":"late"/);
  t.match(last(out), { type: 'summary', complete: false, reason: 'interrupted', new: 2 });
});

test('a second Ctrl-C ends it at once, SIGTERM the first time', async t => {
  for (const [signals, code, complete] of [
    [['SIGINT', 'SIGINT'], 130, undefined],
    [['SIGTERM'], 143, false],
  ] as const) {
    const tool = spawn(join(root, 'bin/aido-baseline'), ['diff', '--plain'], {
      cwd: folder,
      env,
      stdio: 'pipe',
    });
    const begun = end(tool);
    tool.stdin.write('FAIL early\n');
    await new Promise(done => tool.stdout.once('data', done));
    for (const signal of signals) {
      tool.kill(signal);
      await new Promise(done => setTimeout(done, 100));
    }
    const ended = await begun;
    // A shell says 130 of what SIGINT has ended.
    t.equal(ended.code ?? (tool.signalCode === 'SIGINT' ? 130 : 0), code, signals.join());
    t.equal(ended.err, '');
    if (complete === false) t.match(last(ended.out), { complete, reason: 'interrupted', new: 1 });
    tool.stdin.destroy();
  }
});

test('a file is read no further after Ctrl-C', async t => {
  const script = `trap : INT; seq -f 'FAIL test %.0f' 1000000 >many; aido-baseline diff --plain many | (trap '' INT; exec cat); echo "status \${PIPESTATUS[0]}" >&2`;
  const { out, err } = await during(script, child => process.kill(-(child.pid as number), 'SIGINT'));
  t.equal(err, 'status 130\n');
  t.match(last(out), { complete: false, reason: 'interrupted' });
  t.ok(last(out).new < 1_000_000);
});
