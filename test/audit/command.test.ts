/** The command line of aido-audit: gates, plans, what is new, what is allowed, and what is no audit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { Documents } from '../../src/audit/documents.js';
import { command } from '../../src/audit/main.js';
import type { AidoRecord, Summary } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { random } from '../support/fixtures.js';
import { temporary } from '../support/folder.js';
import { call, FakeSignals } from '../support/world.js';

const folder = temporary();
const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

/** Runs it; the last record is the summary. */
async function audit(input: string | Buffer, ...argv: string[]) {
  const answer = await call(command, argv, { input: [input], cwd: folder, env: { SOURCE_DATE_EPOCH: '1798761600' } });
  const records = answer.out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as AidoRecord);
  for (const record of records) if (!argv.includes('-p')) mustBeValid(record);
  const summary = records.at(-1) as Summary;
  return { ...answer, records, summary, told: records.slice(0, -1) as (AidoRecord & Record<string, unknown>)[] };
}

function mustBeValid(record: AidoRecord): void {
  const wrong = validate(record);
  if (wrong !== undefined) throw new Error(`${wrong}: ${JSON.stringify(record)}`);
}

interface Vulnerable {
  name?: string;
  id: string;
  severity?: string;
  range?: string;
  version?: string;
  direct?: boolean;
}

/** A line of `yarn npm audit --json`. */
const line = ({ name = 'p', id, severity = 'high', range = '<1.2.3', version = '1.0.0', direct = true }: Vulnerable) =>
  `${JSON.stringify({
    value: name,
    children: {
      ID: Number(id[5]),
      Issue: `About ${id}`,
      URL: `https://github.com/advisories/${id}`,
      Severity: severity,
      'Vulnerable Versions': range,
      'Tree Versions': [version],
      Dependents: [direct ? 'me@workspace:.' : 'other@npm:1.0.0'],
    },
  })}\n`;

const A = 'GHSA-2222-2222-2222';
const B = 'GHSA-3333-3333-3333';
const C = 'GHSA-4444-4444-4444';
/** What pip-audit prints where nothing is found. */
const CLEAN = '{"dependencies":[{"name":"flask","version":"3.0.0","vulns":[]}],"fixes":[]}';

test('the gate', async t => {
  const high = line({ id: A });
  const unknown = line({ id: A, severity: '' });
  const never = line({ id: A, range: '>=0' });
  const cases: [string, string, string[], number][] = [
    ['without -e it is a filter', high, [], 0],
    ['an advisory', high, ['-e'], 1],
    ['nothing', CLEAN, ['-e'], 0],
    ['at the level', high, ['-e', '--level', 'high'], 1],
    ['below the level', high, ['-e', '--level', 'critical'], 0],
    ['above the level', high, ['-e', '--level', 'low'], 1],
    ["a level in the auditor's words", line({ id: A, severity: 'moderate' }), ['-e', '--level', 'MEDIUM'], 1],
    ['of an unknown severity nobody knows that it is below', unknown, ['-e', '--level', 'critical'], 1],
    ['fixable', high, ['-e', '--fixable'], 1],
    ['not fixable', never, ['-e', '--fixable'], 0],
    ['--status of one that found something', high, ['--status', '1'], 0],
    ['--status of one that was killed', high, ['--status', '137'], 2],
    ['--status of one that has no right to fail', CLEAN, ['--status', '1'], 2],
    ['--status 0', CLEAN, ['--status', '0'], 0],
    ['yarn 4 prints nothing where nothing is found', '', ['-e', '--status', '0'], 0],
    ['nothing of one that failed', '', ['-e', '--status', '1'], 2],
    ['an advisory without a name', line({ id: '' }), ['-e'], 1],
    ['osv-scanner prints the same where it failed', '{"results":[]}', ['-e'], 2],
    ['osv-scanner that exited with 0', '{"results":[]}', ['-e', '--status', '0'], 0],
    ['osv-scanner that failed', '{"results":[]}', ['--status', '127'], 2],
    ['not audited', '{"dependencies":[{"name":"x","skip_reason":"not on PyPI"}],"fixes":[]}', ['-e'], 2],
    ['not audited, without a gate', '{"dependencies":[{"name":"x","skip_reason":"not on PyPI"}],"fixes":[]}', [], 0],
  ];
  for (const [name, input, argv, status] of cases) {
    const { status: found, err, summary } = await audit(input, ...argv);
    t.equal(found, status, `${name}: ${err}`);
    if (status === 2) t.match(err, /^aido-audit: BAD_INPUT: .+\n$/, name);
    if (found !== 2) t.equal(summary.type, 'summary', name);
  }
});

test('--prod leaves out what is only for development', async t => {
  const advisory = (id: number, dev: boolean) => ({
    id,
    module_name: `p${id}`,
    severity: 'high',
    title: 'T',
    vulnerable_versions: '<2.0.0',
    patched_versions: '>=2.0.0',
    findings: [{ version: '1.0.0', paths: [`p${id}`], dev }],
    url: `https://npmjs.com/advisories/${id}`,
  });
  const actions = [1, 2].map(id => ({
    action: 'install',
    module: `p${id}`,
    target: '2.0.0',
    isMajor: true,
    resolves: [{ id, path: `p${id}`, dev: id === 1, optional: false, bundled: false }],
  }));
  const input = JSON.stringify({
    actions,
    advisories: { 1: advisory(1, true), 2: advisory(2, false) },
    muted: [],
    metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 2, critical: 0 } },
    runId: 'x',
  });
  const all = await audit(input);
  t.match(all.summary, { advisories: 2 });
  const { told, summary } = await audit(input, '--prod');
  t.match(told, [{ package: 'p2', dev: false }]);
  t.match(summary, { advisories: 1, dev: 1 });
});

