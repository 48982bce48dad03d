/** JSON reports: what is one, what is refused, hostile values, where jest ran, attempts, and what it all costs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { AidoError } from '../../../src/base/error.js';
import { Facts } from '../../../src/reading/facts.js';
import { reportOf } from '../../../src/reading/reports/index.js';
import { JsonStream, lineOf } from '../../../src/reading/reports/shared/json.js';
import type { AidoRecord, Failure, Outcome, Suite, Summary } from '../../../src/record/types.js';
import { validate } from '../../../src/record/validate.js';
import { FIXTURES, readAny, text } from '../../support/fixtures.js';

const of = (report: unknown, root?: string): AidoRecord[] =>
  readAny(Buffer.from(typeof report === 'string' ? report : JSON.stringify(report)), {
    outcomes: true,
    warnings: true,
    ...(root !== undefined && { root }),
  });
const summary = (records: AidoRecord[]) => records.at(-1) as Summary;
const failures = (records: AidoRecord[]) => records.filter((r): r is Failure => r.type === 'failure');
const tests = (records: AidoRecord[]) =>
  records
    .filter((r): r is Outcome => r.type === 'outcome')
    .map(({ id, result, attempt, weakId }) => `${id} ${result}${attempt ?? ''}${weakId ? ' weak' : ''}`);
const suites = (records: AidoRecord[]) =>
  records.filter((r): r is Suite => r.type === 'suite').map(({ suite = '', result }) => `${suite} ${result}`);

const jest = (files: object[], more: object = {}) => ({
  numFailedTestSuites: files.length,
  numFailedTests: files.length,
  numPassedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numTotalTestSuites: files.length,
  success: files.length === 0,
  testResults: files,
  ...more,
});
const red = (name: string, frame: string, stack: string) => ({
  assertionResults: [
    { ancestorTitles: ['cart'], title: 'adds', status: 'failed', failureMessages: [`Error: no\n    at f (${stack})`] },
  ],
  message: `  ● cart › adds\n\n    no\n\n      at f (${frame})\n`,
  name,
  status: 'failed',
});
const SMALL: Record<string, string> = {
  jest: JSON.stringify(jest([red('/x/a.test.js', 'a.test.js:1:2', '/x/node_modules/jest-circus/a.js:1:1')])),
  indented: JSON.stringify(jest([red('/x/ü💥.test.js', 'ü💥.test.js:1:2', '/x/node_modules/a.js:1:1')]), null, 2),
  mocha: JSON.stringify({
    stats: { suites: 1, tests: 1, passes: 0, pending: 0, failures: 1 },
    tests: [],
    pending: [],
    failures: [{ title: 'adds', fullTitle: 'cart adds', err: { message: '1 is 2\u{1f4a5}', stack: 'Error: 1 is 2' } }],
    passes: [],
  }),
  playwright: JSON.stringify({
    config: { configFile: '/x/p.config.js', rootDir: '/x/t', version: '1.65.1' },
    suites: [
      {
        title: 'a.spec.js',
        specs: [
          {
            title: 'adds',
            file: 'a.spec.js',
            tests: [
              {
                projectName: 'web',
                expectedStatus: 'passed',
                status: 'flaky',
                results: [{ status: 'failed', errors: [{ message: 'no' }] }, { status: 'passed' }],
              },
            ],
          },
        ],
      },
    ],
    errors: [],
    stats: { expected: 0, unexpected: 0, flaky: 1, skipped: 0 },
  }),
  pytest: [
    { pytest_version: '9.2.0', $report_type: 'SessionStart' },
    { nodeid: 't.py::a', when: 'call', outcome: 'failed', longrepr: 'no', $report_type: 'TestReport' },
    { exitstatus: 1, $report_type: 'SessionFinish' },
  ]
    .map(line => `${JSON.stringify(line)}\n`)
    .join(''),
};

test('what is a report, and what is not', t => {
  for (const [name, report] of Object.entries(SMALL)) t.ok(reportOf(report), name);
  const others = [
    '{"name": "shop", "version": "1.0.0", "config": {"port": "8080"}}',
    '[{"filePath": "/x/a.js", "messages": [], "errorCount": 0}]',
    '{"Time":"2024-01-01T00:00:00Z","Action":"run","Package":"a"}',
    '{"type":"failure","kind":"test","tool":"jest","id":"a","log":{"first":1,"last":1},"source":"exact"}',
    '{"stats": {"suites": 1, "tests": 1, "passes": 1, "testsRegistered": 1}, "results": []}',
    '{"config": {"env": {}}, "status": "finished"}',
    '{"numbers": 1}',
    '{',
    '{"stats": {}}',
  ];
  for (const other of others) t.notOk(reportOf(other), other);
  t.end();
});

test('split at every byte, and cut at every byte', t => {
  for (const [name, report] of Object.entries(SMALL)) {
    const bytes = Buffer.from(report);
    const whole = text(readAny(bytes));
    t.equal(summary(readAny(bytes)).complete, true, name);
    const last = bytes.toString().trimEnd().length === bytes.toString().length ? bytes.length : bytes.length - 1;
    for (let at = 1; at < last; at++)
      if (summary(readAny(bytes.subarray(0, at))).complete) t.fail(`${name} is not whole at ${at}`);
    t.equal(text(readAny(bytes, undefined, Array.from(bytes.keys()))), whole, `${name}, byte by byte`);
  }
  t.end();
});

test('what is no JSON is refused, and what was read before it is said', t => {
  const good = SMALL.jest as string;
  for (const bad of ['}', ']', '{"a" 1}', 'npm install', 'Done', '[]', '1', '"a"', '{"a":tru}', '{"a":"\n"}']) {
    t.throws(() => of(`${good}\n${bad} `), { code: 'BAD_INPUT', message: /^line [23]: / }, bad);
  }
  t.throws(() => of(`${good.slice(0, -1)},"x":${'['.repeat(10_000)}`), { code: 'BAD_INPUT' }, 'nested too deep');
  t.throws(() => of(`${good.slice(0, -1)},"x":${'{"a":'.repeat(10_000)}`), { code: 'BAD_INPUT' }, 'nested too deep');
  t.equal(failures(of(`${good}${good}\n\n${good}`)).length, 1, 'several in a row are read, a failure is said once');
  t.equal(suites(of(`${good}${good}`)).length, 4);
  t.end();
});

/** What was said before it was refused; with what it was refused for. */
const refused = (report: string): [records: AidoRecord[], why: string] => {
  const records: AidoRecord[] = [];
  const facts = new Facts({ outcomes: true }, record => records.push(record));
  try {
    facts.write(Buffer.from(report));
    facts.end();
  } catch (error) {
    return [records, (error as Error).message.split(';')[0] as string];
  }
  return [records, ''];
};

