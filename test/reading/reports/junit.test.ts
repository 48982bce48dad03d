/** JUnit XML: its documents and what is refused of them, attempts, whose report it is, and what it costs. */
import { test } from 'tap';
import { Facts } from '../../../src/reading/facts.js';
import { reportOf } from '../../../src/reading/reports/index.js';
import type { AidoRecord, Failure, Outcome, Suite, Summary } from '../../../src/record/types.js';
import { fixtures, readAny, reports, text } from '../../support/fixtures.js';

const of = (xml: string, cuts: number[] = []): AidoRecord[] =>
  readAny(Buffer.from(xml), { outcomes: true, warnings: true }, cuts);
const failures = (records: AidoRecord[]) => records.filter((r): r is Failure => r.type === 'failure');
const outcomes = (records: AidoRecord[]) =>
  records
    .filter((r): r is Outcome => r.type === 'outcome')
    .map(({ id, result, attempt, weakId }) => `${id} ${result}${attempt ?? ''}${weakId ? ' weak' : ''}`);
const suites = (records: AidoRecord[]) => records.filter((r): r is Suite => r.type === 'suite');
const summary = (records: AidoRecord[]) => records.at(-1) as Summary;

const suite = (attributes: string, ...cases: string[]) => `<testsuite ${attributes}>${cases.join('')}</testsuite>`;
const testcase = (name: string, within = '', attributes = 'classname="p"') =>
  `<testcase name="${name}" ${attributes}>${within}</testcase>`;
const GO = '<properties><property name="go.version" value="go1"/></properties>';
const PYTEST = 'name="pytest" errors="0"';
const SUREFIRE = 'xsi:noNamespaceSchemaLocation="surefire-test-report.xsd" name="p"';

const SMALL = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a report -->
<testsuites name="all" tests="4" failures="1" errors="0">
  <testsuite name="outer" tests="4" failures="1" skipped="1">
    <properties><property name="a" value="&lt;1&gt;"/></properties>
    <testcase classname="a.B" name="fine"><system-out><![CDATA[no ]] > <failure> here]]></system-out></testcase>
    <testcase classname="a.B" name="red &#x1F4A5;"><failure message="1 &amp; 2">at <![CDATA[a < b]]> &quot;c&quot;
and more</failure></testcase>
    <testcase classname="a.B" name="off"><skipped/></testcase>
    <testsuite name="inner" tests='1'><testcase name="deep" classname=""/></testsuite>
  </testsuite>