test('--plan: the fewest upgrades that close the most', async t => {
  const cases: [string, string[], object[]][] = [
    [
      'one upgrade closes all of a package',
      [line({ id: A }), line({ id: B, range: '<1.4.0' }), line({ name: 'q', id: A, severity: 'critical' })],
      [
        { packages: ['p'], version: '1.4.0', closes: 2, breaking: false, ids: [A, B], severity: 'high' },
        { packages: ['q'], version: '1.2.3', closes: 1, severity: 'critical' },
      ],
    ],
    [
      'a breaking one says how far one gets without',
      [line({ id: A }), line({ id: B, range: '<2.0.0' })],
      [{ version: '2.0.0', closes: 2, breaking: true, safeVersion: '1.2.3', safeCloses: 1 }],
    ],
    [
      'no version that has it again',
      [line({ id: A, range: '<1.2.3 || >=1.4.0 <1.5.0' }), line({ id: B, range: '<1.4.0' })],
      [{ version: '1.5.0', closes: 2, ids: [A, B], breaking: false }],
    ],
    ['nothing to do', [line({ id: A, range: '>=0' })], []],
    [
      'of as many, what breaks nothing is first, then the worse',
      [
        line({ name: 'c', id: A, range: '<2.0.0', severity: 'critical' }),
        line({ name: 'a', id: A, severity: 'low' }),
        line({ name: 'b', id: A, severity: 'high' }),
      ],
      [{ packages: ['b'] }, { packages: ['a'] }, { packages: ['c'] }],
    ],
  ];
  for (const [name, lines, wanted] of cases) {
    const { told, summary, status } = await audit(lines.join(''), '--plan');
    t.equal(status, 0, name);
    t.equal(told.length, wanted.length, name);
    t.match(told, wanted, name);
    t.match(summary, { upgrades: wanted.length, advisories: lines.length }, name);
    t.equal((summary.closes ?? 0) + (summary.left ?? 0), lines.length, name);
  }
  const { told, summary } = await audit(
    line({ id: A }) + line({ name: 'q', id: B, severity: 'low' }),
    '--plan',
    '--level',
    'high',
  );
  t.match(told, [{ packages: ['p'] }]);
  t.match(summary, { advisories: 2, closes: 1, left: 0 });
});

test('--diff: what is new', async t => {
  const before = line({ id: A }) + line({ name: 'q', id: B });
  const { out } = await audit(before);
  file('old.ndjson', out);
  file('old.jsonl', before);
  file('planned.ndjson', (await audit(before, '--plan')).out);
  file('bounded.ndjson', (await audit(before, '--max', '1')).out);
  file('cut.ndjson', `${out.split('\n')[0]}\n`);
  const cases: [string, string, string, Record<string, string>, number][] = [
    ['the same', before, 'old.ndjson', { [`p ${A}`]: 'unchanged', [`q ${B}`]: 'unchanged' }, 0],
    [
      'the same, against what yarn printed',
      before,
      'old.jsonl',
      { [`p ${A}`]: 'unchanged', [`q ${B}`]: 'unchanged' },
      0,
    ],
    ['one is new', before + line({ name: 'r', id: A }), 'old.ndjson', { [`r ${A}`]: 'new' }, 1],
    ['one is gone', line({ id: A }), 'old.ndjson', { [`q ${B}`]: 'gone' }, 0],
    ['nobody who saw it has looked', CLEAN, 'old.ndjson', { [`p ${A}`]: 'absent' }, 0],
  ];
  for (const [name, input, old, wanted, status] of cases) {
    const { told, status: found, err } = await audit(input, '-e', '--diff', old);
    t.equal(found, status, `${name}: ${err}`);
    const said = Object.fromEntries(told.map(one => [`${one.package} ${one.id}`, one.status]));
    t.match(said, wanted, name);
  }
  for (const [old, why] of [
    ['planned.ndjson', /a plan/],
    ['bounded.ndjson', /--max/],
    ['cut.ndjson', /summary/],
    ['missing', /BAD_INVOCATION: cannot read missing/],
    ['-', /BAD_INVOCATION/],
  ] as const) {
    const { status, err } = await audit(before, '--diff', old);
    t.equal(status, 2, old);
    t.match(err, why, old);
  }
  // What was gone is not gone a second time, and what was absent is still looked for.
  const gone = await audit(line({ id: A }), '--diff', 'old.ndjson');
  file('gone.ndjson', gone.out);
  t.match((await audit(before, '--diff', 'gone.ndjson')).summary, { new: 1, unchanged: 1, gone: 0 });
  const absent = await audit(CLEAN, '--diff', 'old.ndjson');
  file('absent.ndjson', absent.out);
  t.match((await audit(before, '--diff', 'absent.ndjson')).summary, { new: 0, unchanged: 2 });
});