test('what was read before an error is said', t => {
  const lines = (SMALL.pytest as string).trimEnd().split('\n');
  for (const bad of ['null', '[]', 'no JSON', '7', '"x"', '}', '{"a":?}']) {
    const [records, why] = refused([...lines.slice(0, 2), bad, ...lines.slice(2)].join('\n'));
    t.same(tests(records), ['t.py::a failed'], `pytest: ${bad}`);
    t.match(why, /^line 3: no (?:JSON|report)$/, bad);
  }
  // The folder that jest ran in is not known yet: its tests are held.
  const file = { name: '/x/a.test.js', status: 'passed', assertionResults: [{ title: 'fine', status: 'passed' }] };
  const whole = JSON.stringify(jest([file, { name: 'LAST' }]));
  const [records, why] = refused(whole.replace('{"name":"LAST"}', '{"name":?}'));
  t.same([tests(records), why], [['fine passed weak'], 'line 1: no JSON']);
  for (const name of ['jest', 'mocha', 'playwright'])
    t.same(tests(refused(`${SMALL[name]}\nSegmentation fault\n`)[0]), tests(of(SMALL[name])), name);
  t.end();
});

test('what package managers print around a report', t => {
  const npm = '\n> shop@1.0.0 test\n> jest --json\n\n';
  const yarn = 'yarn run v1.22.22\n$ jest --ci --json\n';
  const pnpm = '\n> shop@1.0.0 test /x/shop\n> jest --json\n\n';
  const visit = 'info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.\n';
  const cases: [before: string, after: string][] = [
    [npm, '\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1\n\n'],
    [npm, 'npm ERR! Test failed.  See above for more details.\r\nnpm ERR!\r\n'],
    [yarn, 'Done in 1.24s.\n'],
    [yarn, 'Done in 1.24s.'],
    [yarn, visit],
    [yarn, `error Command failed with exit code 1.\n${visit}`],
    [yarn.replaceAll('\n', '\r\n'), 'Done in 12s.\r\n\r\n'],
    [pnpm, '\u2009ELIFECYCLE\u2009 Test failed. See above for more details.\n'],
    [pnpm, ' ELIFECYCLE  Command failed with exit code 1.\n'],
  ];
  for (const [before, after] of cases) {
    for (const name of ['jest', 'indented', 'mocha', 'playwright']) {
      const bytes = Buffer.from(`${before}${SMALL[name]}\n${after}`);
      const records = readAny(bytes);
      t.same([tests(records), summary(records).complete], [tests(of(SMALL[name])), true], `${name}: ${after}`);
      t.equal(text(readAny(bytes, undefined, Array.from(bytes.keys()))), text(records), `${name}, byte by byte`);
    }
  }
  const { jest: report = '' } = SMALL;
  t.equal(suites(of(`${report}\nDone in 1s.\n${report}`)).length, 4, 'another one may follow');
  t.equal(failures(of(`${report}\nDone in 1s.\n\n\n${report.replaceAll('cart', 'till')}`))[1]?.log.first, 5);
  for (const bad of [
    'Done',
    'Done in the oven',
    'error: no',
    'info',
    'npm',
    'xnpm error',
    `${' '.repeat(200)}Done in 1s.`,
  ])
    t.match(refused(`${yarn}${report}\n${bad}\n`)[1], /^line 4: no JSON$/, bad);
  t.match(refused(`${report.slice(0, -1)}\nDone in 1s.\n`)[1], /^line 2: no JSON$/, 'not in a document');
  t.match(refused(`${report} Done in 1s.\n`)[1], /^line 1: no JSON$/, 'on a line of its own');
  t.end();
});

