/** aido-baseline as a whole, in-process: records or plain text in, records, state file and exit status out. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'tap';
import { command } from '../../src/baseline/main.js';
import { temporary } from '../support/folder.js';
import { type Answer, call, FakeSignals, type Given } from '../support/world.js';

const failure = (id: string, kind = 'test') =>
  JSON.stringify({ type: 'failure', kind, tool: 't', id, log: { first: 1, last: 1 }, source: 'exact' });
const summary = (more = {}) => JSON.stringify({ type: 'summary', by: 'aido-fail', complete: true, ...more });
const suite = (name?: string, more = {}) =>
  JSON.stringify({
    type: 'suite',
    tool: 't',
    ...(name && { suite: name }),
    result: 'passed',
    agrees: true,
    log: { first: 3, last: 3 },
    ...more,
  });
const unread = (text: string) => JSON.stringify({ type: 'unread', text, log: { first: 1, last: 1 } });
const early = summary({ complete: false, reason: 'failFast' });
const noRun = summary({ complete: false, reason: 'noRun' });
const lines = (...all: string[]) => all.map(line => `${line}\n`).join('');

/** A fresh folder, with a baseline of these ids if there are any. */
function folder(baseline?: string[] | string): string {
  const path = temporary();
  if (baseline === undefined) return path;
  mkdirSync(join(path, '.aidokit'));
  const text = typeof baseline === 'string' ? baseline : JSON.stringify({ version: 1, failures: baseline });
  writeFileSync(join(path, '.aidokit/baseline.json'), text);
  return path;
}

const stored = (path: string) => JSON.parse(readFileSync(join(path, '.aidokit/baseline.json'), 'utf8'));
const records = ({ out }: Answer) =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
const last = (answer: Answer) => records(answer).at(-1);
const aido = (argv: string, cwd: string, input: Given['input'], more: Given = {}) =>
  call(command, argv.split(' '), { cwd, ...(input && { input }), ...more });