test('--allow: what is accepted for now', async t => {
  const input = line({ id: A }) + line({ name: 'q', id: B }) + line({ name: 'r', id: C });
  // Today is 2027-01-01.
  const cases: [string, string, string[], object[]][] = [
    ['an id', `${A}\n`, [A], []],
    ['any spelling, with a comment', `# ours\n\n${A.toLowerCase()} # why\r\n`, [A], []],
    ['a name of another kind', 'npm:2 by its number\n', [A], []],
    ['all', `${A}\n${B}\n${C}\n`, [A, B, C], []],
    ['until its day', `${A} until=2027-01-01 soon\n`, [A], []],
    ['not longer', `${A} until=2026-12-31 soon\n`, [], [{ kind: 'allowExpired', id: A, allowedUntil: '2026-12-31' }]],
    ['what is not there', 'CVE-2000-1\n', [], [{ kind: 'allowUnused', id: 'CVE-2000-1', message: /allow.txt:1/ }]],
    ['an old entry beside a new one', `${A} until=2020-01-01\n${A}\n`, [A], [{ kind: 'allowExpired' }]],
  ];
  for (const [name, text, allowed, notices] of cases) {
    file('allow.txt', text);
    const { told, summary, status } = await audit(input, '-e', '--allow', 'allow.txt');
    const ids = told.filter(one => one.type === 'advisory' && one.allowed).map(one => one.id);
    t.strictSame(ids.sort(), allowed, name);
    t.match(
      told.filter(one => one.type === 'notice'),
      notices,
      name,
    );
    t.equal(summary.notices, notices.length, name);
    t.match(
      summary,
      { advisories: 3, blocking: 3 - allowed.length, ...(allowed.length && { allowed: allowed.length }) },
      name,
    );
    t.equal(status, allowed.length === 3 ? 0 : 1, name);
  }
  file('allow.txt', `${A} until=2027-01-31 because of this\n`);
  const { told } = await audit(input, '--allow', 'allow.txt');
  t.match(
    told.filter(one => one.allowed),
    [{ id: A, allowedUntil: '2027-01-31', allowedReason: 'because of this' }],
  );
  const skipped = '{"dependencies":[{"name":"Our_Own","skip_reason":"not on PyPI"}],"fixes":[]}';
  const notice = (await audit(skipped)).told[0];
  file('allow.txt', `${notice?.id}\n`);
  t.equal((await audit(skipped, '-e', '--allow', 'allow.txt')).status, 0, 'what is not audited can be accepted');
  for (const [text, why] of [
    [`${A} until=2027-02-30\n`, /line 1: 2027-02-30 is no day/],
    [`\n${A} until=soon\n`, /line 2: soon is no day/],
    [`until=2027-01-01 ${A}\n`, /not with an id/],
    [`${A} until=2027-01-01 until=2027-01-02\n`, /twice/],
  ] as const) {
    file('allow.txt', text);
    const { status, err } = await audit(input, '--allow', 'allow.txt');
    t.equal(status, 2);
    t.match(err, why);
  }
});

test('--max bounds what is written, not what is counted', async t => {
  const many = Array.from({ length: 300 }, (_, i) => line({ name: `p${i}`, id: A })).join('');
  const usual = await audit(many);
  t.equal(usual.told.length, 200);
  t.match(usual.summary, { advisories: 300, high: 300, packages: 300, over: 100 });
  const none = await audit(many, '--max', '0');
  t.equal(none.told.length, 0);
  t.match(none.summary, { advisories: 300, over: 300 });
});