const tally = (report: unknown): string => {
  const { disagree, reason } = summary(of(report));
  return disagree === undefined ? 'agrees' : `disagrees, ${reason}`;
};
const one = (status: unknown, more: object = {}): object => ({
  name: '/x/a.test.js',
  status: 'passed',
  message: '',
  assertionResults: [{ ancestorTitles: ['a'], title: 'b', status }],
  ...more,
});
const GREEN = { numFailedTestSuites: 0, numFailedTests: 0, numPassedTests: 1, numTotalTests: 1, success: true };
const jestOf = (file: unknown, more: object) => jest([file as object], { ...GREEN, ...more });
const vitestOf = (file: unknown, more: object) => ({ ...jestOf(file, more), numRuntimeErrorTestSuites: undefined });
const mochaOf = (passes: unknown[], stats: object) => ({
  stats: { suites: 1, tests: 1, passes: 1, pending: 0, failures: 0, ...stats },
  tests: [],
  pending: [],
  failures: [],
  passes,
});
const B = { title: 'b', fullTitle: 'a b', currentRetry: 0, err: {} };
const spec = (title: string, tested: unknown) => ({ title, file: 'a.spec.js', tests: [tested] });
const played = (status: unknown, ...results: unknown[]) => ({ expectedStatus: 'passed', status, results });
const playwrightOf = (specs: unknown[], stats: object, suites: object[] = []) => ({
  config: { configFile: '/x/p.config.js', rootDir: '/x', version: '1.65.1' },
  suites: [{ title: 'a.spec.js', file: 'a.spec.js', specs, suites }],
  errors: [],
  stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 0, ...stats },
});
const PASSED = played('expected', { status: 'passed' });
const pytestOf = (...reports: object[]) =>
  [
    { pytest_version: '9.2.0', $report_type: 'SessionStart' },
    ...reports.map(report => ({ nodeid: 't.py::a', $report_type: 'TestReport', ...report })),
    { exitstatus: 0, $report_type: 'SessionFinish' },
  ]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');

