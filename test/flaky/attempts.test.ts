/** Attempts within a single run: what passed after it failed is flaky, in every runner's own way to say so. */
import { join } from 'node:path';
import { test } from 'tap';
import { command } from '../../src/flaky/main.js';
import type { AidoRecord, Flaky } from '../../src/record/types.js';
import { FIXTURES } from '../support/fixtures.js';
import { call } from '../support/world.js';

/** Of each fixture the flaky tests: how often each passed and failed. */
const CASES: [file: string, flaky: Record<string, [passed: number, failed: number]>][] = [
  [
    'nextest/green-flaky.log',
    {
      'cash-till::flaky passes_on_the_third': [1, 2],
      'cash-till::flaky aborts_once': [1, 1],
      'cash-till::flaky passes_on_the_second': [1, 1],
    },
  ],
  ['junit/nextest-retries.xml', { 'my-shop tests::second_time_lucky': [1, 1] }],
  ['pytest/reruns-verbose.log', { 'retry/test_retry.py::test_second_time_lucky': [1, 1] }],
  [
    'junit/pytest-9-reruns-xunit1.xml',
    { 'retry/test_retry.py::test_shaky_setup': [1, 2], 'retry/test_retry.py::test_second_time_lucky': [1, 1] },
  ],
  ['pytest-report-log/retry.jsonl', { 'retry/test_retry.py::test_second_time_lucky': [1, 1] }],
  ['surefire/flaky.log', { 'org.shop.FlakyTest.wobbles': [1, 1] }],
  ['junit/surefire-flaky.xml', { 'org.shop.FlakyTest.wobbles': [1, 1] }],
  ['go-test/count2-v.log', { 'example.com/shop/order TestA': [1, 1] }],
  ['junit/gotestsum-count-2.xml', { 'example.com/shop/order TestA': [1, 1] }],
  ['go-test/gotestsum-rerun.log', { 'order TestFlaky': [1, 1] }],
  ['junit/gotestsum-rerun-fails.xml', { 'example.com/shop/order TestFlaky': [1, 1] }],
  ['jest/retry.log', { 'retry/retry.test.js > passes at the third try': [1, 2] }],
  [
    'jest-json/retry.json',
    {
      'retry-nested/green.test.js > drawer > shuts at the third try': [1, 2],
      'retry/retry.test.js > passes at the third try': [1, 2],
      'retry-nested/nested.test.js > drawer > opens': [1, 1],
    },
  ],
  ['vitest/retry.log', { 'retry/retry.test.js > passes at the third try': [1, 2] }],
  ['jest-json/vitest-retry.json', { 'passes at the third try': [1, 2] }],
  ['mocha-json/retry.json', { 'retry passes at the third try': [1, 2] }],
  ['playwright/retries.log', { 'tests/flaky.spec.js > passes at the second try': [1, 1] }],
  ['playwright-json/retries.json', { '[chrome] tests/cart.spec.js > cart > passes at the second try': [1, 1] }],
  ['bazel/documented-red.log', { '//shop:net_test': [1, 1] }],
];

for (const [file, expected] of CASES) {
  test(file, async t => {
    const { out, err } = await call(command, [join(FIXTURES, file)]);
    t.equal(err, '');
    const all = out.trimEnd().split('\n');
    const flaky = all.map(line => JSON.parse(line) as AidoRecord).filter((one): one is Flaky => one.type === 'flaky');
    t.strictSame(
      flaky.map(({ id, passed, failed }) => [id, [passed, failed]]),
      Object.entries(expected),
    );
  });
}