test('what is no audit never reads as a clean one', async t => {
  const cases: [string, string | Buffer, RegExp][] = [
    ['nothing', '', /standard input: empty/],
    ['blank lines', '\n\n', /empty/],
    [
      'npm: no lock file',
      '{"error":{"code":"ENOLOCK","summary":"This command requires an existing lockfile.","detail":"Try"}}',
      /audit failed: ENOLOCK: This command/,
    ],
    [
      'npm: ENOAUDIT',
      '{"error":{"code":"ENOAUDIT","summary":"Your configured registry does not support audit requests."}}',
      /ENOAUDIT/,
    ],
    [
      'npm: the endpoint',
      '{"message":"request failed","method":"POST","statusCode":403,"error":{"summary":"","detail":""}}',
      /failed/,
    ],
    ['yarn', '{"type":"error","data":"An unexpected error occurred: ESOCKETTIMEDOUT"}\n', /ESOCKETTIMEDOUT/],
    ['a web page', '<!DOCTYPE html>\n<html><body>Access denied</body></html>\n', /audit failed: <!DOCTYPE html>/],
    ['text', 'npm ERR! code ENOLOCK\n', /ENOLOCK/],
    ['the text for people', 'found 0 vulnerabilities\n', /text, not JSON: found 0 vulnerabilities/],
    [
      'a document of something else',
      '{"name":"package","version":"1.0.0"}',
      /of no auditor that is known; known are .*npm audit/,
    ],
    ['a list of something else', '[{"name":1}]', /of no auditor/],
    ['a list of numbers', '[1,2,3]', /text, not JSON: \[1,2,3\]/],
    ['a record of ours', '{"type":"summary","by":"aido-audit","complete":true}', /--diff/],
    ['cut', '{"dependencies":[', /line 1: the document that begins here stops in its middle/],
    ['cut in a string', '\n{"depend', /line 2: .*middle/],
    ['no JSON', '{"dependencies":}', /line 1: no JSON/],
    ['nested too deep', `${'['.repeat(2000)}`, /nested too deep/],
    ['binary', Buffer.from([0, 1, 2, 255, 254, 10, 0]), /text, not JSON/],
    ['half of a UTF-16 file', Buffer.from('\ufeff{"dep', 'utf16le'), /middle/],
  ];
  for (const [name, input, why] of cases) {
    // That the auditor exited with 0 vouches for nothing but silence.
    const vouched = await audit(input, '--status', '0');
    if (input.toString().trim() !== '') t.match(vouched, { status: 2, out: '' }, `${name} --status 0`);
    const { status, out, err } = await audit(input);
    t.equal(status, 2, name);
    t.equal(out, '', `${name}: nothing that reads as a result`);
    t.match(err, /^aido-audit: BAD_INPUT: [^\n]+\n$/, name);
    t.match(err, why, name);
  }
});