test('every count of the runner is held against what was read', t => {
  const skipped = [
    { title: 'b', status: 'skipped' },
    { title: 'c', status: 'todo' },
  ];
  const two = one('', {
    assertionResults: [...(one('passed') as { assertionResults: object[] }).assertionResults, ...skipped],
  });
  const cases: [name: string, report: unknown, agrees: boolean][] = [
    ['jest', jestOf(one('passed'), {}), true],
    ['jest: passed', jestOf(one('passed'), { numPassedTests: 9 }), false],
    ['jest: pending', jestOf(one('passed'), { numPendingTests: 1 }), false],
    ['jest: todo', jestOf(one('passed'), { numTodoTests: 1 }), false],
    ['jest: all', jestOf(one('passed'), { numTotalTests: 2 }), false],
    ['jest: not told', jestOf(one('passed'), { numPassedTests: undefined, numTotalTests: undefined }), true],
    ['jest: no number', jestOf(one('passed'), { numPassedTests: null }), false],
    ['jest: pending is not passed', jestOf(one('pending'), { numPendingTests: 0 }), false],
    ['jest: pending', jestOf(one('pending'), { numPassedTests: 0, numPendingTests: 1 }), true],
    ['vitest', vitestOf(two, { numTotalTests: 3, numPendingTests: 1, numTodoTests: 1 }), true],
    ['vitest 2.0', vitestOf(two, { numTotalTests: 3, numPassedTests: 3, numPendingTests: 0, numTodoTests: 1 }), true],
    [
      'vitest: passed',
      vitestOf(two, { numTotalTests: 3, numPassedTests: 9, numPendingTests: 1, numTodoTests: 1 }),
      false,
    ],
    ['vitest: pending', vitestOf(two, { numTotalTests: 3, numPendingTests: 4, numTodoTests: 1 }), false],
    ['vitest: pending', vitestOf(two, { numTotalTests: 3, numPendingTests: 0, numTodoTests: 1 }), false],
    ['vitest: all', vitestOf(two, { numTotalTests: 4, numPendingTests: 1, numTodoTests: 1 }), false],
    ['mocha', mochaOf([B], {}), true],
    ['mocha: passed', mochaOf([B], { passes: 9 }), false],
    ['mocha: pending', mochaOf([B], { pending: 1 }), false],
    ['playwright', playwrightOf([spec('b', PASSED)], {}), true],
    ['playwright: passed', playwrightOf([spec('b', PASSED)], { expected: 9 }), false],
    ['playwright: skipped', playwrightOf([spec('b', PASSED)], { skipped: 1 }), false],
    ['playwright: flaky', playwrightOf([spec('b', PASSED)], { expected: 0, flaky: 1 }), false],
  ];
  for (const [name, report, agrees] of cases) t.equal(tally(report), agrees ? 'agrees' : 'disagrees, tally', name);
  t.end();
});

test('of what has no known status nothing is said, and the counts do not agree', t => {
  for (const status of [null, 'exploded', 7, '', undefined, {}]) {
    const name = JSON.stringify(status);
    const cases: [name: string, report: unknown, said?: string[]][] = [
      ['jest', jestOf(one(status), {})],
      ['jest, which counts nothing', jestOf(one(status), { numPassedTests: 0, numTotalTests: 0 })],
      [
        'jest, red',
        jestOf(one(status, { status: 'failed' }), { numFailedTests: 1, numFailedTestSuites: 1, success: false }),
      ],
      ['vitest', vitestOf(one(status), {})],
      ['playwright', playwrightOf([spec('b', played(status, { status: 'passed' }))], {})],
      ['playwright, an attempt', playwrightOf([spec('b', played('expected', { status }))], {})],
      ['playwright, expected', playwrightOf([spec('b', { ...PASSED, expectedStatus: status })], {})],
      [
        'playwright, what fails has failed',
        playwrightOf([spec('b', { ...played('unexpected', { status: 'failed' }), expectedStatus: status })], {
          expected: 0,
          unexpected: 1,
        }),
        ['a.spec.js > b failed'],
      ],
      [
        'playwright, the first of two',
        playwrightOf([spec('b', played('flaky', { status }, { status: 'passed' }))], { expected: 0, flaky: 1 }),
        ['a.spec.js > b passed2'],
      ],
      ['pytest', pytestOf({ when: 'call', outcome: status }, { when: 'teardown', outcome: 'passed' })],
      ['pytest, a subtest', pytestOf({ when: 'call', outcome: status, '_subtest.context': { msg: 'm', kwargs: {} } })],
    ];
    for (const [format, report, said = []] of cases) {
      const what = `${format}: ${name}`;
      t.equal(tally(report), 'disagrees, tally', what);
      t.same(tests(of(report)), said, what);
      t.equal(failures(of(report)).length, said.filter(one => one.endsWith(' failed')).length, what);
      t.same(
        suites(of(report)).filter(suite => /^\S/.test(suite)),
        [],
        `${what}: its file neither`,
      );
    }
  }
  for (const item of [null, 7, 'x', []]) {
    const name = JSON.stringify(item);
    const cases: [name: string, report: unknown, said?: string[]][] = [
      ['jest', jestOf(one('', { assertionResults: [item] }), {})],
      ['jest, a file', jestOf(item, {})],
      ['vitest', vitestOf(one('', { assertionResults: [item] }), {})],
      ['mocha', mochaOf([item], {})],
      ['mocha, one more', mochaOf([B, item], {}), ['a b passed']],
      ['playwright, a test', playwrightOf([spec('b', item)], {})],
      ['playwright, a spec', playwrightOf([spec('b', PASSED), item], {}), ['a.spec.js > b passed']],
      ['playwright, a suite', playwrightOf([spec('b', PASSED)], {}, [item as object]), ['a.spec.js > b passed']],
      ['playwright, an error', { ...playwrightOf([spec('b', PASSED)], {}), errors: [item] }, ['a.spec.js > b passed']],
      ['playwright, a result', playwrightOf([spec('b', played('expected', item))], {})],
    ];
    for (const [format, report, said = []] of cases) {
      t.equal(tally(report), 'disagrees, tally', `${format}: ${name}`);
      t.same([tests(of(report)), failures(of(report))], [said, []], `${format}: ${name}`);
    }
  }
  t.end();
});

