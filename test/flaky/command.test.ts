/** aido-flaky as a whole, in-process: what several runs say of a test, table by table. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { command } from '../../src/flaky/main.js';
import type { AidoRecord, Flaky, Summary } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { temporary } from '../support/folder.js';
import { call } from '../support/world.js';

const log = { first: 1, last: 1 };
const RESULTS = { P: 'passed', F: 'failed', S: 'skipped' } as const;
type Letter = keyof typeof RESULTS;

/** `a` passed: the outcome; `F` also with the failure that makes the run red, `f` an attempt that does not. */
function told(run: string, id: string, letter: string, more: object = {}): object[] {
  const test = { tool: 'pytest', id, ...more, run, log };
  const outcome = { type: 'outcome', ...test, result: RESULTS[letter.toUpperCase() as Letter] };
  return letter === 'F' ? [{ type: 'failure', kind: 'test', ...test, source: 'exact' }, outcome] : [outcome];
}

const ended = (run: string, more: object = {}) => ({ type: 'summary', by: 'aido-fail', run, complete: true, ...more });
const lines = (records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');

/** Each run: what it tells of each test, one letter an attempt. */
function runs(table: Record<string, string>[], more: object = {}): string {
  return lines(
    table.flatMap((tests, i) => {
      const run = `run ${i + 1}`;
      const all = Object.entries(tests).flatMap(([id, letters]) =>
        [...letters].flatMap((letter, n) =>
          told(run, id, letter, letters.length > 1 ? { ...more, attempt: n + 1 } : more),
        ),
      );
      return [...all, ended(run)];
    }),
  );
}

/** The records of a call that must succeed; each is what its schema says. */
async function records(t: Test, input: string, ...argv: string[]): Promise<AidoRecord[]> {
  const { out, err } = await call(command, argv, { input });
  t.equal(err, '');
  const all = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as AidoRecord);
  for (const record of all) t.equal(validate(record), undefined);
  return all;
}

const shown = (all: AidoRecord[]) =>
  all.flatMap(record =>
    'outcomes' in record && 'rate' in record ? [`${record.type} ${record.id} ${record.outcomes}`] : [],
  );

test('letters and verdicts', async t => {
  const cases: [what: string, table: Record<string, string>[], expected: string[]][] = [
    ['passed and failed', [{ a: 'P' }, { a: 'F' }], ['flaky a PF']],
    ['failed in each', [{ a: 'F' }, { a: 'F' }], ['broken a FF']],
    ['passed in each', [{ a: 'P' }, { a: 'P' }], ['stable a PP']],
    ['skipped is neither', [{ a: 'S' }, { a: 'P' }], ['stable a SP']],
    [
      'skipped in each',
      [
        { a: 'S', b: 'P' },
        { a: 'S', b: 'P' },
      ],
      ['stable b PP'],
    ],
    ['failed or skipped', [{ a: 'F' }, { a: 'S' }], ['broken a FS']],
    ['not seen', [{ a: 'P', b: 'P' }, { b: 'P' }, { a: 'F', b: 'P' }], ['flaky a P-F', 'stable b PPP']],
    ['failed once, then not seen', [{ a: 'F', b: 'P' }, { b: 'P' }], ['broken a F-', 'stable b PP']],
    [
      'most often failing first, then by id',
      [
        { c: 'F', b: 'F', a: 'F' },
        { c: 'P', b: 'F', a: 'P' },
        { c: 'P', b: 'P', a: 'P' },
      ],
      ['flaky b FFP', 'flaky a FPP', 'flaky c FPP'],
    ],
    [
      'ids by code point',
      [
        { é: 'F', z: 'F', '😀': 'F', '\uffee': 'F' },
        { é: 'F', z: 'F', '😀': 'F', '\uffee': 'F' },
      ],
      ['broken z FF', 'broken é FF', 'broken \uffee FF', 'broken 😀 FF'],
    ],
    [
      'flaky, broken, stable',
      [
        { c: 'P', b: 'F', a: 'P' },
        { c: 'F', b: 'F', a: 'P' },
      ],
      ['flaky c PF', 'broken b FF', 'stable a PP'],
    ],
    ['a pass at the second attempt', [{ a: 'fP' }], ['flaky a P']],
    ['no pass at any attempt', [{ a: 'fF' }], ['broken a F']],
    ['a run that stays red though an attempt passed', [{ a: 'FP' }], ['flaky a F']],
    ['a failure after a pass', [{ a: 'PF' }], ['flaky a F']],
    ['attempts that agree', [{ a: 'PP' }], ['stable a P']],
    [
      'names that an object has by itself',
      [
        { constructor: 'P', __proto__x: 'F' },
        { constructor: 'F', __proto__x: 'P' },
      ],
      ['flaky __proto__x FP', 'flaky constructor PF'],
    ],
  ];
  for (const [what, table, expected] of cases) {
    const all = await records(t, runs(table), '-a');
    t.strictSame(shown(all), expected, what);
    const count = (type: string) => expected.filter(line => line.startsWith(type)).length;
    t.match(
      all.at(-1),
      {
        type: 'summary',
        by: 'aido-flaky',
        runs: table.length,
        complete: true,
        flaky: count('flaky'),
        broken: count('broken'),
        stable: count('stable'),
      },
      what,
    );
  }
});

