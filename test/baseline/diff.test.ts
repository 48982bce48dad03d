import { type Test, test } from 'tap';
import { Diff } from '../../src/baseline/diff.js';
import type { Baseline } from '../../src/baseline/file.js';
import { nameOf } from '../../src/baseline/matching.js';
import { updateBaseline } from '../../src/baseline/update.js';
import type { AidoRecord, Kind, Outcome, Suite } from '../../src/record/types.js';

const log = { first: 1, last: 1 };
const fails = (id: string, kind: Kind = 'test', more = {}): AidoRecord => ({
  type: 'failure',
  kind,
  tool: 't',
  id,
  log,
  source: 'exact',
  ...more,
});
const error = (id: string) => fails(id, 'build');
const weak = (id: string) => fails(id, 'test', { weakId: true });
const suite = (name: string | undefined, more: Partial<Suite> = {}): AidoRecord => ({
  type: 'suite',
  tool: 't',
  ...(name && { suite: name }),
  result: 'passed',
  agrees: true,
  log,
  ...more,
});
const outcome = (id: string, result: Outcome['result'], of?: string): AidoRecord => ({
  type: 'outcome',
  tool: 't',
  id,
  ...(of && { suite: of }),
  result,
  log,
});

/** What a diff says, in short: `new x`, `old x`, `fixed x (passed)`, `absent x`; other records by their type. */
function say(record: AidoRecord): string {
  if (record.type === 'failure') return `${record.baseline === 'new' ? 'new' : 'old'} ${record.id}`;
  if (record.type === 'fixed') return `fixed ${record.id} (${record.evidence})`;
  return record.type === 'absent' ? `absent ${record.id}` : record.type;
}

function diffOf(baseline: Baseline, records: readonly AidoRecord[], complete = true) {
  const said: string[] = [];
  const diff = new Diff(baseline, record => said.push(say(record)));
  for (const record of records) diff.record(record);
  diff.end(complete);
  return { said, diff };
}

type Case = [what: string, baseline: Baseline | string[], records: AidoRecord[], said: string[], complete?: boolean];
const run = (t: Test, cases: Case[]) => {
  for (const [what, baseline, records, said, complete] of cases) {
    t.strictSame(
      diffOf(Array.isArray(baseline) ? { failures: baseline } : baseline, records, complete).said,
      said,
      what,
    );
  }
  t.end();
};

test('new, known, and as many times', t =>
  run(t, [
    ['nothing', [], [], []],
    ['new', [], [fails('a')], ['new a']],
    ['known', ['a'], [fails('a')], ['old a']],
    ['renamed: absent and new', ['a'], [fails('b')], ['new b', 'absent a']],
    [
      'order of input, then absent by code point',
      ['b', '\u{1f600}', '\uff5e', 'B'],
      [fails('z'), fails('b')],
      ['new z', 'old b', 'absent B', 'absent \uff5e', 'absent \u{1f600}'],
    ],
    ['a test counts once', ['a'], [fails('a'), fails('a')], ['old a', 'old a']],
    ['a diagnostic as often as it comes', ['a'], [error('a'), error('a')], ['old a', 'new a']],
    [
      'of k more than n the last k are new',
      { failures: ['a'], counts: { a: 2 } },
      [error('a'), error('a'), error('a'), error('a')],
      ['old a', 'old a', 'new a', 'new a'],
    ],
    ['fewer than before', { failures: ['a'], counts: { a: 2 } }, [error('a')], ['old a']],
    [
      'an id like a key of every object',
      { failures: ['constructor', '__proto__'] },
      [error('constructor'), error('toString'), error('__proto__')],
      ['old constructor', 'new toString', 'old __proto__'],
    ],
    [
      'others pass, and earlier diffs do not',
      ['a'],
      [
        suite('s'),
        { type: 'absent', id: 'q' },
        { type: 'fixed', id: 'q', evidence: 'suite' },
        { type: 'unread', text: 'x', log },
      ],
      ['suite', 'unread', 'absent a'],
    ],
  ]));

