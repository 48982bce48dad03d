/** aido-flaky run: real commands, real signals. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { temporary } from '../support/folder.js';
import { bash, end, last } from '../support/shell.js';

/** A test suite that counts its own runs: `wobbly` fails in each second one, and then it exits with 1. */
const SUITE = `#!/bin/sh
n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n >n
echo "TAP version 13"
echo "ok 1 - steady"
if [ $((n % 2)) = 0 ]; then echo "not ok 2 - wobbly" >&2; else echo "ok 2 - wobbly"; fi
echo "1..2"
[ "$n" != "$SLOW" ] || { sleep 60 & echo $! >child; wait; }
[ $((n % 2)) = 1 ]
`;

function project(): string {
  const folder = temporary();
  writeFileSync(join(folder, 'suite'), SUITE);
  chmodSync(join(folder, 'suite'), 0o755);
  return folder;
}

test('runs a command several times', async t => {
  const cases: [argv: string, code: number, outcomes: string | undefined, err: RegExp, more?: object][] = [
    [
      '-- ./suite',
      0,
      'PFP',
      /^aido-flaky: run 1 of 3\naido-flaky: run 2 of 3: 0 tests failed so far, about \d+ s left\naido-flaky: run 3 of 3: 1 test failed so far, about \d+ s left\n$/,
    ],
    ['-e -n 2 -- ./suite', 1, 'PF', /run 2 of 2/],
    ['--until-flaky -- ./suite', 0, 'PF', /run 1 of 100/, { runs: 2 }],
    ['--until-flaky -n 9 -- ./suite', 0, 'PF', /run 2 of 9/, { runs: 2 }],
    ['-n 4 ./suite', 0, 'PFPF', /run 4 of 4/],
    [
      '-n 2 -- sh -c "./suite; exit 3"',
      0,
      'PF',
      /run 2 of 2/,
      { complete: false, incomplete: [{ run: 'run 1', reason: 'tally' }] },
    ],
    [
      '-e -n 2 -- sh -c "echo ok 1 - a; echo 1..2"',
      2,
      undefined,
      /\naido-flaky: BAD_INPUT: run 1: the input stops before the run ended/,
      { complete: false, incomplete: [{ run: 'run 1', reason: 'truncated' }] },
    ],
    [
      '-- ./no-suite',
      2,
      undefined,
      /\naido-flaky: BAD_INVOCATION: cannot run \.\/no-suite: there is no such program\n$/,
    ],
    ['-- ./n', 2, undefined, /\naido-flaky: BAD_INVOCATION: cannot run \.\/n: permission denied\n$/],
    [
      '-- true',
      2,
      undefined,
      /\naido-flaky: BAD_INPUT: run 1: no test result could be read in what true printed; look at it with --keep DIR\n$/,
    ],
  ];
  for (const [argv, code, outcomes, err, more] of cases) {
    const folder = project();
    writeFileSync(join(folder, 'n'), '0');
    const ended = await end(bash(`cd '${folder}'; aido-flaky run ${argv}`));
    t.match(ended, { code, err }, argv);
    if (outcomes)
      t.match(JSON.parse(ended.out.split('\n')[0] as string), { type: 'flaky', id: 'wobbly', outcomes }, argv);
    if (more) t.match(last(ended.out), more, argv);
  }
});

test('no shell sees the command', async t => {
  const folder = project();
  await end(bash(`cd '${folder}'; aido-flaky run -n 2 -- ./suite '$(touch no)' '; touch no' '|' '>no'`));
  t.notOk(existsSync(join(folder, 'no')));
});

test('--keep leaves the logs, which give the same again; nothing else stays', async t => {
  const folder = project();
  const run = await end(
    bash(`cd '${folder}'; mkdir tmp; TMPDIR=$PWD/tmp aido-flaky run -n 3 --keep logs -- ./suite 2>/dev/null`),
  );
  t.strictSame(readdirSync(join(folder, 'logs')), ['run-1.log', 'run-2.log', 'run-3.log']);
  t.strictSame(readdirSync(join(folder, 'tmp')), []);
  t.match(
    readFileSync(join(folder, 'logs/run-2.log'), 'utf8'),
    'ok 1 - steady\nnot ok 2 - wobbly\n1..2\n',
    'both streams, in order',
  );
  t.equal((await end(bash(`cd '${folder}'; aido-flaky logs/*.log`))).out, run.out);
  const again = await end(bash(`cd '${folder}'; aido-flaky run --keep logs -- ./suite`));
  t.match(again, { code: 2, err: /BAD_INVOCATION: \S*logs holds the output of earlier runs; name another folder\n$/ });
  await end(bash(`cd '${folder}'; TMPDIR=$PWD/tmp aido-flaky run -n 2 -- ./suite`));
  t.strictSame(readdirSync(join(folder, 'tmp')), []);
});