test('counts, rate and reasons', async t => {
  const said = (run: string, message: string) => told(run, 'a.py::t', 'F', { message, file: 'a.py', line: 3 });
  const input = lines([
    ...said('1', 'took 31 ms at 0x7f3a, see /tmp/pytest-8/x'),
    ended('1'),
    ...told('2', 'a.py::t', 'P'),
    ended('2'),
    ...said('3', 'took 7 ms at 0x11ce, see /tmp/pytest-9/x'),
    ended('3'),
    ...said('4', 'another\n  thing'),
    ended('4'),
    ...told('5', 'a.py::t', 'S'),
    ended('5'),
    ...told('6', 'a.py::u', 'P'),
    ...told('1', 'a.py::u', 'P'),
    ended('6'),
  ]);
  const [flaky, summary] = await records(t, input);
  t.strictSame(flaky, {
    type: 'flaky',
    tool: 'pytest',
    id: 'a.py::t',
    runs: 6,
    missing: 1,
    passed: 1,
    failed: 3,
    skipped: 1,
    outcomes: 'FPFFS-',
    rate: 0.75,
    rateLow: 0.3006,
    rateHigh: 0.9544,
    file: 'a.py',
    line: 3,
    runsFor95: 3,
    reasons: [
      { message: 'took <duration> at 0x…, see <tmp>/x', count: 2 },
      { message: 'another thing', count: 1 },
    ],
    rerun: 'pytest a.py::t',
  });
  t.strictSame(summary, {
    type: 'summary',
    by: 'aido-flaky',
    runs: 6,
    tests: 2,
    flaky: 1,
    broken: 0,
    stable: 1,
    rerun: ['pytest a.py::t'],
    complete: true,
  });
});

test('one cause is one reason, whatever changes in what it says', async t => {
  const cases: [messages: [string, string], reason: string][] = [
    [
      ['java.lang.Object@5f683daf is not a.b.C$D@61d6015a', 'java.lang.Object@1c2d3e is not a.b.C$D@abcdef0'],
      'java.lang.Object@… is not a.b.C$D@…',
    ],
    [['port 32698 at 1796084987.32', 'port 41001 at 1796084999.1'], 'port <n> at <n>'],
    [['pid 17, id 140567009368704', 'pid 9, id 140567009360000'], 'pid <n>, id <n>'],
    [['at 12:01:07 in /tmp/a1/x', 'at 23:59:59 in /tmp/b2/x'], 'at <time> in <tmp>/x'],
  ];
  for (const [messages, reason] of cases) {
    const input = messages.flatMap((message, i) => [...told(`${i}`, 'a', 'F', { message }), ended(`${i}`)]);
    const [broken] = await records(t, lines(input));
    t.match(broken, { type: 'broken', reasons: [{ message: reason, count: 2 }] }, reason);
  }
  const two = ['me@abcdef.org said 1234', 'you@abcdef.org said 1234'].flatMap((message, i) => [
    ...told(`${i}`, 'a', 'F', { message }),
    ended(`${i}`),
  ]);
  t.equal(((await records(t, lines(two)))[0] as Flaky).reasons?.length, 2, 'but what differs stays');
});

