/** The executables as they are used: real processes, real pipes, real signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Test, test } from 'tap';
import { temporary } from '../support/folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = temporary();
const record = '{"type":"failure","kind":"test","tool":"t","id":"x","log":{"first":1,"last":1},"source":"exact"}';
const summary = '{"type":"summary","by":"aido-fail","complete":true}';
writeFileSync(join(folder, 'red'), 'not ok 1 - new\nok 2 - fine\n');
writeFileSync(join(folder, 'green'), 'ok 1 - fine\n');
writeFileSync(join(folder, 'records'), `${record}\n${summary}\n`);
writeFileSync(join(folder, 'log'), `hello\n${record}\n${summary}\n`);

interface Ended {
  out: string;
  err: string;
  code: number | null;
}

function bash(script: string, options: { detached?: boolean } = {}): ChildProcess {
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}`, AIDO_DIR: join(folder, 'state') };
  return spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

function end(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', data => {
    out += data;
  });
  child.stderr?.on('data', data => {
    err += data;
  });
  return new Promise(done => child.on('close', code => done({ out, err, code })));
}

const last = (out: string) => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
const oneLine = (t: Test, text: string) => t.match(text, /^aido-[a-z]+: [A-Z_]+: [^\n]+\n$/, 'one line');

test('before the rest: a baseline of nothing', async t => {
  t.match(await end(bash('aido-baseline capture --plain green')), { code: 0, err: '' });
});

test('exit status through pipes', async t => {
  const cases: [script: string, code: number, out?: RegExp, err?: RegExp][] = [
    ['aido-baseline diff --plain <green', 0],
    ['aido-baseline diff --plain red', 1, /"id":"new".*"baseline":"new"/],
    ['aido-fail red | aido-baseline diff --dir state', 1, /"baseline":"new"/],
    ['cat red | aido-fail | cat | aido-fail', 0, /"id":"new"/],
    // A folder, nothing, and a producer that could not start are no green run.
    ['aido-fail <.', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read standard input: it is a folder\n$/],
    ['aido-fail .', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read \.: it is a folder\n$/],
    ['aido-fail none', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read none: no such file or directory\n$/],
    ['aido-fail </dev/null', 0, /"complete":false,"reason":"noRun"/],
    ['aido-fail -e </dev/null', 2, /"noRun"/, /^aido-fail: BAD_INPUT: no test run in the input/],
    ['aido-fail <&-', 0, /"noRun"/],
    ['aido-baseline diff </dev/null', 2, /"noRun"/, /^aido-baseline: BAD_INPUT: no test run in the input/],
    ['no-such-tool 2>/dev/null | aido-baseline diff', 2, /"noRun"/, /^aido-baseline: BAD_INPUT: no test run/],
    ['no-such-tool 2>&1 | aido-baseline diff', 1, /no-such-tool.*"baseline":"new"/],
    [
      'no-such-tool >out 2>/dev/null; aido-baseline diff --status $? out',
      2,
      /./,
      /BAD_INPUT: the producer exited with 127/,
    ],
    // pipefail sees the producer before the diff; the form for scripts does not.
    ['set -o pipefail; (cat green; exit 1) | aido-baseline diff --plain', 1, /"new":0/],
    ['(cat red; exit 1) >out; aido-baseline diff --plain --status $? out', 1, /"new":1/],
    ['(cat green; exit 1) >out; aido-baseline diff --plain --status $? out', 2, /"new":0/, /exited with 1 and nothing/],
    ['(cat green; exit 0) >out; aido-baseline diff --plain --status $? out', 0, /"new":0/],
    // Records are ours only if the first line is.
    ['aido-baseline diff records', 1, /"id":"x".*"baseline":"new"/],
    ['aido-baseline diff log', 2, /^(?!.*"id":"x")/s, /BAD_INPUT: no test run/],
    ['aido-fail log', 0, /^(?!.*"id":"x")/s],
    // Not only files and pipes.
    ['aido-baseline diff --plain <(cat red)', 1, /"new":1/],
    ['aido-baseline diff --plain /dev/stdin <red', 1, /"new":1/],
    ['(read -r first; aido-baseline diff --plain) <red', 0, /"new":0/],
    ['aido-baseline diff --plain --tee red 2>&1 >/dev/null', 1, /^not ok 1 - new\nok 2 - fine\n$/],
    ['aido-baseline diff --plain --tee <red 2>&1 >/dev/null', 1, /^not ok 1 - new\nok 2 - fine\n$/],
    // What cannot be written.
    [
      'aido-baseline diff --plain red >/dev/full',
      2,
      /^$/,
      /^aido-baseline: UNAVAILABLE: cannot write to standard output: no space left on device\n$/,
    ],
    ['aido-fail --help >/dev/full', 2, /^$/, /UNAVAILABLE: cannot write to standard output/],
    [
      'AIDO_DIR=/dev/null/x aido-baseline capture --plain red',
      2,
      /^$/,
      /^aido-baseline: (BAD_STATE|UNAVAILABLE): cannot \w+ \/dev\/null\/x/,
    ],
  ];
  for (const [script, code, out = /./, err = /^$/] of cases) {
    const ended = await end(bash(script));
    t.match(ended, { code, out, err }, script);
    if (ended.err) oneLine(t, ended.err);
  }
});

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
      env: { ...process.env, AIDO_DIR: join(folder, 'state') },
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

test('the launcher: through links, and without a build', async t => {
  const away = temporary();
  symlinkSync(join(root, 'bin/aido-fail'), join(away, 'aido-fail'));
  symlinkSync(join(away, 'aido-fail'), join(away, 'renamed'));
  for (const name of ['aido-fail', 'renamed']) {
    t.match(await end(bash(`${join(away, name)} --version`)), { code: 0, out: /^aido-fail \d/, err: '' }, name);
  }
  cpSync(join(root, 'bin'), join(away, 'bin'), { recursive: true });
  const { code, err } = await end(bash(join(away, 'bin/aido-fail')));
  t.equal(code, 2);
  t.match(err, /^aido-fail: UNAVAILABLE: not built yet \(no \S+aido-fail\.cjs\); run 'make' in \S+\n$/);

  cpSync(join(root, 'dist/bin'), join(away, 'dist/bin'), { recursive: true });
  for (const cache of [Buffer.from('of another version'), Buffer.alloc(0), undefined]) {
    if (cache) writeFileSync(join(away, 'dist/bin/aido-fail.cjs.cache'), cache);
    else rmSync(join(away, 'dist/bin/aido-fail.cjs.cache'));
    const script = `NODE_V8_COVERAGE= ${join(away, 'bin/aido-fail')} -V`;
    t.match(await end(bash(script)), { code: 0, out: /^aido-fail \d/, err: '' }, `cache: ${cache}`);
  }
});

test('make install and uninstall', async t => {
  const to = temporary();
  const make = (what: string) => end(bash(`make -s -C '${root}' -o build ${what} PREFIX=/opt/a DESTDIR='${to}'`));
  t.match(await make('install'), { code: 0 });
  t.match(await end(bash(`${to}/opt/a/bin/aido-baseline -V; ls ${to}/opt/a/share/man/man*`)), {
    code: 0,
    out: /^aido-baseline \d.*\baido-baseline\.1\naido-fail\.1\n.*\baido\.7/s,
    err: '',
  });
  t.match(await make('uninstall'), { code: 0 });
  t.equal((await end(bash(`find ${to} ! -type d`))).out, '');
});