/** A line of `yarn audit --json` of yarn 1, which is not its last. */
const yarn1 = ({ id }: Vulnerable) =>
  `${JSON.stringify({
    type: 'auditAdvisory',
    data: {
      resolution: { id: 1, path: 'p' },
      advisory: { id: 1, module_name: 'p', severity: 'high', url: `https://github.com/advisories/${id}`, findings: [] },
    },
  })}\n`;

test('what was read before counts', async t => {
  file('bad.json', '{"error":{"code":"ENOLOCK","summary":"no lock file"}}');
  const cases: [string, string, string[], object][] = [
    ['an error behind it', `${line({ id: A })}{"type":"error","data":"gone"}\n`, [], { reason: 'noRun' }],
    ['cut', `${line({ id: A })}{"value":`, [], { reason: 'truncated' }],
    ['another file', line({ id: A }), ['-', 'bad.json'], { reason: 'noRun', incomplete: [{ run: 'bad.json' }] }],
    ['an error in words', `${line({ id: A })}error: could not fetch\n`, [], { reason: 'noRun' }],
    ['yarn 1, cut at the end of a line', yarn1({ id: A }), [], { reason: 'truncated' }],
    ['the same at a gate, whatever it tells', yarn1({ id: A }), ['-e'], { reason: 'truncated' }],
  ];
  for (const [name, input, argv, wanted] of cases) {
    const { told, summary, status, err } = await audit(input, ...argv);
    t.equal(status, 2, name);
    t.match(told, [{ id: A }], name);
    t.match(summary, { complete: false, ...wanted }, name);
    t.match(err, /^aido-audit: BAD_INPUT: /, name);
  }
});

test('several inputs, and what lies between documents', async t => {
  file(
    'pip.json',
    '{"dependencies":[{"name":"flask","version":"0.5","vulns":[{"id":"PYSEC-2019-179","fix_versions":["1.0"],"aliases":["CVE-2019-1010083"],"description":"Denial of service"}]}],"fixes":[]}',
  );
  const two = await audit(line({ id: A }), '-', 'pip.json');
  t.match(two.told, [
    { package: 'p', from: ['-'] },
    { package: 'flask', id: 'PYSEC-2019-179', severity: 'unknown', from: ['pip.json'] },
  ]);
  t.match(two.summary, { advisories: 2, tools: ['pip-audit', 'yarn'], complete: true });
  const noisy = await audit(
    `Found 1 known vulnerability\n\ufeff${line({ id: A })}[notice] a new release\n${line({ id: B })}`,
  );
  t.match(noisy.summary, { advisories: 2, notices: 2, complete: true });
  t.match(
    noisy.told.filter(one => one.type === 'notice'),
    [{ kind: 'unread', message: 'line 1 is no audit: Found 1 known vulnerability' }, { kind: 'unread' }],
  );
  const powershell = await audit(Buffer.from(`\ufeff${line({ id: A })}`, 'utf16le'));
  t.match(powershell.told, [{ id: A }]);
  t.equal((await audit('', '-', '-')).status, 2, 'standard input twice');
});

test('hostile text is safe to show and to run', async t => {
  const evil = line({ name: '$(touch x)', id: A }).replace('About', '\\u001b[2J\\n::error::##[error]\\u202eAbout');
  for (const argv of [[], ['-p'], ['--plan'], ['--plan', '-p']]) {
    const { out } = await call(command, argv, { input: evil });
    t.notMatch(out, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/, argv.join());
    t.notMatch(out, /^::|##\[error/m, argv.join());
    t.match(out, argv.includes('-p') ? /'\$\(touch x\)/ : /'\$\(touch x\)[^']*'/, argv.join());
  }
});

test('flags that make no sense are refused', async t => {
  for (const [argv, why] of [
    [['--level', 'hig'], /did you mean high\?/],
    [['--level', 'everything'], /not one of critical, high/],
    [['--max', 'x'], /not a whole number/],
    [['missing.json'], /cannot read missing.json/],
    [['.'], /it is a folder/],
    [['--allow', 'missing.txt'], /cannot read missing.txt/],
    [['--plam'], /did you mean --plan\?/],
  ] as [string[], RegExp][]) {
    const { status, err } = await audit(line({ id: A }), ...argv);
    t.equal(status, 2);
    t.match(err, /^aido-audit: BAD_INVOCATION: /);
    t.match(err, why);
  }
});

test('any split of the input gives the same documents', t => {
  const text = `[notice] x\n{"a":"}]{[\\"\\\\","b":[1,{"c":"\u00e4\u{1F600}"}]}{"d":1}\n[\n1]\r\n{x}\n[] {"e":"\\\\"}tail\n {`;
  const input = Buffer.from(text);
  const read = (cuts: number[]) => {
    const said: string[] = [];
    const documents = new Documents({
      document: (value, no) => said.push(`${no} ${JSON.stringify(value)}`),
      stray: (text, no) => said.push(`${no} - ${text}`),
    });
    let from = 0;
    for (const to of [...cuts, input.length]) {
      documents.write(input.subarray(from, to));
      from = to;
    }
    documents.end();
    return said;
  };
  const wanted = [
    '1 - [notice] x',
    '2 {"a":"}]{[\\"\\\\","b":[1,{"c":"\u00e4\u{1F600}"}]}',
    '2 {"d":1}',
    '3 [1]',
    '5 - {x}',
    '6 []',
    '6 {"e":"\\\\"}',
    '6 - tail',
    '7 - {',
  ];
  t.strictSame(read([]), wanted);
  t.strictSame(read(Array.from({ length: input.length }, (_, i) => i)), wanted, 'byte by byte');
  const number = random(3);
  for (let i = 0; i < 200; i++) {
    const cuts = Array.from({ length: 4 }, () => Math.floor(number() * input.length)).sort((a, b) => a - b);
    t.strictSame(read(cuts), wanted, String(cuts));
  }
  t.end();
});

test('interrupted: what was read is told', async t => {
  const signals = new FakeSignals();
  const { Readable } = await import('node:stream');
  const input = Readable.from(
    (async function* () {
      yield Buffer.from(line({ id: A }));
      signals.emit('SIGTERM', 'SIGTERM');
      yield Buffer.from('{"value":');
    })(),
  );
  const { status, out, err } = await call(command, [], { input, signals });
  t.equal(status, 143);
  t.equal(err, '');
  const records = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  t.match(records, [{ id: A }, { type: 'summary', complete: false, reason: 'interrupted' }]);
});

