import { test } from 'tap';
import { plainLine } from '../../src/baseline/plain.js';
import { captureBaseline, diffBaseline, parseFailures } from '../../src/index.js';
import { escapeLine } from '../../src/record/write.js';

test('the two shapes', t => {
  const failures: [line: string, id: string][] = [
    ['not ok 1 - adds', 'adds'],
    ['not ok - adds', 'adds'],
    ['not ok 12 adds', 'adds'],
    ['not ok adds', 'adds'],
    ['    not ok 3 - nested one', 'nested one'],
    ['not ok 1 - adds\r', 'adds'],
    ['not ok 1 - a - b - c', 'a - b - c'],
    ['not ok 1 - 2 is prime', '2 is prime'],
    ['not ok 2 is prime', 'is prime'],
    ['not ok 2nd try', '2nd try'],
    ['not ok 1 -dash', '-dash'],
    ['not ok 1 - adds # time=3.1ms', 'adds'],
    ['not ok 1 - issue #7', 'issue #7'],
    ['not ok 1 - issue \\# 7', 'issue \\# 7'],
    ['not ok 1 - todo list', 'todo list'],
    ['not ok 1 -', 'not ok 1 -'],
    ['not ok', 'not ok'],
    ['FAIL a.test.js', 'a.test.js'],
    ['FAILED tests/a.py::test_x[1 2]', 'tests/a.py::test_x[1 2]'],
    ['fail x', 'x'],
    ['Failed to save', 'to save'],
    ['FAIL\tpkg/a\t0.01s', 'pkg/a\t0.01s'],
    ['  FAILED x', 'x'],
    ['not ok 1 - a # todos lost', 'a'],
    ['not ok 1 - a # skipper', 'a'],
    ['not ok 1 - a # TODO-list', 'a'],
    ['not ok 1 - a #todos', 'a #todos'],
    ['FAIL a\rb', 'a'],
    ['50%\rFAIL x', 'x'],
    ['50%\r\x20\x20\rnot ok 1 - x\r\n', 'x'],
    ['FAIL c\u2028d', 'c\u2028d'],
    ['not ok 1 - c\u2028d\u2029', 'c\u2028d'],
  ];
  for (const [line, id] of failures) t.strictSame(parseFailures(line), [id], escapeLine(JSON.stringify(line)));

  t.strictSame(parseFailures('FAIL a\rb\nFAIL c\u2028d'), ['a', 'c\u2028d'], 'several');

  const others = [
    'ok 1 - adds',
    'not ok 1 - adds # TODO later',
    'not ok 1 - adds # todo: see issue # 5',
    'not ok 1 - adds #TODO',
    'not ok 1 # SKIP no network',
    'not ok 1 - adds # Skipped on Windows',
    'not ok 1 - adds # TODO(bob): later',
    'not ok 1 - adds # skip',
    'not okay',
    'NOT OK 1 - adds',
    'FAIL',
    'FAILED',
    'FAILURE x',
    'FAIL: x',
    'x FAILED',
    'failing x',
    '# not ok 1 - adds',
    '',
  ];
  for (const line of others) t.strictSame(parseFailures(line), [], line);
  t.end();
});

test('what says that tests ran', t => {
  const cases: [line: string, result: string | undefined, name?: string][] = [
    ['ok 1 - adds', 'passed', 'adds'],
    ['ok 1', 'passed', ''],
    ['ok 1 - adds # SKIP', 'skipped', 'adds'],
    ['1..0', 'passed', ''],
    ['PASS a.test.js', 'passed', ''],
    ['ok, so far', undefined],
    ['okay', undefined],
    ['passing by', undefined],
    ['compiling', undefined],
  ];
  for (const [line, result, name] of cases) {
    t.strictSame(plainLine(line), result && { result, name }, line);
  }
  t.end();
});

test('a hostile line is read in time that grows with its length', t => {
  const lines = ['not ok 1 -', 'not ok 1 - # ', 'FAIL ', 'not ok'].flatMap(start =>
    [' ', '#', ' #', '# ', '1', ' - ', '\t'].map(part => start + part.repeat(65_536 / part.length)),
  );
  for (const line of lines) {
    const begun = process.hrtime.bigint();
    parseFailures(line);
    t.ok(process.hrtime.bigint() - begun < 50_000_000n, JSON.stringify(line.slice(0, 20)));
  }
  t.end();
});

test('the library: sets of names', t => {
  const baseline = captureBaseline('FAIL b\nnot ok 1 - a\nok 2 - x\nFAILED b\nFAIL \u{1f600}\nFAIL \uff5e\n');
  t.strictSame(baseline, { version: 1, failures: ['a', 'b', '\uff5e', '\u{1f600}'] }, 'by code point, each once');
  const expected = { preExisting: ['b'], newFailures: ['c', 'd'], fixed: ['a', '\uff5e', '\u{1f600}'] };
  const current = 'FAIL d\nFAIL c\nFAIL b';
  t.strictSame(diffBaseline(baseline, parseFailures(current)), expected);
  t.strictSame(diffBaseline(baseline.failures, captureBaseline(current)), expected);
  t.strictSame(diffBaseline(baseline, current), expected);
  t.strictSame(diffBaseline({ failures: [] }, []), { preExisting: [], newFailures: [], fixed: [] });
  t.end();
});
