/** JSON reports: what is one, what is refused, hostile values, where jest ran, attempts, and what it all costs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { AidoError } from '../../../src/base/error.js';
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
  for (const bad of ['}', ']', '{"a" 1}', 'npm ERR! code 1', '[]', '1', '"a"', '{"a":tru}', '{"a":"\n"}']) {
    t.throws(() => of(`${good}\n${bad} `), { code: 'BAD_INPUT', message: /^line [23]: / }, bad);
  }
  t.throws(() => of(`${good.slice(0, -1)},"x":${'['.repeat(10_000)}`), { code: 'BAD_INPUT' }, 'nested too deep');
  t.throws(() => of(`${good.slice(0, -1)},"x":${'{"a":'.repeat(10_000)}`), { code: 'BAD_INPUT' }, 'nested too deep');
  t.equal(failures(of(`${good}${good}\n\n${good}`)).length, 1, 'several in a row are read, a failure is said once');
  t.equal(suites(of(`${good}${good}`)).length, 4);
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