test('what cannot be read is no clean audit', async t => {
  const npm = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: {} });
  const cargo = (list: unknown[], count = list.length) =>
    JSON.stringify({ database: {}, lockfile: {}, vulnerabilities: { found: true, count, list }, warnings: {} });
  const cases: [string, string][] = [
    ['npm: a name that leads nowhere', npm({ a: { via: ['b'], severity: 'critical', effects: [] } })],
    ['npm: nobody says why', npm({ a: { via: 'b', severity: 'critical', effects: [] } })],
    ['npm: what is neither', npm({ a: { via: [5], severity: 'critical', effects: [] } })],
    [
      'npm: counted, and not there',
      JSON.stringify({ auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { total: 1 } } }),
    ],
    ['cargo audit: an entry of nothing', cargo([{}])],
    ['cargo audit: counted, and not there', cargo([], 1)],
    [
      'cargo audit: an old warning of no known form',
      JSON.stringify({ ...JSON.parse(cargo([])), vulnerabilities: { count: 1, list: [] }, warnings: [5] }),
    ],
    ['pip-audit: an entry that is none', '{"dependencies":[{"name":"a","version":"1","vulns":[]},5],"fixes":[]}'],
    ['pip-audit: no list', '{"dependencies":[{"name":"a","version":"1","vulns":null}],"fixes":[]}'],
    ['govulncheck: a finding of nothing', '{"config":{"protocol_version":"v1.0.0"}}{"finding":{}}'],
    ['bundler-audit', '{"version":"0.9.2","created_at":"x","results":[{"type":"unpatched_gem","advisory":{}}]}'],
    ['composer', '{"advisories":{"a/b":[{"advisoryId":"PKSA-1"}],"c/d":5},"abandoned":[]}'],
    ['a list of bun', '{"a":[{"id":1,"vulnerable_versions":"<1"}],"b":5}'],
  ];
  for (const [name, input] of cases) {
    const { status, summary, err } = await audit(input, '-e', '--level', 'critical');
    t.ok(status > 0, `${name}: ${err}`);
    t.ok(summary === undefined || !summary.complete || (summary.blocking ?? 0) > 0, name);
  }
});

test('text beside an audit: what tells of a failure is one, the rest is told', async t => {
  const failed = [
    'npm ERR! audit endpoint returned an error',
    'npm error audit endpoint returned an error',
    'ERR_PNPM_AUDIT_BAD_RESPONSE  The audit endpoint responded with 403',
    "thread 'main' panicked at src/main.rs:1:1:",
    'Traceback (most recent call last):',
    'Usage Error: Unknown flag',
    'govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev": no route',
    '##[error]Process completed with exit code 1',
    '\u001b[31merror\u001b[0m: missing lockfile',
    '<!DOCTYPE html><html>',
    '\u27a4 YN0035: The remote server did not answer',
    'api: {"auditReportVersion":2}',
    '"advisories": {',
  ];
  for (const text of failed) {
    const { status, err } = await audit(`${CLEAN}\n${text}\n`, '-e');
    t.equal(status, 2, text);
    t.match(err, /^aido-audit: BAD_INPUT: standard input: (the audit failed: |line 2: )/, text);
  }
  const harmless = [
    '[12:00:01] audit starts',
    '[1/4] Resolving packages...',
    '> shop@1.0.0 audit',
    'Found 1 known vulnerability in 1 package',
    'npm warn deprecated error-ex@1.0.0: y',
    "npm warn EBADENGINE   package: 'http-errors@2.0.0',",
    '> error-handler@1.0.0 audit',
    'Scanned /home/me/error-pages/package-lock.json file and found 3 packages',
    'INFO:pip_audit._cli:Auditing failed-jobs (1.0)',
    'Failed to resolve gitignore for x: Rel',
    ' ELIFECYCLE  Command failed with exit code 1.',
    '0 errors',
  ];
  for (const text of harmless) {
    const { status, told, err } = await audit(`${text}\n${CLEAN}\n`, '-e');
    t.equal(status, 0, `${text}: ${err}`);
    t.match(told, [{ kind: 'unread', message: `line 1 is no audit: ${text.trim().replace(/\s+/g, ' ')}` }], text);
  }
  const unknown = [
    'bash: line 1: pip-audit: command not found',
    '/bin/sh: 1: pip-audit: not found',
    'Killed',
    'Segmentation fault',
    'No module named pip_audit',
    'curl: (6) Could not resolve host: example.com',
    '502 Bad Gateway',
    'Could not find "Gemfile.lock"',
  ];
  for (const text of unknown) {
    const { status, summary, err } = await audit(`${CLEAN}\n${text}\n`, '-e');
    t.equal(status, 2, text);
    t.match(err, /not everything was audited: .*line 2 is no audit: .*2>&1/, text);
    t.match(summary, { complete: false, reason: 'notAudited' }, text);
    t.equal((await audit(`${CLEAN}\n${text}\n`)).status, 0, `${text}: no gate, no error`);
    t.equal((await audit(`${line({ id: A })}${text}\n`, '-e')).status, 1, `${text}: an advisory is one all the same`);
  }
  const between = await audit(`\u001e${CLEAN}\n,${line({ id: A })}`);
  t.match(between.told, [{ id: A }], 'what some put between documents');
  const chatter = [
    '{"type":"warning","data":"package.json: No license field"}',
    '{"type":"verbose","data":"x"}',
    '{"type":"info","name":null,"displayName":"YN0000","indent":"","data":"x"}',
  ];
  for (const text of chatter) t.equal((await audit(`${text}\n${CLEAN}`, '-e')).status, 0, text);
});