test('tests that fail together', async t => {
  const all = await records(
    t,
    runs([
      { a: 'F', b: 'F', c: 'F', d: 'P', e: 'F', f: 'P', g: 'F' },
      { a: 'P', b: 'P', c: 'F', d: 'F', e: 'P', f: 'F', g: 'F' },
      { a: 'F', b: 'F', c: 'P', d: 'F', e: 'P', f: 'F', g: 'F' },
    ]),
  );
  const group = (id: string) =>
    all.find((record): record is Flaky => record.type === 'flaky' && record.id === id)?.group;
  t.equal(group('a'), group('b'), 'the same two runs');
  t.equal(group('d'), group('f'), 'the same two runs');
  t.not(group('a'), group('d'));
  t.equal(group('c'), undefined, 'no other fails in just these');
  t.equal(group('e'), undefined, 'once is chance');
  t.equal(
    all.find(record => record.type === 'broken' && record.id === 'g' && 'group' in record),
    undefined,
  );
});

test('weak ids', async t => {
  const weak = (run: string, id: string, letter: string) => told(run, id, letter, { weakId: true });
  const cases: [what: string, records: object[], expected: string[]][] = [
    [
      'the sole candidate',
      [...told('1', 'f.js > t', 'F'), ended('1'), ...weak('2', 't', 'P'), ended('2')],
      ['flaky f.js > t FP'],
    ],
    [
      'two candidates: all of that name passed',
      [
        ...told('1', 'f.js > t', 'F'),
        ...told('1', 'g.js > t', 'P'),
        ended('1'),
        ...weak('2', 't', 'P'),
        ...weak('2', 't', 'P'),
        ended('2'),
      ],
      ['flaky f.js > t FP', 'stable g.js > t P-', 'stable t -P'],
    ],
    [
      'two candidates: one of that name passed, it is not known which',
      [...told('1', 'f.js > t', 'F'), ...told('1', 'g.js > t', 'P'), ended('1'), ...weak('2', 't', 'P'), ended('2')],
      ['broken f.js > t F-', 'stable g.js > t P-', 'stable t -P'],
    ],
    [
      'the groups between file and test are not told',
      [
        ...weak('1', 'f.js > t', 'P'),
        ...weak('1', 'f.js > t', 'P'),
        ended('1'),
        ...told('2', 'f.js > a > t', 'F'),
        ...weak('2', 'f.js > t', 'P'),
        ended('2'),
      ],
      ['flaky f.js > a > t PF', 'stable f.js > t PP'],
    ],
    [
      'two candidates: one of that name failed',
      [...told('1', 'f.js > t', 'P'), ...told('1', 'g.js > t', 'P'), ended('1'), ...weak('2', 't', 'F'), ended('2')],
      ['broken t -F', 'stable f.js > t P-', 'stable g.js > t P-'],
    ],
    [
      'two tests of one name in a run are no attempts',
      [
        ...weak('1', 't', 'P'),
        ...weak('1', 't', 'f'),
        ended('1'),
        ...weak('2', 't', 'f'),
        ...weak('2', 't', 'P'),
        ended('2'),
      ],
      ['broken t FF'],
    ],
    [
      'none of them failed, then one did',
      [
        ...weak('1', 't', 'P'),
        ...weak('1', 't', 'P'),
        ended('1'),
        ...weak('2', 't', 'P'),
        ...weak('2', 't', 'f'),
        ended('2'),
      ],
      ['flaky t PF'],
    ],
  ];
  for (const [what, all, expected] of cases) {
    t.strictSame(shown(await records(t, lines(all), '-a')), expected, what);
  }
  const titles = [...told('1', 't', 'P', { tool: 'mocha' }), ...told('1', 't', 'F', { tool: 'mocha' }), ended('1')];
  const twice = [...titles, ...titles.map(record => ({ ...record, run: '2' }))];
  t.strictSame(shown(await records(t, lines(twice))), ['broken t FF'], 'two tests may bear one title');
});

