/** aido-fail as a whole, in-process: what its gate and its flags make of records. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { painter } from '../../src/base/paint.js';
import { command } from '../../src/fail/main.js';
import { pretty } from '../../src/fail/pretty.js';
import type { AidoRecord } from '../../src/record/types.js';
import { temporary } from '../support/folder.js';
import { call } from '../support/world.js';

const log = { first: 1, last: 1 };
const failure = (id: string, more = {}) => ({
  type: 'failure',
  kind: 'test',
  tool: 't',
  id,
  log,
  source: 'exact',
  ...more,
});
const summary = (more = {}) => ({ type: 'summary', by: 'aido-fail', complete: true, ...more });
const lines = (...all: object[]) => all.map(record => `${JSON.stringify(record)}\n`).join('');

test('the gate', async t => {
  const noRun = summary({ complete: false, reason: 'noRun' });
  const cases: [what: string, argv: string, input: string, status: number, err?: RegExp][] = [
    ['something failed', '-e', lines(failure('a'), summary()), 1],
    ['nothing did', '-e', lines(summary()), 0],
    ['what failed was left out', '-e', lines(summary({ failures: 4, over: 4 })), 1],
    ['what failed was taken out', '-e', lines(summary({ failures: 4 })), 1],
    ['suites were taken out', '-e', lines(summary({ suites: 1 })), 2, /BAD_INPUT: the input stops/],
    ['no run', '-e', lines(noRun), 2, /BAD_INPUT: no test run/],
    ['no run, and the producer is not happy', '-e --status 3', lines(noRun), 2, /exited with 3 and nothing/],
    ['negative, as on Windows', '-e --status -1073741819', lines(summary()), 2, /exited with -1073741819 and nothing/],
    ['negative, glued', '--status=-1', lines(failure('a'), summary()), 0],
    ['no number', '--status x', '', 2, /BAD_INVOCATION: --status/],
  ];
  for (const [what, argv, input, status, err = /^$/] of cases) {
    t.match(await call(command, argv.split(' '), { input }), { status, err }, what);
  }
});

test('what was left out or taken out stays counted', async t => {
  const cases: [argv: string, input: string, more: object][] = [
    [
      '--max-failures 0',
      lines(failure('a'), failure('b'), summary({ failures: 2 })),
      { failures: 2, over: 2, complete: true },
    ],
    [
      '--max-failures 1',
      lines(failure('a'), summary({ failures: 3, over: 2 })),
      { failures: 3, over: 2, complete: true },
    ],
    [
      '-a',
      lines(failure('a'), summary({ failures: 3 })),
      { failures: 3, over: 2, complete: false, reason: 'truncated' },
    ],
    ['--status 1', lines(failure('a'), summary({ complete: false, reason: 'noRun' })), { failures: 1, complete: true }],
    [
      '--status 139',
      lines(failure('a'), summary({ complete: false, reason: 'noRun' })),
      { complete: false, reason: 'noRun' },
    ],
  ];
  for (const [argv, input, more] of cases) {
    const { out } = await call(command, argv.split(' '), { input });
    t.match(JSON.parse(out.trimEnd().split('\n').at(-1) ?? ''), more, argv);
  }
});

test('-p: no command of a CI service comes through', t => {
  const commands = [
    '##[error]x',
    '##vso[task.complete result=Failed;]',
    '##VSO[x]',
    '##teamcity[testFailed]',
    '::error::x',
  ];
  for (const text of commands) {
    const records = [
      failure(text, { detail: `${text}\nx ${text}`, message: text }),
      failure('e', { kind: 'build', message: text, file: text, code: text }),
      { type: 'outcome', tool: 't', id: text, result: 'failed', log },
      { type: 'suite', tool: 't', suite: text, result: 'failed', agrees: false, log },
      { type: 'unread', text, log },
    ] as AidoRecord[];
    for (const record of records) {
      const shown = pretty(record, painter(false));
      t.notMatch(shown, /##\w*\[|^\s*::/im, `${record.type}: ${text}`);
      t.match(shown, text.slice(2), 'but all of it is there');
    }
  }
  t.end();
});

test('one damaged input among several: the others are read, it is named, and the summary says so', async t => {
  const folder = temporary();
  const report = (name: string, end: string) =>
    writeFileSync(
      join(folder, name),
      `<testsuite name="a" tests="1" failures="1"><testcase name="${name}"><failure/></testcase>${end}`,
    );
  report('a.xml', '</testsuite>');
  report('b.xml', '</testsuit>');
  report('c.xml', '</testsuite>');
  writeFileSync(join(folder, 'd.ndjson'), `${lines(failure('d'))}no record\n`);
  const { out, err, status } = await call(command, ['a.xml', 'b.xml', 'c.xml', 'd.ndjson'], { cwd: folder });
  const records = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  t.equal(status, 2);
  t.match(err, /^aido-fail: BAD_INPUT: b\.xml: line 1: [^\n]*\n$/);
  t.strictSame(
    records.filter(record => record.type === 'failure').map(record => record.from),
    ['a.xml', 'b.xml', 'c.xml', 'd.ndjson'],
  );
  t.match(records.at(-1), { type: 'summary', failures: 4, complete: false, reason: 'truncated' });
});