test('documents of more than a mebibyte', async t => {
  const pad = JSON.stringify('x'.repeat(1_200_000));
  const long = (name: string) =>
    `{"dependencies":[{"name":${JSON.stringify(name)},"version":"1","vulns":[{"id":"PYSEC-1-1","fix_versions":[],"aliases":[],"description":""}]}],"pad":${pad}}`;
  const cases: [string, string, string[], RegExp][] = [
    ['one', long('a'), ['a'], /^$/],
    ['two', `${long('a')}\n${long('b')}`, ['a', 'b'], /^$/],
    ['with text in front and behind', `[notice]\n${long('a')}\nFound 1\n`, ['a'], /^$/],
    ['a short one behind', `${long('a')}${line({ name: 'p', id: A })}`, ['p', 'a'], /^$/],
    ['cut', long('a').slice(0, -1), [], /line 1: the document that begins here stops in its middle/],
    ['the second is cut', `${long('a')}\n${long('b').slice(0, -1)}`, ['a'], /line 2: .*middle/],
    ['no JSON', long('a').replace('"pad":', '"pad"'), [], /line 1: no JSON/],
  ];
  for (const [name, input, wanted, why] of cases) {
    const { told, err } = await audit(input);
    t.strictSame(
      told.filter(one => one.type === 'advisory').map(one => one.package),
      wanted,
      name,
    );
    t.match(err, why, name);
  }
});

test('--status speaks of one auditor', async t => {
  file('empty', '');
  file('clean.json', CLEAN);
  file('scanned.json', '{"results":[]}');
  for (const argv of [
    ['clean.json', 'empty'],
    ['clean.json', 'scanned.json'],
  ]) {
    t.equal((await audit('', '-e', '--status', '0', ...argv)).status, 2, argv.join());
  }
  t.equal((await audit('', '-e', '--status', '0', 'scanned.json')).status, 0);
});

test('--diff: what never passed the gate is not let through', async t => {
  const low = (await audit(line({ id: A, severity: 'low' }))).out;
  file('low.ndjson', low);
  const raised = await audit(line({ id: A, severity: 'critical' }), '-e', '--level', 'high', '--diff', 'low.ndjson');
  t.equal(raised.status, 1);
  t.match(raised.told, [{ status: 'worse' }]);
  t.match(raised.summary, { new: 0, worse: 1, unchanged: 0 });
  const lowered = await audit(line({ id: A, severity: 'info' }), '-e', '--diff', 'low.ndjson');
  t.equal(lowered.status, 0);
  file('until.txt', `${A} until=2027-01-01\n`);
  const allowed = await audit(line({ id: A }), '--allow', 'until.txt');
  file('allowed.ndjson', allowed.out);
  t.equal((await audit(line({ id: A }), '-e', '--allow', 'until.txt', '--diff', 'allowed.ndjson')).status, 0);
  file('until.txt', `${A} until=2026-12-31\n`);
  const over = await audit(line({ id: A }), '-e', '--allow', 'until.txt', '--diff', 'allowed.ndjson');
  t.equal(over.status, 1, 'its day has passed');
  t.match(over.told[0], { status: 'worse' });
  // Clients of one registry speak for each other: what they print may look the same.
  const bun = await audit('{}', '--diff', 'low.ndjson');
  t.match(bun.told, [{ id: A, status: 'gone' }]);
  const mute = await audit('', '--status', '0', '--diff', 'low.ndjson');
  t.match(mute.told, [{ id: A, status: 'gone' }]);
});

test('--allow: a day that is written otherwise is no reason', async t => {
  const input = line({ id: A });
  for (const text of ['until:2027-01-31', 'until 2020-01-31', 'Until=2027-01-31', 'UNTIL: 2027']) {
    file('allow.txt', `${A} ${text}\n`);
    const { status, err } = await audit(input, '--allow', 'allow.txt');
    t.equal(status, 2, text);
    t.match(err, /BAD_INVOCATION: allow.txt: line 1: .*until=2027-01-31/, text);
  }
  file('allow.txt', `${A} not until we have moved\n`);
  t.equal((await audit(input, '-e', '--allow', 'allow.txt')).status, 0, 'a word of the reason');
  file('allow.txt', Buffer.from(`\ufeff${A}\r\n`, 'utf16le'));
  t.equal((await audit(input, '-e', '--allow', 'allow.txt')).status, 0, 'PowerShell');
  file('allow.txt', `${B}\r${A}\r`);
  t.equal((await audit(input, '-e', '--allow', 'allow.txt')).status, 0, 'lines that end with CR');
});