test('diff: exit status', async t => {
  const cases: [what: string, argv: string, input: string, status: number, err?: RegExp][] = [
    ['nothing new', 'diff', lines(failure('old'), summary()), 0],
    ['something new', 'diff', lines(failure('new'), summary()), 1],
    ['new in a run that stopped early', 'diff', lines(failure('new'), early), 1],
    ['nothing new in a run that stopped early', 'diff', lines(failure('old'), early), 2, /BAD_INPUT: the run stopped/],
    ['no failure', 'diff', lines(summary()), 0],
    ['nothing at all', 'diff', '', 2, /^aido-baseline: BAD_INPUT: no test run in the input \(is 2>&1 missing\?\)\n$/],
    ['prose', 'diff', 'hello world\n', 2, /BAD_INPUT: no test run/],
    ['nothing at all, and the producer is happy', 'diff --status 0', '', 0],
    ['nothing at all, and it is not', 'diff --status 127', '', 2, /BAD_INPUT: the producer exited with 127/],
    ['no failure, and it is not happy', 'diff --status 1', lines(summary()), 2, /the producer exited with 1 and/],
    ['known failures explain its status', 'diff --status 101', lines(failure('old'), summary()), 0],
    ['negative, as on Windows', 'diff --status -1073741819', lines(failure('old'), summary()), 0],
    ['happy, but the run stopped early', 'diff --status 0', lines(early), 2, /BAD_INPUT: the run stopped/],
    ['records without their end', 'diff', lines(failure('old')), 2, /BAD_INPUT: the input stops/],
    ['two inputs in one', 'diff', lines(failure('old'), summary(), failure('old'), summary()), 0],
    ['two in one, the first was cut', 'diff', lines(early, failure('old'), summary()), 2, /the run stopped/],
    [
      'failures left out',
      'diff',
      lines(summary({ over: 3 })),
      2,
      /3 failures were left out of the input; see aido-fail --max/,
    ],
    ['CRLF and blank lines', 'diff', `\r\n${failure('old')}\r\n\r\n${summary()}\r\n`.trimStart(), 0],
    ['not a record', 'diff', lines(failure('old'), 'oops', summary()), 2, /BAD_INPUT: line 2 is not a JSON object/],
    [
      'not a valid record',
      'diff',
      lines(summary(), '{"type":"failure"}'),
      2,
      /BAD_INPUT: line 2 is not a valid record/,
    ],
    ['fewer failures than its summary says', 'diff', lines(summary({ failures: 4 })), 2, /BAD_INPUT: the input stops/],
    ['one taken out', 'diff', lines(failure('old'), summary({ failures: 2 })), 2, /BAD_INPUT: the input stops/],
    [
      'the producer is happy all the same',
      'diff --status 0',
      lines(summary({ failures: 1 })),
      2,
      /1 failures were left/,
    ],
    ['fewer suites', 'diff', lines(suite('s'), summary({ suites: 2 })), 2, /BAD_INPUT: the input stops/],
    ['as many', 'diff', lines(suite('s'), failure('old'), summary({ suites: 1, failures: 1 })), 0],
    [
      'two in one, one was cut',
      'diff',
      lines(summary({ failures: 1 }), failure('old'), summary({ failures: 0 })),
      2,
      /stops/,
    ],
    [
      'the rest was left out',
      'diff',
      lines(failure('old'), summary({ failures: 3, over: 2 })),
      2,
      /2 failures were left/,
    ],
    [
      'a compiler alone, its status unknown',
      'diff',
      lines(failure('old', 'build'), noRun),
      2,
      /the run ended; say what .*--status/,
    ],
    ['a compiler alone, and its status', 'diff --status 1', lines(failure('old', 'build'), noRun), 0],
    [
      'a compiler alone that was killed',
      'diff --status 137',
      lines(failure('old', 'build'), noRun),
      2,
      /died .* exited with 137/,
    ],
    ['killed, as on Windows', 'diff --status -1073741819', lines(failure('old'), noRun), 2, /died/],
    ['cut, and its status', 'diff --status 1', lines(failure('old')), 2, /BAD_INPUT: the input stops/],
    ['plain, known', 'diff --plain', 'not ok 1 - old\n', 0],
    ['plain, new', 'diff --plain', 'FAIL new\n', 1],
    ['plain, drawn over', 'diff --plain', '50%\rFAIL new\r\n', 1],
    ['plain, green', 'diff --plain', 'ok 1 - old\n', 0],
    ['plain, prose', 'diff --plain', 'hello\n', 2, /BAD_INPUT: no test run/],
    ['plain, nothing', 'diff --plain', '', 2, /BAD_INPUT: no test run/],
  ];
  const path = folder(['old']);
  for (const [what, argv, input, status, err = /^$/] of cases) {
    t.match(await aido(argv, path, input), { status, err }, what);
  }
  t.strictSame(stored(path), { version: 1, failures: ['old'] }, 'diff changes nothing');
  t.strictSame(readdirSync(join(path, '.aidokit')), ['baseline.json']);
});

test('diff: what it writes', async t => {
  const path = folder(['gone', 'old', 's fixed']);
  const foreign = '{"big": 12345678901234567890, "type":"other"}';
  const outcome = '{"type":"outcome","tool":"t","id":"x","result":"passed","log":{"first":2,"last":2}}';
  const input = lines(
    failure('old').replace('}}', '},"extra":1}').replace(',"source":"exact"}', ',"source":"exact","extra":[1]}'),
    foreign,
    suite('s'),
    outcome,
    failure('\u202enew'),
    summary({ failures: 2, bytes: 7, chunks: 1, exactChunks: 1, lines: 5, unread: 1 }),
  );
  const answer = await aido(
    'diff',
    path,
    [...input].map(character => Buffer.from(character)),
  );
  t.equal(
    answer.out,
    lines(
      '{"type":"failure","kind":"test","tool":"t","id":"old","log":{"first":1,"last":1},"source":"exact","baseline":"preExisting","extra":[1]}',
      foreign,
      suite('s'),
      outcome,
      '{"type":"failure","kind":"test","tool":"t","id":"\\u202enew","log":{"first":1,"last":1},"source":"exact","baseline":"new"}',
      '{"type":"fixed","id":"s fixed","evidence":"suite"}',
      '{"type":"absent","id":"gone"}',
      '{"type":"summary","by":"aido-baseline","failures":2,"outcomes":1,"suites":1,"unread":0,"new":1,"preExisting":1,"fixed":1,"absent":1,"complete":true,"lines":5,"bytes":7,"chunks":1,"exactChunks":1}',
    ),
  );
  const cut = await aido('diff', path, lines(suite('s'), summary({ over: 1 })));
  t.notMatch(cut.out, /"fixed","id"/, 'it may be among the failures that were left out');
  // A diff of a diff: what the first one said of its baseline is said anew.
  const again = await aido('diff', folder(['\u202enew']), answer.out);
  t.strictSame(
    records(again).map(({ type, id, baseline }) => [type, id, baseline].filter(Boolean).join(' ')),
    ['failure old new', 'other', 'suite', 'outcome x', 'failure \u202enew preExisting', 'summary'],
  );
});