test('that no file was found is said of an empty list only', t => {
  const none = 'No test files found, exiting with code 1';
  const cases: [name: string, list: unknown, count: number, found: string[], reason: string][] = [
    ['empty', [], 0, [none], 'noRun'],
    ['empty, but something was counted', [], 1, [], 'tally'],
    ['null', null, 1, [], 'tally'],
    ['null, and nothing was counted', null, 0, [], 'tally'],
    ['an object', { a: 1 }, 1, [], 'tally'],
    ['text', 'x', 1, [], 'tally'],
    ['none', undefined, 1, [], 'tally'],
  ];
  for (const [name, testResults, count, found, reason] of cases) {
    const counts = { numPassedTests: count, numTotalTests: count, numTotalTestSuites: 0 };
    const records = of(jest([], { ...counts, success: false, testResults }));
    t.same([failures(records).map(({ message }) => message), summary(records).reason], [found, reason], name);
  }
  t.end();
});

test('two tests under one id are weak, and both failures are told', t => {
  const failed = (message: string) => played('unexpected', { status: 'failed', errors: [{ message }] });
  const inner = [{ title: 'a', specs: [spec('b', failed('first')), spec('c', PASSED)] }];
  for (const title of ['a > b', 'a › b', 'a ›  b ']) {
    const records = of(playwrightOf([spec(title, failed('second'))], { unexpected: 2 }, inner));
    t.same(
      tests(records),
      ['a.spec.js > a > b failed weak', 'a.spec.js > a > b failed weak', 'a.spec.js > a > c passed'],
      title,
    );
    t.same(
      failures(records).map(({ message }) => message),
      ['second', 'first'],
      title,
    );
    t.notOk(summary(records).disagree, title);
  }
  const twice = playwrightOf([spec('b', failed('x'))], { expected: 0, unexpected: 2 });
  t.equal(failures(of({ ...twice, suites: [...twice.suites, ...twice.suites] })).length, 2, 'one file twice');
  t.end();
});

test('attempts of pytest-retry', t => {
  const [first, last, end] = [
    ['call', 'retried'],
    ['call', 'passed'],
    ['teardown', 'passed'],
  ];
  const report = pytestOf(...[first, last, end].map(([when, outcome]) => ({ when, outcome })));
  t.same([tests(of(report)), tally(report)], [['t.py::a failed1', 't.py::a passed2'], 'agrees']);
  t.end();
});

test('a long message has its place at its end', t => {
  const stack = `Error: ${'long '.repeat(40_000)}\n${'more\n'.repeat(20_000)}    at f (/r/t/a.test.js:3:5)\n    at g (/r/node_modules/jest/x.js:1:1)`;
  const shown = stack.replace('/r/t/', 't/').replaceAll(/^/gm, '    ');
  const bad = { ancestorTitles: ['a'], title: 'b', status: 'failed', failureMessages: [stack] };
  const file = {
    name: '/r/t/a.test.js',
    status: 'failed',
    message: `  ● a › b\n\n${shown}\n`,
    assertionResults: [bad],
  };
  const counts = { ...GREEN, numFailedTestSuites: 1, numFailedTests: 1, numPassedTests: 0, success: false };
  const mocha = {
    ...mochaOf([], { passes: 0, failures: 1 }),
    failures: [{ ...B, file: '/r/t/a.test.js', err: { stack } }],
  };
  const cases: [name: string, report: unknown, file: string][] = [
    ['jest', jestOf(file, counts), 't/a.test.js'],
    ['jest, without a message', jestOf({ ...file, message: '' }, counts), '/r/t/a.test.js'],
    ['vitest', vitestOf({ ...file, message: '' }, counts), '/r/t/a.test.js'],
    ['mocha', mocha, '/r/t/a.test.js'],
  ];
  for (const [name, report, file] of cases) {
    const [failure] = failures(of(report));
    t.match(failure, { file, line: 3, column: 5 }, name);
    t.match(failure?.message, /^(?:Error: )?long long/, name);
  }
  t.end();
});