test('--plan: a version closes only what it is safe from', async t => {
  const pip = (...vulns: [string, string[]][]) =>
    JSON.stringify({
      dependencies: [
        {
          name: 'u',
          version: '1.25.8',
          vulns: vulns.map(([id, fix_versions]) => ({ id, fix_versions, aliases: [], description: '' })),
        },
      ],
      fixes: [],
    });
  const crate = (id: string, patched: string[]) => ({
    advisory: { id, package: 'c', title: '', aliases: [] },
    versions: { patched, unaffected: [] },
    package: { name: 'c', version: '1.6.0' },
  });
  const cargo = (...list: object[]) =>
    JSON.stringify({
      database: {},
      lockfile: {},
      vulnerabilities: { found: true, count: list.length, list },
      warnings: {},
    });
  const cases: [string, string, object[]][] = [
    [
      'pip: of one series',
      pip(['PYSEC-1-1', ['1.26.5']], ['PYSEC-1-2', ['1.26.17', '2.0.6']]),
      [{ version: '1.26.17', closes: 2 }],
    ],
    [
      'pip: past a series',
      pip(['PYSEC-1-1', ['2.0.2']], ['PYSEC-1-2', ['1.26.17', '2.0.6']]),
      [{ version: '2.0.6', closes: 2 }],
    ],
    [
      'cargo: a gap between patched ones',
      cargo(crate('RUSTSEC-1-1', ['>=1.8.0']), crate('RUSTSEC-1-2', ['>=1.6.2, <1.7.0', '>=1.9.0'])),
      [{ version: '1.9.0', closes: 2, command: 'cargo update -p c@1.6.0 --precise 1.9.0' }],
    ],
    [
      'cargo: above a version: which one is not told',
      cargo(crate('RUSTSEC-1-1', ['>=1.6.1']), crate('RUSTSEC-1-2', ['> 1.6.1'])),
      [{ packages: ['c'], closes: 2, version: undefined, command: undefined }],
    ],
  ];
  for (const [name, input, wanted] of cases) {
    const { told, summary } = await audit(input, '--plan');
    t.match(told, wanted, name);
    t.equal((summary.closes ?? 0) + (summary.left ?? 0), 2, name);
  }
});

test('hostile sizes end soon', async t => {
  const started = Date.now();
  const versions = Array.from({ length: 20_000 }, (_, i) => `1.${i}.0`);
  const many = `${JSON.stringify({
    value: 'p',
    children: {
      ID: 1,
      Issue: 'x',
      URL: '',
      Severity: 'high',
      'Vulnerable Versions': '<2.0.0',
      'Tree Versions': versions,
      Dependents: ['o@npm:1.0.0'],
    },
  })}\n`;
  t.match((await audit(many, '--plan')).summary, { advisories: 1 });
  t.match((await audit(line({ id: A, range: `<${' '.repeat(200_000)}x` }))).summary, { advisories: 1 });
  const units = Array.from({ length: 20_000 }, (_, i) => line({ name: `p${i}`, id: A })).join('');
  t.match((await audit(units, '--plan')).summary, { upgrades: 20_000 });
  const mended = Array.from({ length: 5_000 }, (_, i) => `1.${i + 1}.0`);
  const pip = {
    name: 'u',
    version: '1.0.0',
    vulns: Array.from({ length: 20 }, (_, i) => ({
      id: `PYSEC-1-${i}`,
      fix_versions: mended,
      aliases: [],
      description: '',
    })),
  };
  t.match((await audit(JSON.stringify({ dependencies: [pip], fixes: [] }), '--plan')).summary, { closes: 20 });
  file('allow.txt', `${A}\n`.repeat(50_000));
  t.match((await audit(line({ id: A }), '--allow', 'allow.txt')).summary, { allowed: 1 });
  t.ok(Date.now() - started < 20_000, `${Date.now() - started} ms`);
});

test('npm: patched versions in several pieces', async t => {
  const advisory = {
    id: 1179,
    module_name: 'minimist',
    severity: 'low',
    title: 'T',
    url: 'https://npmjs.com/advisories/1179',
    vulnerable_versions: '<0.2.1 || >=1.0.0 <1.2.3',
    patched_versions: '>=0.2.1 <1.0.0 || >=1.2.3',
    findings: [{ version: '0.2.0', paths: ['.>minimist'] }],
  };
  const { told } = await audit(
    JSON.stringify({ actions: [], advisories: { 1179: advisory }, muted: [], metadata: {} }),
  );
  t.match(told, [{ fix: { available: true, version: '0.2.1', breaking: false } }]);
});