test('fixed needs evidence', t =>
  run(t, [
    ['seen to pass', ['a'], [outcome('a', 'passed')], ['outcome', 'fixed a (passed)']],
    [
      'failed, then passed at the next attempt',
      ['a'],
      [outcome('a', 'failed'), outcome('a', 'passed')],
      ['outcome', 'outcome', 'fixed a (passed)'],
    ],
    ['passed, and failed elsewhere', ['a'], [outcome('a', 'passed'), fails('a')], ['outcome', 'old a']],
    ['skipped', ['a'], [outcome('a', 'skipped')], ['outcome', 'absent a']],
    [
      'skipped in a suite that ended',
      ['s a'],
      [outcome('s a', 'skipped', 's'), suite('s')],
      ['outcome', 'suite', 'absent s a'],
    ],
    ['passed in a run that stopped early', ['a'], [outcome('a', 'passed')], ['outcome', 'absent a'], false],
    [
      'its suite ended',
      ['s a', 's > a', 's::a', 's'],
      [suite('s')],
      ['suite', 'fixed s (suite)', 'fixed s > a (suite)', 'fixed s a (suite)', 'fixed s::a (suite)'],
    ],
    ['nested suites', ['s::t a b'], [suite('s::t')], ['suite', 'fixed s::t a b (suite)']],
    [
      'another suite ended',
      ['s.a', 'ss a', 's:a', 's/a'],
      [suite('s')],
      ['suite', ...['s.a', 's/a', 's:a', 'ss a'].map(id => `absent ${id}`)],
    ],
    ['its suite ended, the run did not', ['s a'], [suite('s')], ['suite', 'absent s a'], false],
    ['its suite does not agree', ['s a'], [suite('s', { agrees: false })], ['suite', 'absent s a']],
    [
      'its suite agreed only once',
      ['s a'],
      [suite('s'), suite('s', { agrees: false }), suite('s')],
      ['suite', 'suite', 'suite', 'absent s a'],
    ],
    ['a suite without a name', ['s a'], [suite(undefined)], ['suite', 'absent s a']],
    [
      'its suite named all that passed, and not this one',
      ['s a'],
      [outcome('s b', 'passed', 's'), suite('s', { passed: 1 })],
      ['outcome', 'suite', 'absent s a'],
    ],
    [
      'its suite named some',
      ['s a'],
      [outcome('s b', 'passed', 's'), suite('s', { passed: 2 })],
      ['outcome', 'suite', 'fixed s a (suite)'],
    ],
    [
      'nothing passed in its suite',
      ['s a'],
      [fails('s b'), suite('s', { passed: 0, failed: 1 })],
      ['new s b', 'suite', 'absent s a'],
    ],
    ['no count, but names', ['s a'], [outcome('s b', 'passed', 's'), suite('s')], ['outcome', 'suite', 'absent s a']],
    ['fixed before absent', ['a', 'b'], [outcome('b', 'passed')], ['outcome', 'fixed b (passed)', 'absent a']],
  ]));

test('an id without its suite matches a sole candidate', t => {
  for (const [id, name] of Object.entries({ 'c t::x': 't::x', 'f > s > t': 's > t', 'a b > c d': 'c d', x: 'x' })) {
    t.equal(nameOf(id), name);
  }
  run(t, [
    ['one candidate', ['c x'], [weak('x')], ['old x']],
    ['the same weak id before', { failures: ['x'], weak: ['x'] }, [weak('x')], ['old x']],
    ['none', ['c y'], [weak('x')], ['new x', 'absent c y']],
    ['two', ['c x', 'd x'], [weak('x')], ['new x', 'absent c x', 'absent d x']],
    ['two, one of which failed itself', ['c x', 'd x'], [weak('x'), fails('d x')], ['old d x', 'old x']],
    ['one that failed itself', ['c x'], [weak('x'), fails('c x')], ['old c x', 'new x']],
    ['weak before, known now', { failures: ['x'], weak: ['x'] }, [fails('c x')], ['old c x']],
    [
      'weak before, two now',
      { failures: ['x'], weak: ['x'] },
      [fails('c x'), fails('d x')],
      ['new c x', 'new d x', 'absent x'],
    ],
    ['not weak before', ['x'], [fails('c x')], ['new c x', 'absent x']],
    ['a name that only ends alike', ['f > a b'], [weak('b')], ['new b', 'absent f > a b']],
    ['waits for the end, the others do not', ['c x'], [weak('x'), fails('y')], ['new y', 'old x']],
  ]);
});

test('update', t => {
  const before: Baseline = { failures: ['a', 'b', 'c', 'e'], counts: { e: 3 } };
  const records = [outcome('a', 'passed'), fails('b'), error('e'), error('e'), fails('n'), error('m'), error('m')];
  const { diff } = diffOf(before, records);
  const cases: [what: string, options: object, failures: string[], counts?: object][] = [
    ['removes what is fixed, lowers counts', {}, ['b', 'c', 'e'], { e: 2 }],
    ['--add', { add: true }, ['b', 'c', 'e', 'm', 'n'], { e: 2, m: 2 }],
    ['--prune', { prune: true }, ['b', 'e'], { e: 2 }],
    ['--partial --add', { partial: true, add: true }, ['a', 'b', 'c', 'e', 'm', 'n'], { e: 3, m: 2 }],
  ];
  for (const [what, options, failures, counts] of cases) {
    t.strictSame(updateBaseline(before, diff, options), { version: 1, failures, counts }, what);
  }
  t.strictSame(
    updateBaseline({ failures: ['e', 'x'] }, diff, {}),
    { version: 1, failures: ['e', 'x'] },
    'changed meanwhile',
  );
  const more = diffOf({ failures: ['e'] }, [error('e'), error('e')]).diff;
  t.strictSame(updateBaseline({ failures: ['e'] }, more, {}), { version: 1, failures: ['e'] }, 'never adds');
  t.strictSame(updateBaseline({ failures: ['e'] }, more, { add: true }).counts, { e: 2 }, 'adds up to what was seen');
  t.end();
});