test('hostile values', t => {
  const values = [null, 7, -1.5, true, '', [], {}, [null], [[]], { __proto__: null }, '\ud800', '\u0000\u001b[2J'];
  const proto = '{"__proto__":{"polluted":1},"constructor":null,"toString":[]}';
  for (const [name, report] of Object.entries(SMALL)) {
    const keys = [...new Set([...report.matchAll(/"(\w+)":/g)].map(([, key]) => key as string))];
    for (const key of keys) {
      for (const value of [...values.map(value => JSON.stringify(value)), proto]) {
        const hostile = report
          .split('\n')
          .map(line =>
            line.replace(new RegExp(`("${key}":\\s*)("(?:[^"\\\\]|\\\\.)*"|[\\w.-]+|\\[\\]|\\{\\})`), `$1${value}`),
          )
          .join('\n');
        try {
          for (const record of readAny(Buffer.from(hostile)))
            if (validate(record) !== undefined) t.fail(`${name}: ${key}: ${value}: ${validate(record)}`);
        } catch (error) {
          if (!(error instanceof AidoError)) t.fail(`${name}: ${key}: ${value}: ${error}`);
        }
      }
    }
    t.pass(name);
  }
  t.equal(({} as { polluted?: number }).polluted, undefined);
  t.end();
});

test('the folder that jest ran in', t => {
  const [own, circus] = ['/r/p/node_modules/jest-circus/x.js:1:1', 'file:///r/node_modules/@jest/x.js:1:1'];
  const cases: [name: string, frame: string, stack: string, root: string | undefined, id: string][] = [
    ['told by the traces', 't/a.test.js:1:2', own, undefined, 't/a.test.js > cart > adds failed'],
    ['--root goes first', 't/a.test.js:1:2', own, '/r', 'p/t/a.test.js > cart > adds failed'],
    ['rootDir is not where it ran', 'a.test.js:1:2', own, undefined, 'cart > adds failed weak'],
    ['installed elsewhere', 't/a.test.js:1:2', circus, undefined, 'cart > adds failed weak'],
    ['no trace', 'native', own, undefined, 'cart > adds failed weak'],
    ['another root', 'native', own, '/other', 'cart > adds failed weak'],
  ];
  for (const [name, frame, stack, root, id] of cases) {
    t.same(tests(of(jest([red('/r/p/t/a.test.js', frame, stack)]), root)), [id], name);
  }
  const green = { name: '/r/p/b.test.js', assertionResults: [{ title: 'fine', status: 'passed' }], status: 'passed' };
  const both = jest([green, red('/r/p/t/a.test.js', 't/a.test.js:1:2', own)], {
    numFailedTests: 1,
    numFailedTestSuites: 1,
  });
  t.same(tests(of(both)), ['b.test.js > fine passed', 't/a.test.js > cart > adds failed'], 'for those before, too');
  t.same(suites(of(both)), ['b.test.js passed', 't/a.test.js failed', ' failed']);
  t.same(tests(of(jest([red('C:\\r\\t\\a.test.js', 't/a.test.js:1:2', 'C:\\r\\node_modules\\jest\\x.js:1:1')]))), [
    't/a.test.js > cart > adds failed',
  ]);
  t.end();
});

/** Ids that the logs of the same runner have of the same tests. */
const known = (format: string): Set<string> => {
  const ids = new Set<string>();
  for (const file of readdirSync(join(FIXTURES, format)).filter(name => name.endsWith('.ndjson'))) {
    for (const line of readFileSync(join(FIXTURES, format, file), 'utf8').split('\n')) {
      const record = line === '' ? undefined : JSON.parse(line);
      if (record?.type === 'failure') ids.add(record.id);
    }
  }
  return ids;
};