test('passes that only the suite tells of', async t => {
  const suite = (run: string, more: object) => ({
    type: 'suite',
    tool: 'pytest',
    result: 'passed',
    agrees: true,
    run,
    log,
    ...more,
  });
  const red = told('1', 'a.py::t', 'F', { suite: 'a.py' });
  const u = (run: string) => told(run, 'a.py::u', 'P', { suite: 'a.py' });
  const session = (run: string, failed: number, passed: number, more = {}) =>
    suite(run, { failed, passed, skipped: 0, ...more });
  const own = (run: string, failed: number, passed: number, more = {}) =>
    suite(run, { suite: 'a.py', failed, passed, skipped: 0, ...more });
  const skip = told('2', 'a.py::s', 'S', { suite: 'a.py' });
  // `-` that may be a pass stands as `?`.
  const cases: [what: string, second: object[], letter: string][] = [
    ['its suite ended, and counts nothing', [suite('2', { suite: 'a.py' })], '?'],
    ['its suite names all that passed, and not this', [...u('2'), suite('2', { suite: 'a.py', passed: 1 })], '-'],
    ['another suite', [suite('2', { suite: 'b.py' })], '?'],
    ['the session ran as many, and none failed', [session('2', 0, 5)], 'P'],
    ['as many, and another one failed', [...told('2', 'a.py::v', 'F'), session('2', 1, 4)], 'P'],
    ['what it says failed was not read', [session('2', 0, 5, { agrees: false })], '?'],
    ['the session ran fewer', [session('2', 0, 4)], '?'],
    ['the session ran more', [session('2', 0, 6)], '?'],
    ['one was skipped, it is not known which', [session('2', 0, 4, { skipped: 1 })], '?'],
    ['one was skipped, and is named', [...skip, session('2', 0, 4, { skipped: 1 })], 'P'],
    ['its own suite ran as many, the session more', [own('2', 0, 2), session('2', 0, 9)], 'P'],
    ['the session ran as many, its own suite fewer', [own('2', 0, 1), session('2', 0, 5)], '?'],
    ['the run did not end', [session('2', 0, 5), ended('2', { complete: false, reason: 'crash' })], '-'],
  ];
  for (const [what, second, letter] of cases) {
    const summary = second.some(record => 'by' in record) ? [] : [ended('2')];
    const input = lines([...red, ...u('1'), own('1', 1, 1), session('1', 1, 4), ended('1'), ...second, ...summary]);
    const record = (await records(t, input)).find(one => 'id' in one && one.id === 'a.py::t');
    const passed = letter === 'P';
    const expected = { type: passed ? 'flaky' : 'broken', outcomes: `F${passed ? 'P' : '-'}` };
    t.match(record, { ...expected, inferred: passed ? 1 : undefined, unseen: letter === '?' ? 1 : undefined }, what);
  }
});