</testsuites>`;

test('what is a report', t => {
  const yes = [
    SMALL,
    '<testsuite>',
    '<testsuites/>',
    '<?xml version="1.0"?><?x ??><!-- <a> - --><testsuite name="',
    '<testsuites',
    '> shop@1.0.0 test\n> mocha -R xunit\n\n<testsuite name="Mocha Tests">',
    '<!DOCTYPE testsuites [<!ENTITY a "b">]><testsuites>',
    '<?xml?><!DOCTYPE lolz [<!ENTITY a "b">]><testsuites>',
    '<!DOCTYPE x SYSTEM "x.dtd">\n<!-- x -->\n<testsuite name="a">',
  ];
  for (const head of yes) t.equal(reportOf(head)?.name, 'junit', head.slice(0, 40));
  for (const head of [
    '<checkstyle>',
    '<html>',
    '<testsuitesx>',
    '<testcase/>',
    'x <testsuite>',
    '<!-- <testsuite> -->',
    '<!DOCTYPE html><testsuite>',
    '<!DOCTYPE  HTML PUBLIC "x"><testsuite>',
    '<!DOCTYPE checkstyle><checkstyle>',
  ])
    t.equal(reportOf(head), undefined, head);
  t.end();
});

test('suites within suites, text in every form', t => {
  const records = of(SMALL);
  t.strictSame(outcomes(records), ['deep passed', 'a.B.fine passed', 'a.B.red 💥 failed', 'a.B.off skipped']);
  const [red] = failures(records);
  t.match(red, { tool: 'junit', suite: 'a.B', message: '1 & 2', detail: 'at a < b "c"\nand more' });
  t.strictSame(red?.log, { first: 7, last: 8 });
  t.strictSame(
    suites(records).map(({ suite, passed, failed, agrees }) => ({ suite, passed, failed, agrees })),
    [
      { suite: 'inner', passed: 1, failed: undefined, agrees: true },
      { suite: 'outer', passed: 2, failed: 1, agrees: true },
      { suite: undefined, passed: 3, failed: 1, agrees: true },
    ],
  );
  t.equal(summary(records).complete, true);
  t.end();
});

test('several documents in a row', t => {
  const one = (name: string, more = '') =>
    `<?xml version="1.0"?>\n<testsuite name="${name}" tests="1"><testcase classname="${name}" name="t"/></testsuite>${more}`;
  for (const between of ['', '\n', '\n\n<!-- next -->\n', '\ufeff']) {
    const records = of(one('a') + between + one('b', '\n') + between + one('c'));
    t.strictSame(outcomes(records), ['a.t passed', 'b.t passed', 'c.t passed'], JSON.stringify(between));
    t.equal(summary(records).complete, true);
  }
  t.end();
});

test('cut at any byte: never an error, and not whole unless it is', t => {
  const bytes = Buffer.from(SMALL);
  for (let n = SMALL.indexOf('<testsuites') + 11; n < bytes.length; n++) {
    const end = summary(readAny(bytes.subarray(0, n)));
    if (end.complete || end.reason !== 'truncated') t.fail(`${n} bytes: ${JSON.stringify(end)}`);
  }
  t.equal(summary(readAny(bytes)).complete, true);
  const within = of(SMALL.slice(0, SMALL.indexOf('and more')));
  t.match(failures(within), [{ id: 'a.B.red 💥' }], 'what failed has failed');
  t.end();
});

test('split at any byte: the same records', t => {
  const whole = text(of(SMALL));
  for (let n = 1; n < Buffer.byteLength(SMALL); n++) {
    if (text(of(SMALL, [n])) !== whole) t.fail(`split at ${n}`);
  }
  t.equal(text(of(SMALL, [...Buffer.from(SMALL).keys()].slice(1))), whole, 'byte by byte');
  t.end();
});

const failure = (text: string) => `<testcase name="x"><failure>${text}</failure></testcase></testsuites>`;

/** What is said of it before the error. */
function refused(xml: string, piece = xml.length * 3): { said: AidoRecord[]; error: unknown } {
  const said: AidoRecord[] = [];
  const facts = new Facts({ outcomes: true }, record => said.push(record));
  const bytes = Buffer.from(xml);
  try {
    for (let at = 0; at < bytes.length; at += piece) facts.write(bytes.subarray(at, at + piece));
    facts.end();
    return { said, error: undefined };
  } catch (error) {
    return { said, error };
  }
}

test('refused, after what was read has been said', t => {
  const good =
    '<testsuites><testsuite name="a" tests="1" failures="1"><testcase name="t"><failure/></testcase></testsuite>\n';
  const bad: [string, RegExp][] = [
    ['<!DOCTYPE testsuites><testsuites/>', /^line 1: a DTD/],
    [
      '<!DOCTYPE testsuites [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><testsuites>&b;</testsuites>',
      /^line 1: a DTD/,
    ],
    ['<?xml?><!DOCTYPE lolz [<!ENTITY a "b">]><testsuites/>', /^line 1: a DTD/],
    ['<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "file:///x">\n<testsuite/>', /^line 2: a DTD/],
    [`${good}<testsuite name="&nope;"/>`, /^line 2: undefined entity/],
    [`${good}<testcase name="x"><failure>&nope;</failure>`, /^line 2: undefined entity/],
    [`${good}<!ENTITY a "b">`, /^line 2: a DTD or entity/],
    [`${good}${failure('x & y')}`, /^line 2: an & that begins no entity/],
    [`${good}${failure('x &&amp; y')}`, /^line 2: an & that begins no entity/],
    [`${good}${failure('x\n&')}`, /^line 3: an & that begins no entity/],
    [`${good}${failure('x &é; y')}`, /^line 2: an & that begins no entity/],
    [`${good}${failure(`x &${'a'.repeat(50)}; y`)}`, /^line 2: an & that begins no entity/],
    [`${good}<testcase name="a & b"/>`, /^line 2: an & that begins no entity/],
    [`${good}${failure('x < 3')}`, /^line 2: a < that begins no tag/],
    [`${good}${failure('x <3')}`, /^line 2: a < that begins no tag/],
    [`${good}${failure('x <y "z')}`, /^line 2: a < that begins no tag/],
    [`${good}${failure('x <y')}`, /^line 2: /],
    [`${good}${failure('Map<String, List<x>>')}`, /^line 2: /],
    [`${good}</testsuite>`, /^line 2: .*clos/],
    [`${good}<testsuite a="1" a="2"/>`, /^line 2: duplicate attribute/],
    [`${good}<testsuite a=1/>`, /^line 2: unquoted attribute/],
    [`${good}</testsuites>\nbye`, /^line 3: text outside/],
    [`${good}</testsuites><other/>`, /^line 2: <other> is no JUnit report/],
    [`${good}${'<a>'.repeat(1000)}`, /^line 2: more than \d+ elements/],
    [`${good}<testsuite ${'a="" '.repeat(300_000)}`, /^line 2: a tag of more/],
  ];
  for (const [xml, message] of bad) {
    const { said, error } = refused(xml);
    t.match(error, { code: 'BAD_INPUT', message }, xml.slice(0, 150));
    const first = said.slice(0, 3);
    if (xml.startsWith(good)) t.match(first, [{ type: 'failure', id: 't' }, { type: 'outcome' }, { type: 'suite' }]);
    t.match(refused(xml, 1).error, { code: 'BAD_INPUT', message }, `byte by byte: ${xml.slice(0, 150)}`);
  }
  const within = `<testsuite name="s" tests="3">${testcase('a')}${testcase('b', '<failure message="m">x & y')}`;
  t.strictSame(outcomes(refused(within).said), ['p.a passed', 'p.b failed'], 'within a suite');
  t.end();
});

test('against the rules, and common', t => {
  const records = of(
    '<testsuite name="s" tests="2" failures="1"><testcase name="a\u001b[1m"><failure>&#x1b;[31m red</failure></testcase><testcase name="__proto__" classname="constructor"/></testsuite>',
  );
  t.strictSame(outcomes(records), ['a\u001b[1m failed', 'constructor.__proto__ passed']);
  t.equal(summary(records).complete, true);
  const xml = suite(
    'name="s" tests="2" failures="1"',
    testcase('a', '<failure>x ]]> y &amp; ]]]]> z</failure>'),
    testcase('b'),
  );
  const whole = of(xml);
  t.strictSame(outcomes(whole), ['p.a failed', 'p.b passed']);
  t.match(failures(whole), [{ detail: 'x ]]> y & ]]]]> z' }]);
  for (let n = 1; n < xml.length; n++) if (text(of(xml, [n])) !== text(whole)) t.fail(`split at ${n}`);
  t.end();
});

test('attempts', t => {
  const cases: [string, string, string[], number][] = [
    [
      'gotestsum --rerun-fails: passed in the end',
      suite(
        'name="p" tests="3" failures="1"',
        GO,
        testcase('TestA', '<failure/>'),
        testcase('TestB'),
        testcase('TestA'),
      ),
      ['p TestA failed1', 'p TestA passed2', 'p TestB passed'],
      0,
    ],
    [
      'go test -count=2: what passed twice shows that every test ran twice',
      suite(
        'name="p" tests="4" failures="1"',
        GO,
        testcase('TestA', '<failure/>'),
        testcase('TestB'),
        testcase('TestB'),
        testcase('TestA'),
      ),
      ['p TestA failed1', 'p TestA passed2', 'p TestB passed1', 'p TestB passed2'],
      1,
    ],
    [
      'failed the second time',
      suite('name="p" tests="2" failures="1"', GO, testcase('TestA'), testcase('TestA', '<failure/>')),
      ['p TestA passed1', 'p TestA failed2'],
      1,
    ],
    [
      'pytest-rerunfailures: of what was repeated nothing is said',
      suite(
        `${PYTEST} tests="2" failures="1"`,
        testcase('t', '', 'classname="test_p"'),
        testcase('u', '', 'classname="test_p"'),
        testcase('t', '', 'classname="test_p"'),
        testcase('u', '<failure/>', 'classname="test_p"'),
      ),
      ['test_p.py::t failed1', 'test_p.py::t passed2', 'test_p.py::u failed1', 'test_p.py::u failed2'],
      1,
    ],
    [
      'pytest --keep-duplicates: these are no repetitions',
      suite(
        `${PYTEST} tests="2" failures="0"`,
        testcase('t', '', 'classname="test_p"'),
        testcase('t', '', 'classname="test_p"'),
      ),
      ['test_p.py::t passed1', 'test_p.py::t passed2'],
      0,
    ],
    [
      'pytest: failed, and failed in its tear-down',
      suite(
        'name="pytest" tests="1" failures="1" errors="1"',
        testcase('t', '<failure/>', 'classname="test_p"'),
        testcase('t', '<error/>', 'classname="test_p"'),
      ),
      ['test_p.py::t failed'],
      1,
    ],
    [
      'surefire, nextest: reruns, and a flake',
      suite(
        `${SUREFIRE} tests="5" failures="4"`,
        testcase('a', '<failure/><rerunFailure><stackTrace/></rerunFailure>'),
        testcase('b', '<flakyError/><flakyFailure/>'),
      ),
      ['p.a failed1', 'p.a failed2', 'p.b failed1', 'p.b failed2', 'p.b passed3'],
      1,
    ],
    [
      'several tests of one name, of surefire',
      suite(`${SUREFIRE} tests="2" failures="1"`, testcase('t', '<failure/>'), testcase('t')),
      ['p.t failed weak', 'p.t passed weak'],
      1,
    ],
    [
      'and of a JavaScript runner',
      `<testsuites name="vitest tests">${suite('name="p" tests="2" failures="1"', testcase('t', '<failure/>'), testcase('t'))}</testsuites>`,
      ['p > t failed weak', 'p > t passed weak'],
      1,
    ],
    [
      'nobody known: a flake',
      suite('name="s" tests="2" failures="1"', testcase('t', '<failure/>'), testcase('t')),
      ['p.t failed1', 'p.t passed2'],
      0,
    ],
    [
      'nobody known: a flake, called as its class',
      suite('name="s" tests="2" failures="1"', testcase('p', '<failure/>'), testcase('p')),
      ['p failed1', 'p passed2'],
      0,
    ],
    [
      'nobody known: passed, then failed',
      suite('name="s" tests="2" failures="1"', testcase('t'), testcase('t', '<failure/>')),
      ['p.t passed1', 'p.t failed2'],
      1,
    ],
    [
      'nobody known: failed at last',
      suite('name="s" tests="3" failures="2"', testcase('t', '<failure/>'), testcase('t'), testcase('t', '<failure/>')),
      ['p.t failed1', 'p.t passed2', 'p.t failed3'],
      1,
    ],
  ];
  for (const [name, xml, expected, failed] of cases) {
    const records = of(xml);
    t.strictSame(outcomes(records), expected, name);
    t.equal(failures(records).length, failed, name);
    const [one] = suites(records);
    t.match(one, { agrees: true, result: failed > 0 ? 'failed' : 'passed' }, name);
    t.equal(summary(records).complete, true, name);
  }
  t.end();
});

test('a suite that lists less than it counts does not agree', t => {
  const records = of(suite('name="s" tests="2" failures="2"', testcase('t', '<failure/>')));
  t.match(suites(records), [{ agrees: false, result: 'failed' }]);
  t.match(summary(records), { complete: false, reason: 'tally' });
  const hidden = of(suite('name="s" tests="2" errors="1"', testcase('t')));
  t.match(suites(hidden), [{ agrees: false, result: 'failed' }]);
  t.match(summary(of('<testsuites/>')), { complete: false, reason: 'noRun' }, 'nothing ran');
  const cases: [string, string, boolean][] = [
    ['all', suite('name="s" tests="2" failures="0"', testcase('a'), testcase('b')), true],
    ['fewer', suite('name="s" tests="10" failures="0"', testcase('a'), testcase('b')), false],
    ['fewer, no failures counted', suite('name="s" tests="10"', testcase('a'), testcase('b')), false],
    ['but for the skipped', suite('name="s" tests="3" skipped="1"', testcase('a'), testcase('b')), true],
    [
      'but for the disabled and ignored',
      suite('name="s" tests="4" disabled="1" ignored="1"', testcase('a'), testcase('b')),
      true,
    ],
    ['one skipped of two', suite('name="s" tests="4" skipped="1"', testcase('a'), testcase('b', '<skipped/>')), false],
    ['skipped, listed and not counted', suite('name="s" tests="1"', testcase('a'), testcase('b', '<skipped/>')), true],
    [
      'tests of suites inside',
      suite('name="s" tests="2"', suite('name="i" tests="1"', testcase('a')), testcase('b')),
      true,
    ],
    [
      'skipped, by the suites inside alone',
      `<testsuites tests="3">${suite('name="s" tests="3" skipped="2"', testcase('a'))}</testsuites>`,
      true,
    ],
    ['attempts', suite(`${SUREFIRE} tests="2" failures="1"`, testcase('a', '<flakyFailure/>')), true],
    ['fewer than the attempts', suite(`${SUREFIRE} tests="3" failures="1"`, testcase('a', '<flakyFailure/>')), false],
    [
      'pytest counts subtests',
      suite(`${PYTEST} tests="9" failures="0"`, testcase('t', '', 'classname="test_p"')),
      true,
    ],
    [
      'mocha-junit-reporter counts what is pending',
      `<testsuites name="Mocha Tests" tests="9">${suite('name="p" tests="8"', testcase('p t'))}</testsuites>`,
      true,
    ],
    [
      'node:test, its own count',
      `<testsuites><testcase name="a" classname="test"/><!-- tests 5 --><!-- pass 5 --><!-- fail 0 --></testsuites>`,
      false,
    ],
    [
      'node:test, a test with others inside',
      `<testsuites>${suite('name="s" tests="1" disabled="0"', testcase('a', '', 'classname="test"'))}<!-- tests 2 --><!-- pass 2 --><!-- fail 0 --></testsuites>`,
      true,
    ],
  ];
  for (const [name, xml, agrees] of cases) {
    const all = of(xml);
    t.ok(suites(all).length > 0, name);
    t.equal(
      suites(all).every(one => one.agrees),
      agrees,
      name,
    );
    t.ok(
      suites(all).every(one => one.result === 'passed'),
      name,
    );
    t.equal(summary(all).complete, agrees, name);
  }
  t.end();
});

test('what failed in a suite outside of its tests', t => {
  const boom = '<error message="boom">trace</error>';
  const cases: [string, string, string[], object[]][] = [
    [
      'before its tests',
      suite('name="a" tests="1" errors="1" failures="0"', boom, testcase('x')),
      ['p.x passed', 'a failed'],
      [{ suite: 'a', result: 'failed', failed: 1, agrees: true }],
    ],
    [
      'not counted',
      suite('name="a" tests="2" failures="1"', testcase('x'), testcase('y', '<failure/>'), boom),
      ['p.x passed', 'p.y failed', 'a failed'],
      [{ suite: 'a', result: 'failed', failed: 1, agrees: true }],
    ],
    [
      'without tests, without a count, twice',
      suite('name="a"', boom, '<failure>more</failure>'),
      ['a failed'],
      [{ result: 'failed', agrees: true }],
    ],
    [
      'without a name',
      `<testsuites name="all">${suite('', boom, testcase('x'))}</testsuites>`,
      ['p.x passed', 'all failed'],
      [{ result: 'failed', agrees: true }],
    ],
    ['nothing has a name', suite('', boom), ['a suite without a name failed weak'], [{ agrees: true }]],
    [
      'of surefire',
      suite(`${SUREFIRE} tests="1" errors="1"`, testcase('x'), boom),
      ['p.x passed', 'p failed'],
      [{ agrees: true }],
    ],
    [
      'of pytest',
      suite(`${PYTEST} tests="1"`, boom, testcase('t', '', 'classname="test_p"')),
      ['test_p.py::t passed', 'pytest failed'],
      [{}],
    ],
    [
      'a test of its name passed',
      suite('name="a" tests="1" errors="1"', boom, testcase('a', '', '')),
      ['a passed1', 'a failed2'],
      [{ agrees: true }],
    ],
    ['cut', `<testsuite name="a" tests="2">${testcase('x')}<error message="boom">tra`, ['p.x passed', 'a failed'], []],
    [
      'counted, and not told',
      suite('name="a" tests="1" errors="1" failures="0"', testcase('x')),
      ['p.x passed'],
      [{ suite: 'a', result: 'failed', agrees: false }],
    ],
    [
      'gotestsum counts other output at the outermost',
      `<testsuites tests="1" failures="0" errors="1">${suite('name="p" tests="1" failures="0"', GO, testcase('TestA'))}</testsuites>`,
      ['p TestA passed'],
      [{ agrees: true }, { agrees: true, result: 'passed' }],
    ],
  ];
  for (const [name, xml, expected, told] of cases) {
    const records = of(xml);
    t.strictSame(outcomes(records), expected, name);
    t.match(suites(records), told, name);
    t.equal(suites(records).length, told.length, name);
    t.equal(
      failures(records).length,
      expected.filter(one => / failed(?! weak)/.test(one) || / weak$/.test(one)).length,
      name,
    );
  }
  t.match(failures(of(cases[0]?.[1] ?? '')), [
    { kind: 'test', tool: 'junit', id: 'a', suite: 'a', name: 'a', message: 'boom', detail: 'trace' },
  ]);
  t.end();
});

test('what only an attribute tells', t => {
  const cases: [string, string][] = [
    ['status="failed"', 'failed'],
    ['status="fail"', 'failed'],
    ['status="error"', 'failed'],
    ['status="ERRORED"', 'failed'],
    ['status="skipped"', 'skipped'],
    ['status="notrun"', 'skipped'],
    ['status="disabled"', 'skipped'],
    ['status="ignored"', 'skipped'],
    ['status="pending"', 'skipped'],
    ['status="passed"', 'passed'],
    ['status="run"', 'passed'],
    ['status="constructor"', 'passed'],
    ['result="failed"', 'passed'],
  ];
  for (const [attribute, result] of cases) {
    const records = of(suite('name="s" tests="1"', testcase('t', '', `classname="p" ${attribute}`)));
    t.strictSame(outcomes(records), [`p.t ${result}`], attribute);
    t.equal(failures(records).length, result === 'failed' ? 1 : 0, attribute);
    t.match(suites(records), [{ agrees: true, result: result === 'failed' ? 'failed' : 'passed' }], attribute);
  }
  const both = of(suite('name="s" tests="1"', testcase('t', '<skipped/>', 'classname="p" status="failed"')));
  t.strictSame(outcomes(both), ['p.t skipped'], 'an element tells more');
  t.end();
});

test('more tests in a suite than are held', t => {
  const many = 12_000;
  const cases = Array.from({ length: many }, (_, i) =>
    testcase(`t${i}`, i % 10 === 0 ? '<failure message="no"/>' : '', 'classname="test_p"'),
  );
  const records = of(suite(`${PYTEST} tests="${many}" failures="${many / 10}"`, ...cases));
  t.equal(outcomes(records).length, many);
  t.equal(failures(records).length, many / 10);
  t.notOk(records.some(record => 'weakId' in record || 'cut' in record));
  t.match(suites(records), [{ agrees: true, failed: many / 10 }]);
  t.end();
});

test('ids', t => {
  const cases: [string, string, string][] = [
    [
      'pytest, a class',
      suite(`${PYTEST} tests="1"`, testcase('t[a::b]', '', 'classname="a.test_b.TestC.TestD"')),
      'a/test_b.py::TestC::TestD::t[a::b] passed',
    ],
    [
      'pytest, by its file',
      suite(`${PYTEST} tests="1"`, testcase('t', '', 'classname="a.check.C" file="a/check.py"')),
      'a/check.py::C::t passed',
    ],
    [
      'pytest, inherited from another file',
      suite(`${PYTEST} tests="1"`, testcase('t', '', 'classname="a.test_b.TestC" file="base.py"')),
      'a/test_b.py::TestC::t passed',
    ],
    [
      'pytest, a module of another name',
      suite(`${PYTEST} tests="1"`, testcase('t', '', 'classname="a.check.C"')),
      'a/check.py::C::t passed weak',
    ],
    [
      'pytest, not loaded',
      suite(`${PYTEST} tests="1"`, testcase('a.test_b', '<skipped/>', 'classname=""')),
      'a/test_b.py skipped',
    ],
    [
      'pytest, a text file',
      suite(`${PYTEST} tests="1"`, testcase('a.rst', '', 'classname="docs.a.rst"')),
      'docs/a.rst::a.rst passed',
    ],
    ['a Java class', suite(`${SUREFIRE} tests="1"`, testcase('', '<skipped/>', 'classname="a.B$C"')), 'a.B$C skipped'],
    [
      'nextest',
      `<testsuites name="nextest-run">${suite('name="my-a::it" tests="1"', testcase('x::y', '', 'classname="my-a::it"'))}</testsuites>`,
      'my-a::it x::y passed',
    ],
    [
      'vitest',
      `<testsuites name="vitest tests">${suite('name="a.ts" tests="1"', testcase('b &gt; c', '', 'classname="a.ts"'))}</testsuites>`,
      'a.ts > b > c passed',
    ],
    [
      'jest, by default',
      `<testsuites name="jest tests">${suite('name="b" tests="1"', testcase('b c d', '', 'classname="b c d"'))}</testsuites>`,
      'b > c d passed weak',
    ],
    [
      'jest, all told',
      `<testsuites name="jest tests">${suite('name="b" tests="1"', testcase('d', '', 'classname="b › c" file="a.js"'))}</testsuites>`,
      'a.js > b > c > d passed',
    ],
    [
      'mocha-junit-reporter',
      `<testsuites name="Mocha Tests">${suite('name="b" tests="1"', testcase('a b c', '', 'classname="c"'))}</testsuites>`,
      'a b c passed',
    ],
    [
      'mocha-junit-reporter, blanks around titles',
      `<testsuites name="Mocha Tests">${suite('name="b" tests="1"', testcase(' a   c ', '', 'classname=" c "'))}</testsuites>`,
      'a c passed',
    ],
    [
      'mocha -R xunit, blanks around titles',
      suite('name="Mocha Tests" tests="1"', testcase(' c ', '', 'classname=" a "')),
      'a c passed',
    ],
    [
      'jest, blanks around titles',
      `<testsuites name="jest tests">${suite('name="b" tests="1"', testcase('d ', '', 'classname=" b  › c" file="a.js"'))}</testsuites>`,
      'a.js > b > c > d passed',
    ],
    [
      'Playwright, blanks around titles',
      `<testsuites id="" name="">${suite('name="a.js" tests="1"', testcase(' b  › x ', '', 'classname="a.js"'))}</testsuites>`,
      'a.js > b > x passed',
    ],
    [
      'vitest, blanks around titles: its log has them',
      `<testsuites name="vitest tests">${suite('name="a.ts" tests="1"', testcase(' b  &gt; x ', '', 'classname="a.ts"'))}</testsuites>`,
      'a.ts >  b  > x  passed',
    ],
    ['mocha -R xunit', suite('name="Mocha Tests" tests="1"', testcase('c', '', 'classname="a b"')), 'a b c passed'],
    [
      'node:test',
      `<testsuites>${suite('name="a &amp;lt; b" disabled="0"', testcase('c', '', 'classname="test" file="a.js"'))}</testsuites>`,
      'a.js > a < b > c passed',
    ],
    [
      'ExUnit',
      suite('name="Elixir.A.BTest" tests="1"', testcase('test c', '', 'classname="Elixir.A.BTest"')),
      'A.BTest test c passed',
    ],
    [
      'XCTest',
      suite('name="TestResults" tests="1"', testcase('testC', '', 'classname="Shop.CartTests"')),
      'CartTests testC passed',
    ],
    ['nothing known', suite('name="s" tests="1"', '<testcase/>'), 's passed weak'],
    ['nobody known', suite('name="s" tests="1"', testcase('t', '', '')), 't passed'],
  ];
  for (const [name, xml, expected] of cases) t.strictSame(outcomes(of(xml)), [expected], name);
  t.end();
});

test('a test is called as the log of its runner has it', t => {
  /** [report, log of the same tests, what only one of them can tell] */
  const pairs: [string, string, RegExp?][] = [
    ['pytest-9-ids', 'pytest/pytest-9-ids'],
    ['pytest-9-not-loaded', 'pytest/pytest-9-collection-errors'],
    ['pytest-9-doctests', 'pytest/doctest-red'],
    ['surefire-junit-5-several', 'surefire/junit-5'],
    ['surefire-junit-4-several', 'surefire/junit-4'],
    ['surefire-testng', 'surefire/testng'],
    ['surefire-flaky', 'surefire/flaky'],
    ['failsafe', 'surefire/failsafe'],
    ['ant-several', 'ant/plain'],
    ['go-junit-report-count-2', 'go-test/count2-v'],
    ['unittest', 'unittest/python-3.13-verbose'],
    ['vitest-4', 'vitest/default', /each|twins|name\sof two lines/],
    ['vitest-3', 'vitest/vitest-3-basic', /each|hooks/],
    ['jest-junit-titles-apart', 'jest/nested', /each|twins|name\sof two lines/],
    ['mocha-xunit', 'mocha/spec', / hook/],
    ['gtest', 'gtest/assertions', /SetUpTestSuite/],
    ['ctest', 'ctest/output-on-failure', /Unit|Shop.P/],
  ];
  const all = new Map([...fixtures(), ...reports()].map(({ name, expected = '' }) => [name, expected]));
  const failed = (name: string, but: RegExp | undefined): string[] => {
    const lines = all.get(name)?.split('\n').filter(Boolean) ?? [];
    const ids = lines.map(line => JSON.parse(line) as AidoRecord).filter((r): r is Failure => r.type === 'failure');
    return ids.filter(({ kind, id }) => kind === 'test' && !but?.test(id)).map(({ tool, id }) => `${tool} ${id}`);
  };
  for (const [report, log, but] of pairs) {
    const expected = failed(log, but);
    t.ok(expected.length > 0, log);
    t.strictSame([...new Set(failed(`junit/${report}`, but))].sort(), expected.sort(), report);
  }
  t.end();
});

test('what is huge costs nothing', t => {
  const huge = 'all is well, and & nothing > is said\n'.repeat(230_000).replaceAll('&', '&amp;');
  t.ok(huge.length > 8 << 20);
  const within = [
    `<system-out>${huge}</system-out>`,
    `<system-out><![CDATA[${huge}]]></system-out>`,
    `<!-- ${huge} -->`,
    `<properties><property name="a" value="${huge}"/></properties>`,
    `<failure message="${huge}">${huge}</failure>`,
    `<error><![CDATA[${huge}]]></error>`,
  ];
  const before = process.memoryUsage().heapUsed;
  for (const part of within) {
    const parts = [`<testsuite name="s" tests="1">\n<testcase name="t">`, part, '</testcase></testsuite>'].map(s =>
      Buffer.from(s),
    );
    const records: AidoRecord[] = [];
    const facts = new Facts({ outcomes: true }, record => records.push(record));
    for (const one of parts) for (let at = 0; at < one.length; at += 65_536) facts.write(one.subarray(at, at + 65_536));
    facts.end();
    t.match(outcomes(records), [/^t (?:passed|failed)$/], part.slice(0, 20));
    for (const failure of failures(records)) t.match(failure, { cut: true }, 'what is cut says so');
  }
  t.ok(process.memoryUsage().heapUsed - before < 200 << 20);
  t.end();
});