test('capture', async t => {
  const path = folder();
  const answer = await aido(
    'capture',
    path,
    lines(failure('b'), failure('a'), failure('e', 'build'), failure('e', 'build'), failure('b'), suite(), summary()),
  );
  t.match(records(answer), [{ type: 'summary', by: 'aido-baseline', failures: 5, complete: true }], 'a summary only');
  t.equal(answer.status, 0);
  const text = readFileSync(join(path, '.aidokit/baseline.json'), 'utf8');
  t.equal(
    text,
    '{\n  "version": 1,\n  "failures": [\n    "a",\n    "b",\n    "e"\n  ],\n  "counts": {\n    "e": 2\n  }\n}\n',
  );
  t.strictSame(readdirSync(join(path, '.aidokit')), ['baseline.json'], 'no lock, no temporary file is left');

  await aido('capture', path, lines(failure('c'), summary()));
  t.strictSame(stored(path).failures, ['c'], 'a capture replaces');
  await aido('capture --partial', path, lines(failure('d'), early));
  t.strictSame(stored(path).failures, ['c', 'd'], '--partial adds');

  writeFileSync(join(path, 'log'), 'not ok 1 - from a file\n');
  for (const argv of ['capture --plain log', 'capture --plain --from log', 'capture --plain --from=log --dir other']) {
    t.equal((await aido(argv, path, 'FAIL stdin')).status, 0, argv);
  }
  t.strictSame(stored(path).failures, ['from a file']);
  t.ok(existsSync(join(path, 'other/baseline.json')), '--dir');
  await aido('capture --plain', path, 'FAIL x', { env: { AIDO_DIR: 'env' } });
  t.ok(existsSync(join(path, 'env/baseline.json')), 'AIDO_DIR');
  await aido('capture', path, lines(failure('w').replace('"log"', '"weakId":true,"log"'), summary()));
  t.strictSame(stored(path).weak, ['w']);
  t.equal((await aido('diff', path, lines(failure('c w'), summary()))).status, 0, 'a weak id matches a sole candidate');
});