test('what is a run', async t => {
  const folder = temporary();
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const nameless = (text: string) => text.replace(/"run":"[^"]*",/g, '');
  const [one, two] = [runs([{ a: 'P', b: 'P' }]), runs([{ a: 'F', b: 'P' }])];
  write('1.ndjson', one);
  write('2.ndjson', two);
  write('both.ndjson', runs([{ a: 'P' }, { a: 'F' }]));
  write('plain1.ndjson', nameless(one));
  write('plain2.ndjson', nameless(two));
  write('1.log', 'TAP version 13\nok 1 - a\nok 2 - b\n1..2\n');
  write('2.log', 'TAP version 13\r\nnot ok 1 - a\r\nok 2 - b\r\n1..2\r\n');
  write(
    'from.ndjson',
    nameless(one).replace(/"log"/g, '"from":"1.log","log"') + nameless(two).replace(/"log"/g, '"from":"2.log","log"'),
  );
  write(
    'shards.ndjson',
    runs([{ a: 'P' }]) + runs([{ b: 'P' }]) + runs([{ a: 'F', b: 'P' }]).replaceAll('run 1', 'run 2'),
  );
  const cases: [what: string, argv: string, input: string, expected: string, runs?: number][] = [
    ['each file', '1.log 2.log', '', 'PF'],
    ['also where both name it alike', '1.ndjson 2.ndjson', '', 'PF'],
    ['each name in a file', 'both.ndjson', '', 'PF'],
    ['each name on standard input', '', runs([{ a: 'P' }, { a: 'F' }, { a: 'P' }]), 'PFP'],
    ['standard input beside a file', '1.log -', 'not ok 1 - a\n1..1\n', 'PF'],
    ['parts of one name are one run', 'shards.ndjson', '', 'PF'],
    ['records without a name, each up to its summary', '', nameless(one + two + one), 'PFP'],
    ['the files that records are from', 'from.ndjson', '', 'PF'],
    ['a log and records', 'plain1.ndjson plain2.ndjson', '', 'PF'],
  ];
  for (const [what, argv, input, expected] of cases) {
    const { out, err, status } = await call(command, argv.split(' ').filter(Boolean), { input, cwd: folder });
    t.match({ status, err }, { status: 0, err: '' }, what);
    t.match(JSON.parse(out.split('\n')[0] as string), { type: 'flaky', id: 'a', outcomes: expected }, what);
  }
});

test('a folder is one run: the reports in it, at any depth', async t => {
  const folder = temporary();
  const report = (name: string, ...failed: string[]) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    const tests = ['x', 'y'].map(
      test =>
        `<testcase classname="${name.replace(/.*\//, '')}" name="${test}">${failed.includes(test) ? '<failure/>' : ''}</testcase>`,
    );
    writeFileSync(
      join(folder, name),
      `<testsuite name="a" tests="2" failures="${failed.length}">${tests.join('')}</testsuite>`,
    );
  };
  report('1/one.xml');
  report('1/deep/er/two.xml');
  report('2/one.xml', 'x');
  report('2/deep/er/two.xml');
  writeFileSync(join(folder, '1/pom.xml'), '<?xml version="1.0"?><project><!-- error: failed --></project>');
  writeFileSync(join(folder, '2/notes.txt'), 'FAIL z\n');
  for (const argv of [
    ['1', '2'],
    ['1/', '2/'],
  ]) {
    const { out, err } = await call(command, argv, { cwd: folder });
    t.equal(err, '');
    const [flaky, summary] = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    t.match(flaky, { type: 'flaky', id: 'one.xml.x', outcomes: 'PF' });
    t.match(summary, { runs: 2, tests: 4, flaky: 1, stable: 3, complete: true });
  }
  // A runner that was killed leaves such files: they are no reports of others.
  for (const [name, content] of Object.entries({ empty: '', noise: Buffer.from([0xff, 0, 7, 0x3c, 0x80]) })) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'one.xml'), readFileSync(join(folder, '1/one.xml')));
    writeFileSync(join(folder, name, 'two.xml'), content);
    const { out } = await call(command, ['1', '2', name], { cwd: folder });
    t.match(
      JSON.parse(out.trimEnd().split('\n').at(-1) as string),
      { complete: false, incomplete: [{ run: name }] },
      name,
    );
  }
});