test('Ctrl-C stops all of the command, and tells of the runs that ended', async t => {
  for (const [signal, code] of [
    ['INT', 130],
    ['TERM', 143],
  ] as const) {
    const folder = project();
    const script = `cd '${folder}'; mkdir tmp; export SLOW=3 TMPDIR=$PWD/tmp; aido-flaky run -n 5 -- ./suite & tool=$!
      while ! [ -s child ]; do sleep 0.05; done
      kill -${signal} $tool; wait $tool; echo "status $?" >&2; sleep 0.2
      ps -o stat= -p $(cat child) | grep -v Z >&2; ls tmp >&2`;
    // A shell without job control lets what it starts in the background ignore Ctrl-C.
    const { out, err } = await end(bash(`set -m; ${script}`));
    t.match(err, new RegExp(`status ${code}\\n$`));
    t.match(JSON.parse(out.split('\n')[0] as string), { type: 'flaky', id: 'wobbly', outcomes: 'PF' });
    t.match(last(out), { runs: 2, complete: false, reason: 'interrupted' });
  }
});

test('a second Ctrl-C leaves nothing behind, nor does one with --keep of the run that did not end', async t => {
  const folder = project();
  // It ends by no signal that it can hear.
  writeFileSync(join(folder, 'deaf'), "#!/bin/sh\ntrap '' INT TERM\n./suite; echo $$ >child; sleep 30; sleep 30\n");
  chmodSync(join(folder, 'deaf'), 0o755);
  const begin = (argv: string) => `cd '${folder}'; rm -f child n; mkdir -p tmp; export TMPDIR=$PWD/tmp
    aido-flaky run ${argv} & tool=$!; while ! [ -s child ]; do sleep 0.05; done`;
  const twice = `${begin('-- ./deaf')}; kill -INT $tool; sleep 0.1; kill -INT $tool; wait $tool; echo "status $?" >&2; sleep 0.2`;
  const gone = await end(bash(`set -m; ${twice}; ls tmp >&2; ps -o stat= -p $(cat child) | grep -v Z >&2`));
  t.match(gone.err, /status 130\n$/);
  const kept = await end(
    bash(`set -m; export SLOW=2; ${begin('-n 3 --keep logs -- ./suite')}; kill -INT $tool; wait $tool; ls logs`),
  );
  t.match(kept.out, /"reason":"interrupted"}\nrun-1\.log\n$/);
});

test('no place for the logs', async t => {
  const cases: [script: string, err: RegExp][] = [
    [
      'TMPDIR=/none aido-flaky run -- true',
      /^aido-flaky: UNAVAILABLE: cannot write to \/none \(TMPDIR\): no such file/,
    ],
    [
      'aido-flaky run --keep red -- true',
      /^aido-flaky: BAD_INVOCATION: cannot keep the output in \S+red: not a directory\n$/,
    ],
    [
      'aido-flaky run --keep red/x -- true',
      /^aido-flaky: BAD_INVOCATION: cannot keep the output in \S+x: not a directory\n$/,
    ],
    [
      '[ -d /proc/self ] || exit 2; aido-flaky run --keep /proc/x -- true',
      /^(?:aido-flaky: BAD_INVOCATION: cannot keep the output in \/proc\/x: .*\n)?$/,
    ],
  ];
  for (const [script, err] of cases) t.match(await end(bash(script)), { code: 2, err }, script);
});

test('a reader that has gone, and a disk that is full', async t => {
  const folder = project();
  const input = `seq -f '{"type":"outcome","tool":"t","id":"%.0f","result":"failed","run":"a","log":{"first":1,"last":1}}' 3000`;
  const again = input.replace('failed', 'passed').replace('"a"', '"b"');
  const gone = await end(
    bash(`cd '${folder}'; (${input}; ${again}) | aido-flaky --max 3000 | head -1; echo "\${PIPESTATUS[1]}"`),
  );
  t.match(gone, { out: /^{"type":"flaky".*\n141\n$/, err: '' });
  const full = await end(bash(`(${input}; ${again}) | aido-flaky >/dev/full`));
  t.match(full, {
    code: 2,
    err: /^aido-flaky: UNAVAILABLE: cannot write to standard output: no space left on device\n$/,
  });
});