test('what capture and update refuse, the file untouched', async t => {
  const cases: [what: string, argv: string, input: string, err: RegExp, baseline?: string | null][] = [
    ['stopped early', 'capture', lines(failure('a'), early), /BAD_INPUT: the run stopped/],
    ['a tally that disagrees', 'capture', lines(summary({ complete: false, reason: 'tally' })), /BAD_INPUT: .*count/],
    ['cut', 'update', lines(failure('a')), /BAD_INPUT: the input stops/],
    ['nothing', 'capture', '', /BAD_INPUT: no test run/],
    ['nothing', 'update', '', /BAD_INPUT: no test run/],
    ['nothing, in part', 'capture --partial', '', /BAD_INPUT: no test run/],
    ['green, but the producer is not', 'update --status 1', lines(summary()), /the producer exited with 1/],
    ['left out', 'capture', lines(summary({ over: 1 })), /1 failures were left out/],
    ['not a record', 'capture', lines(summary(), '[]'), /BAD_INPUT: line 2/],
    [
      'nothing was built',
      'capture',
      lines(failure('e', 'build'), summary()),
      /BAD_INPUT: something did not build or died/,
    ],
    [
      'nothing came up',
      'capture',
      lines(failure('e', 'crash'), summary()),
      /BAD_INPUT: something did not build or died/,
    ],
    ['a compiler alone', 'capture', lines(failure('e', 'build'), noRun), /the run ended; say what .* \(--status N\)/],
    ['a compiler that was killed', 'capture --status 137', lines(failure('e', 'build'), noRun), /exited with 137/],
    ['nothing was built', 'update --prune', lines(failure('e', 'build'), summary()), /what is absent is not pruned/],
    ['not all was built', 'update --prune', lines(failure('e', 'build'), suite('s'), summary()), /is not pruned/],
    ['something died', 'update --add --prune', lines(failure('e', 'crash'), suite('s'), summary()), /is not pruned/],
    ['a known end, nothing built', 'update --prune --status 1', lines(failure('e', 'build'), noRun), /is not pruned/],
    ['records cut', 'capture', lines(failure('a'), summary({ failures: 2 })), /BAD_INPUT: the input stops/],
    ['suites cut', 'update', lines(failure('a'), summary({ suites: 2 })), /BAD_INPUT: the input stops/],
    ['a part of which nothing may be added', 'update --partial', lines(early), /BAD_INVOCATION: --partial only adds/],
    [
      'no baseline',
      'update',
      lines(summary()),
      /BAD_INVOCATION: no baseline at \.aidokit\/baseline\.json; make one/,
      null,
    ],
    [
      'no baseline',
      'diff',
      lines(summary()),
      /BAD_INVOCATION: no baseline at \.aidokit\/baseline\.json; make one/,
      null,
    ],
    ['no such file', 'capture none', '', /BAD_INVOCATION: cannot read none: no such file/],
    ['two files', 'capture x y', '', /BAD_INVOCATION: one FILE at a time, not 2/],
    ['a file twice', 'diff --from x y', '', /BAD_INVOCATION: one FILE at a time/],
    ['no command', '--plain', '', /BAD_INVOCATION: a command is missing; the commands are capture, diff, update/],
    ['a wrong command', 'dif', '', /BAD_INVOCATION: unknown command dif; did you mean diff\?/],
    ['a flag of another command', 'diff --add', '', /BAD_INVOCATION: --add is for update only/],
    ['a flag of two others', 'diff --partial', '', /BAD_INVOCATION: --partial is for capture and update only/],
    ...['capture', 'capture --partial', 'diff', 'update'].flatMap((argv): typeof cases => [
      [
        'damaged',
        argv,
        lines(summary()),
        /BAD_STATE: \S+baseline\.json is damaged: .*restore it or delete it\n$/,
        '{"fail',
      ],
      ['of another shape', argv, lines(summary()), /BAD_STATE: \S+ is damaged: baseline\.failures/, '{"failures":{}}'],
      ['no list', argv, lines(summary()), /BAD_STATE: \S+ is damaged: baseline must/, '{"version":1}'],
      ['not an object', argv, lines(summary()), /BAD_STATE/, '[]'],
      ['empty', argv, lines(summary()), /BAD_STATE/, ''],
      ['newer', argv, lines(summary()), /BAD_STATE: \S+ is of version 2, newer than/, '{"version":2,"failures":[]}'],
    ]),
  ];
  for (const [what, argv, input, err, baseline = '{"failures":["b"]}'] of cases) {
    const path = folder(baseline ?? undefined);
    const answer = await aido(argv, path, input);
    t.match(answer, { status: 2, err }, `${argv}: ${what}`);
    t.match(answer.err, /^[^\n]*\n$/, 'one line');
    if (baseline !== null) t.equal(readFileSync(join(path, '.aidokit/baseline.json'), 'utf8'), baseline, 'untouched');
    else t.strictSame(readdirSync(path), [], 'nothing is made');
  }
});

test('update', async t => {
  const path = folder('{"failures":["gone","s fixed","still"]}');
  const input = lines(failure('still'), failure('new'), suite('s', { passed: 1 }), summary());
  const steps: [argv: string, failures: string[]][] = [
    ['update', ['gone', 'still']],
    ['update --add', ['gone', 'new', 'still']],
    ['update --prune', ['new', 'still']],
  ];
  for (const [argv, failures] of steps) {
    const answer = await aido(argv, path, input);
    t.match(answer, { status: 0, err: '' }, argv);
    t.equal(records(answer).length, 1, 'a summary only');
    t.strictSame(stored(path), { version: 1, failures });
  }
  t.match(last(await aido('update', path, input)), { new: 0, preExisting: 2, fixed: 0, absent: 0 });
  await aido('update --partial --add', path, lines(failure('more'), early));
  t.strictSame(stored(path).failures, ['more', 'new', 'still']);
});

test('what could not build', async t => {
  const path = folder(['e', 'gone']);
  const built = lines(failure('e', 'build'), noRun);
  t.match(await aido('capture --status 2', path, built), { status: 0, err: '' }, 'the status vouches for the end');
  t.strictSame(stored(path).failures, ['e']);
  t.match(await aido('diff --status 2', path, built), { status: 0, err: '' }, 'and all is known');
  t.match(await aido('capture --partial', path, lines(failure('f', 'build'), noRun)), { status: 0, err: '' });
  t.strictSame(stored(path).failures, ['e', 'f'], 'in part: only added to');
  t.match(await aido('update --add', path, lines(failure('g', 'build'), summary())), { status: 0, err: '' });
  t.strictSame(stored(path).failures, ['e', 'f', 'g'], 'nothing ran, nothing is removed');
});

