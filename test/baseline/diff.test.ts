import { type Test, test } from 'tap';
import { Diff } from '../../src/baseline/diff.js';
import type { Baseline } from '../../src/baseline/file.js';
import { updateBaseline } from '../../src/baseline/update.js';
import { nameOf } from '../../src/record/matching.js';
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
const weakly = (id: string, result: Outcome['result']): AidoRecord => ({
  type: 'outcome',
  tool: 't',
  id,
  weakId: true,
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
      ['suite', 'fixed s (suite)', 'fixed s > a (suite)', 'fixed s a (suite)', 'absent s::a'],
    ],
    [
      'a class proves what is in it, and nothing of a class whose name begins alike',
      ['a.b.CTest.adds', 'a.b.CTest.adds[1.5]', 'a.b.CTestMore.adds'],
      [suite('a.b.CTest', { tool: 'surefire', passed: 2, failed: 0, skipped: 0 })],
      ['suite', 'fixed a.b.CTest.adds (suite)', 'fixed a.b.CTest.adds[1.5] (suite)', 'absent a.b.CTestMore.adds'],
    ],
    [
      'a suite of cargo says nothing of another target',
      ['m tests::a', 'm::it case', 'm::doc src/lib.rs - a (line 1)'],
      [suite('m', { tool: 'cargo', passed: 2, failed: 0, skipped: 0 })],
      ['suite', 'fixed m tests::a (suite)', 'absent m::doc src/lib.rs - a (line 1)', 'absent m::it case'],
    ],
    ...['pytest', 'unittest'].map(
      (tool): Case => [
        `a suite of ${tool}`,
        ['a.py::x', 'a.py::C::x[1 2]', 'a.py x', 'a.py', 'a.py.b::x'],
        [suite('a.py', { tool })],
        [
          'suite',
          'fixed a.py (suite)',
          'fixed a.py::C::x[1 2] (suite)',
          'fixed a.py::x (suite)',
          'absent a.py x',
          'absent a.py.b::x',
        ],
      ],
    ),
    ['its suite skipped one', ['s a'], [suite('s', { passed: 1, skipped: 1 })], ['suite', 'absent s a']],
    ['its suite skipped none', ['s a'], [suite('s', { passed: 1, skipped: 0 })], ['suite', 'fixed s a (suite)']],
    [
      'skipped one once',
      ['s a'],
      [suite('s', { skipped: 0 }), suite('s', { skipped: 1 }), suite('s', { skipped: 0 })],
      ['suite', 'suite', 'suite', 'absent s a'],
    ],
    [
      'the run skipped some, the suite does not say whose',
      ['s a'],
      [suite('s', { failed: 0 }), suite(undefined, { passed: 2, skipped: 7 })],
      ['suite', 'suite', 'absent s a'],
    ],
    [
      'the run skipped some, none of them of the suite',
      ['s a'],
      [suite('s', { passed: 1, skipped: 0 }), suite(undefined, { passed: 2, skipped: 7 })],
      ['suite', 'suite', 'fixed s a (suite)'],
    ],
    [
      'another tool skipped some',
      ['s a'],
      [suite('s'), suite(undefined, { tool: 'other', skipped: 7 }), suite(undefined, { skipped: 0 })],
      ['suite', 'suite', 'suite', 'fixed s a (suite)'],
    ],
    ['renamed', ['s a'], [fails('s b'), suite('s')], ['new s b', 'suite', 'absent s a']],
    ['renamed, and the end first', ['s a'], [suite('s'), fails('s b')], ['suite', 'new s b', 'absent s a']],
    [
      'renamed, in a suite that its id does not spell',
      ['s a'],
      [fails('b', 'test', { suite: 's' }), suite('s')],
      ['new b', 'suite', 'absent s a'],
    ],
    ['renamed, its suite unknown', ['s a'], [weak('b'), suite('s')], ['suite', 'new b', 'absent s a']],
    [
      'the file itself fails anew',
      ['a.py::x'],
      [fails('a.py'), suite('a.py', { tool: 'pytest' })],
      ['new a.py', 'suite', 'absent a.py::x'],
    ],
    ['new in another suite', ['s a'], [fails('r b'), suite('s')], ['new r b', 'suite', 'fixed s a (suite)']],
    [
      'new in another target of cargo',
      ['m a'],
      [fails('m::it b'), suite('m', { tool: 'cargo' })],
      ['new m::it b', 'suite', 'fixed m a (suite)'],
    ],
    ['known in its suite', ['s a', 's b'], [fails('s b'), suite('s')], ['old s b', 'suite', 'fixed s a (suite)']],
    [
      'one of that name failed, nobody knows where',
      ['s a', 'r a'],
      [weak('a'), suite('s')],
      ['suite', 'new a', 'absent r a', 'absent s a'],
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
    ['passed, its suite unknown', ['f > a'], [weakly('a', 'passed')], ['outcome', 'fixed f > a (passed)']],
    ['of cargo', ['c t::a'], [weakly('t::a', 'passed')], ['outcome', 'fixed c t::a (passed)']],
    ['nested', ['f > s > a'], [weakly('s > a', 'passed')], ['outcome', 'fixed f > s > a (passed)']],
    ['the name itself', ['a'], [weakly('a', 'passed')], ['outcome', 'fixed a (passed)']],
    ['weak before', { failures: ['a'], weak: ['a'] }, [weakly('a', 'passed')], ['outcome', 'fixed a (passed)']],
    ['a name that only ends alike', ['f > s > a'], [weakly('a', 'passed')], ['outcome', 'absent f > s > a']],
    [
      'passed twice: who knows which',
      ['f > a'],
      [weakly('a', 'passed'), weakly('a', 'passed')],
      ['outcome', 'outcome', 'absent f > a'],
    ],
    [
      'one passed and one failed',
      ['f > a'],
      [weakly('a', 'passed'), weakly('a', 'failed')],
      ['outcome', 'outcome', 'absent f > a'],
    ],
    [
      'one passed and one failed elsewhere',
      ['f > a'],
      [fails('g > a'), weakly('a', 'passed')],
      ['new g > a', 'outcome', 'absent f > a'],
    ],
    [
      'another of that name has its suite',
      ['f > a'],
      [outcome('g > a', 'passed'), weakly('a', 'passed')],
      ['outcome', 'outcome', 'absent f > a'],
    ],
    [
      'two of that name before',
      ['f > a', 'g > a'],
      [weakly('a', 'passed')],
      ['outcome', 'absent f > a', 'absent g > a'],
    ],
    ['skipped, its suite unknown', ['s a'], [weakly('a', 'skipped'), suite('s')], ['outcome', 'suite', 'absent s a']],
    ['weakly passed, the run stopped early', ['f > a'], [weakly('a', 'passed')], ['outcome', 'absent f > a'], false],
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
    ['two failures of one name, one known', ['f > x'], [weak('x'), weak('x')], ['old x', 'new x']],
    [
      'two attempts at one',
      ['f > x'],
      [weak('x'), fails('x', 'test', { weakId: true, attempt: 2 })],
      ['old x', 'old x'],
    ],
    [
      'two, and one known without its suite',
      { failures: ['x'], weak: ['x'] },
      [weak('x'), weak('x')],
      ['old x', 'new x'],
    ],
    [
      'two, and two known without their suites',
      { failures: ['x'], weak: ['x'], counts: { x: 2 } },
      [weak('x'), weak('x')],
      ['old x', 'old x'],
    ],
    [
      'three, one known with its suite and one without',
      { failures: ['f > x', 'x'], weak: ['x'] },
      [weak('x'), weak('x'), weak('x')],
      ['old x', 'old x', 'new x'],
    ],
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
  const twins = diffOf({ failures: ['f > x'] }, [weak('x'), weak('x'), weak('x')]).diff;
  t.strictSame(
    updateBaseline({ failures: ['f > x'] }, twins, { add: true }),
    { version: 1, failures: ['f > x', 'x'], counts: { x: 2 }, weak: ['x'] },
    'one of them was known with its suite',
  );
  t.end();
});