test('ids are those of the logs', t => {
  const pairs: [runner: string, folder: string, cases: RegExp, root?: string][] = [
    [
      'jest',
      'jest-json',
      /^(?:red|retry|broken|name-filter|npm-script|exit-in-worker)\.json$/,
      '/home/ci/json/jest-30',
    ],
    ['jest', 'jest-json', /^jest-24-red\.json$/],
    ['vitest', 'jest-json', /^vitest-(?:red|retry|broken|bail|typecheck|no-tests)\.json$/, '/home/ci/json/vitest-4.1'],
    ['vitest', 'jest-json', /^vitest-1-red\.json$/, '/home/ci/json/vitest-1.6'],
    ['mocha', 'mocha-json', /^(?:red|hooks|retry|mocha-6-red|slow)\.json$/],
    ['pytest', 'pytest-report-log', /^(?:red|fixtures|broken|marks|retry|subtests|ids|output|classic|xdist)\.jsonl$/],
  ];
  for (const [runner, folder, cases, root] of pairs) {
    const ids = known(runner);
    const files = readdirSync(join(FIXTURES, folder)).filter(name => cases.test(name));
    t.not(files.length, 0);
    for (const file of files) {
      const records = readAny(readFileSync(join(FIXTURES, folder, file)), { outcomes: true, ...(root && { root }) });
      const strange = failures(records).filter(({ id, tool }) => !ids.has(id) || tool !== runner);
      // The log's project has no test of that name.
      t.same(
        strange.map(({ id }) => id).filter(id => !id.startsWith('same/same.test.js') || runner !== 'jest'),
        [],
        file,
      );
    }
  }
  t.end();
});

test('lines of values are those they begin on, however they are handed over', t => {
  const report = JSON.stringify({ list: [{ a: 'ü\n' }, { a: { b: [1] } }, {}], last: { x: 1 } }, null, 2);
  const lines = (size: number): string => {
    const found: string[] = [];
    const stream = new JsonStream(2, (path, value, no) => found.push(`${path.join('.')}:${no}:${lineOf(value, no)}`));
    for (const [n, line] of report.split(/(?<=\n)/).entries())
      for (let at = 0; at < line.length; at += size) stream.write(line.slice(at, at + size), n + 1);
    t.equal(stream.end(), true);
    return found.join(' ');
  };
  t.equal(lines(1000), 'list.0:3:3 list.1:6:6 list.2:13:13 list:14:14 last.x:16:16 last:15:15 :18:1');
  t.equal(lines(1), lines(1000));
  t.end();
});

test('a string of any length: only its head is read', t => {
  const long = `"stdout":${JSON.stringify(`"x\\${'\\" \u{1f4a5}'.repeat(700_000)}`)}`;
  const report = (SMALL.playwright as string).replace('"status":"flaky"', `${long},"status":"flaky"`);
  t.ok(report.length > 4_000_000);
  t.same(tests(of(report)), ['[web] t/a.spec.js > adds failed1', '[web] t/a.spec.js > adds passed2']);
  t.equal(summary(of(report)).complete, true);
  t.equal(summary(of(report.slice(0, 3_000_000))).reason, 'truncated');
  t.end();
});

test('8 MB on one line', t => {
  const file = (n: number) => ({
    name: `/x/${n}.test.js`,
    status: 'passed',
    message: '',
    assertionResults: Array.from({ length: 20 }, (_, i) => ({
      ancestorTitles: ['a', 'b'],
      fullName: `a b ${i}`,
      title: `test ${i}`,
      status: 'passed',
      failureMessages: [],
      retryReasons: [],
      location: null,
    })),
  });
  const files = Array.from({ length: 3200 }, (_, n) => file(n));
  const report = Buffer.from(
    JSON.stringify(jest([], { numPassedTests: 64_000, numTotalTestSuites: 3200, testResults: files })),
  );
  t.ok(report.length > 8_000_000);
  const before = process.hrtime.bigint();
  const records = readAny(report, { root: '/x' });
  const seconds = Number(process.hrtime.bigint() - before) / 1e9;
  t.ok(report.length / seconds > 4e6, `${Math.round(report.length / seconds / 1e6)} MB/s`);
  t.equal(suites(records).length, 3201);
  t.equal(summary(records).complete, true);
  t.end();
});