test('what is of no use', async t => {
  const folder = temporary();
  const files: Record<string, string> = {
    one: 'ok 1 - a\nok 2 - b\n1..2\n',
    two: 'not ok 1 - a\nok 2 - b\n1..2\n',
    nothing: '',
    prose: 'hello\nworld\n',
    other: 'ok 1 - x\nok 2 - y\n1..2\n',
    cut: 'ok 1 - a\n1..2\n',
    damaged: `${lines([...told('d', 'a', 'P')])}not a record\n`,
    attempts: lines([...told('1', 'a', 'f', { attempt: 1 }), ...told('1', 'a', 'P', { attempt: 2 }), ended('1')]),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'folder'));
  const flaky = /"type":"flaky".*"id":"a"/;
  const cases: [argv: string, status: number, err: RegExp, out?: RegExp][] = [
    ['one', 2, /^aido-flaky: BAD_INVOCATION: one run shows no test waver; .*\n$/, /^$/],
    ['attempts', 0, /^$/, flaky],
    ['nothing', 2, /^aido-flaky: BAD_INPUT: nothing: no test result could be read in it/],
    ['one two nothing', 2, /^aido-flaky: BAD_INPUT: nothing: no test result/, flaky],
    ['one prose two', 2, /^aido-flaky: BAD_INPUT: prose: no test result/, flaky],
    ['one other two', 2, /^aido-flaky: BAD_INPUT: other: none of its tests is in another run/, flaky],
    ['one other', 2, /^aido-flaky: BAD_INPUT: other: none of its tests/],
    ['one two damaged', 2, /^aido-flaky: BAD_INPUT: damaged: line 2 is not a JSON object \(a record\)\n$/, flaky],
    ['one none', 2, /^aido-flaky: BAD_INVOCATION: cannot read none: no such file or directory\n$/, /^$/],
    ['one folder', 2, /^aido-flaky: BAD_INVOCATION: folder: a folder without reports \(\.xml\)/, /^$/],
    [
      'one two cut',
      0,
      /^$/,
      /"outcomes":"PFP".*\n.*"incomplete":\[{"run":"cut","reason":"truncated"}\].*"complete":false,"reason":"truncated"/,
    ],
    ['-e one two', 1, /^$/, flaky],
    ['-e one one', 0, /^$/, /"flaky":0.*"complete":true/],
    ['-e one cut', 2, /^aido-flaky: BAD_INPUT: cut: the input stops before the run ended/],
    ['--max 0 one two', 0, /^$/, /^{"type":"summary","by":"aido-flaky","over":1,/],
    ['-n 3 one two', 2, /^aido-flaky: BAD_INVOCATION: --runs is for run only\n$/],
    ['run', 2, /^aido-flaky: BAD_INVOCATION: a command is missing: aido-flaky run/],
    ['run -n 101 -- true', 2, /^aido-flaky: BAD_INVOCATION: --runs 101: not a number from 2 to 100\n$/],
    ['run -a', 2, /BAD_INVOCATION: a command is missing/],
  ];
  for (const [argv, status, err, out = /(?:)/] of cases) {
    const answer = await call(command, argv.split(' '), { cwd: folder });
    t.match(answer, { status, err, out }, argv);
    if (answer.out)
      t.equal((JSON.parse(answer.out.trimEnd().split('\n').at(-1) as string) as Summary).type, 'summary', argv);
  }
});

test('-p: text for people, and no command of a CI service', async t => {
  const input = runs(
    [
      { '##[error]x': 'F', a: 'F' },
      { '##[error]x': 'P', a: 'F' },
    ],
    { message: '::error::no\x1b[2J', file: 'a.py', line: 3 },
  );
  const { out, status } = await call(command, ['-p'], { input });
  t.equal(status, 0);
  t.equal(
    out,
    [
      'FLAKY   FP  ## [error]x  a.py:3',
      '        failed 1 of 2 times (9 to 91 %); 5 more runs show it with 95 %',
      '        1 x : :error::no\\u001b[2J',
      'BROKEN  FF  a  a.py:3',
      '        2 x : :error::no\\u001b[2J',
      '1 flaky, 1 broken, 0 stable of 2 tests in 2 runs',
      'the flaky ones again:',
      "    pytest '## [error]x'",
      '',
    ].join('\n'),
  );
});