test('our own records, however they were written', async t => {
  const text = lines(failure('é new'), summary({ failures: 1 }));
  const big = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const cases: [what: string, bytes: Buffer][] = [
    ['a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['blank lines first', Buffer.from(`\n \r\n\n${text}`)],
    ['both', Buffer.from(`\ufeff\r\n\r\n${text}`)],
    ['UTF-16', Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['UTF-16, big end first', big],
    ['UTF-16, blank lines first', Buffer.from(`\ufeff\r\n${text}`, 'utf16le')],
    ['two files of PowerShell in one', Buffer.from(`\ufeff${text}\ufeff${text}`)],
    ['no line end', Buffer.from(text.trimEnd())],
    ['a first line of 200 KiB', Buffer.from(lines(unread('x'.repeat(200_000))) + text)],
  ];
  for (const [what, bytes] of cases) {
    const expected = [['é new', 'new']];
    for (const size of [1, 3, bytes.length]) {
      if (bytes.length / size > 1e5) continue;
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const answer = await aido('diff', folder([]), chunks);
      t.match(answer, { status: 1, err: '' }, `${what}, ${size} bytes at a time`);
      const found = records(answer).filter(({ type }) => type === 'failure');
      t.strictSame(
        found.slice(0, 1).map(({ id, baseline }) => [id, baseline]),
        expected,
      );
    }
    const path = folder([]);
    writeFileSync(join(path, 'in'), bytes);
    t.match(await aido('diff in', path, ''), { status: 1, err: '' }, `${what}, from a file`);
  }
  const log = Buffer.from(`\ufeff\r\nhello\r\n${text}`, 'utf16le');
  t.match(await aido('diff', folder([]), [log]), { status: 2, err: /no test run/ }, 'a log that holds one is a log');
});

test('nothing is changed before what is said of it was written', async t => {
  for (const argv of ['capture', 'update --add', 'capture --partial']) {
    for (const [code, status] of [
      ['ENOSPC', 2],
      ['EPIPE', 141],
    ] as const) {
      const path = folder(['b']);
      const stdout = new Writable({ write: (_, __, done) => done(Object.assign(new Error(code), { code })) });
      const answer = await aido(argv, path, lines(failure('a'), summary()), { stdout });
      t.equal(answer.status, status, `${argv}: ${code}`);
      t.strictSame(stored(path).failures, ['b'], 'untouched');
      t.strictSame(readdirSync(join(path, '.aidokit')), ['baseline.json']);
    }
  }
});

test('interrupted: it says so, and writes nothing', async t => {
  for (const [argv, signal, status] of [
    ['capture', 'SIGINT', 130],
    ['update', 'SIGTERM', 143],
    ['diff', 'SIGINT', 130],
  ] as const) {
    const path = folder(['b']);
    const [input, signals] = [new PassThrough(), new FakeSignals()];
    const answer = aido(argv, path, input, { signals });
    input.write(lines(failure('a')));
    await new Promise(done => setTimeout(done, 20));
    signals.emit(signal, signal);
    if (signal === 'SIGINT') input.end(lines(summary()));
    const { status: found, err } = await answer;
    t.strictSame([found, err], [status, ''], argv);
    t.match(last(await answer), { type: 'summary', complete: false, reason: 'interrupted' });
    t.strictSame(stored(path).failures, ['b']);
  }
});

test('a raw log is read as aido-fail reads it', async t => {
  const log = (result: string, verdict: string) => `
     Running unittests src/lib.rs (target/debug/deps/demo-0123456789abcdef)

running 2 tests
test breaks ... ${result}
test works ... ok

test result: ${verdict}; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`;
  const red = `${log('FAILED', 'FAILED. 1 passed; 1 failed')}error: test failed, to rerun pass \`--lib\`\nerror: 1 target failed:\n    \`--lib\`\n`;
  const green = log('ok', 'ok. 2 passed; 0 failed');
  const path = folder();
  t.match(await aido('capture', path, red), { status: 0, err: '' });
  t.match(await aido('diff', path, red), { status: 0, err: '' });
  const answer = await aido('diff', path, green);
  t.strictSame(
    records(answer)
      .map(({ type, evidence }) => evidence ?? type)
      .filter(type => type !== 'suite'),
    ['passed', 'summary'],
  );
  t.notOk('outcomes' in last(answer), 'results of single tests are not passed on');
});
