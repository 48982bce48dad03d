/** The figures, against ones worked out elsewhere. */
import { test } from 'tap';
import { rounded, runsFor95, wilson } from '../../src/flaky/statistics.js';

test('the Wilson interval', t => {
  // By the formula in rational arithmetic, to 4 digits; those of 1 of 10 and 5 of 10 stand in many a textbook.
  const cases: [failed: number, n: number, low: number, high: number][] = [
    [1, 2, 0.0945, 0.9055],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [1, 1, 0.2065, 1],
    [81, 263, 0.2553, 0.3662],
    [3, 1_000_000, 0, 0],
  ];
  for (const [failed, n, low, high] of cases) {
    const found = wilson(failed, n);
    t.strictSame([rounded(found.low), rounded(found.high)], [low, high], `${failed} of ${n}`);
  }
  t.end();
});

test('runs until a failure shows with 95 %', t => {
  for (const rate of [0.9, 0.5, 1 / 3, 0.1, 0.05, 0.01, 1e-6]) {
    const n = runsFor95(rate);
    t.ok(1 - (1 - rate) ** n >= 0.95 - 1e-12, `${n} runs are enough for ${rate}`);
    t.ok(1 - (1 - rate) ** (n - 1) < 0.95, `${n - 1} are not`);
  }
  t.equal(runsFor95(1), 1);
  t.equal(runsFor95(0.5), 5);
  t.equal(runsFor95(0.1), 29);
  t.end();
});
