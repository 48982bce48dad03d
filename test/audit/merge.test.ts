/** One vulnerability is one advisory, whoever tells of it and under whatever name; how severe it is, and the way out. */
import { test } from 'tap';
import type { Finding } from '../../src/audit/auditor.js';
import { Findings } from '../../src/audit/findings.js';
import { merge } from '../../src/audit/merge.js';
import { byUrgencyOfRecords } from '../../src/audit/order.js';
import { scoreOf } from '../../src/audit/severity.js';
import type { Advisory } from '../../src/record/types.js';
import { random } from '../support/fixtures.js';

type Part = Partial<Finding> & { tool?: string; from?: string };

/** Findings of `p` in npm, unless they say otherwise. */
function records(...parts: Part[]): Advisory[] {
  const findings = new Findings();
  for (const { tool = 'npm', from = '-', ...part } of parts) {
    const out = findings.out(from, () => {});
    out.audited(tool);
    out.finding({ ecosystem: 'npm', package: 'p', ids: ['GHSA-aaaa'], ...part });
  }
  return merge(findings.findings, scoreOf, false).map(({ record }) => record);
}

const V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P'; // 7.5
const V3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'; // 9.8
const V4 = 'CVSS:4.0/AV:L/AC:L/AT:N/PR:L/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N'; // 4.8

test('what is one advisory', t => {
  const cases: [string, Part[], string[]][] = [
    ['twice the same', [{}, {}], ['p GHSA-aaaa']],
    ['two packages', [{}, { package: 'q' }], ['p GHSA-aaaa', 'q GHSA-aaaa']],
    ['two ecosystems', [{}, { ecosystem: 'PyPI' }], ['p GHSA-aaaa', 'p GHSA-aaaa']],
    ['two vulnerabilities', [{}, { ids: ['GHSA-bbbb'] }], ['p GHSA-aaaa', 'p GHSA-bbbb']],
    ['an alias', [{ ids: ['CVE-1-1'] }, { ids: ['GHSA-aaaa', 'CVE-1-1'] }], ['p GHSA-aaaa']],
    [
      'names that a third one joins',
      [{ ids: ['CVE-1-1'] }, { ids: ['PYSEC-1-1'] }, { ids: ['GHSA-aaaa', 'CVE-1-1', 'PYSEC-1-1'] }],
      ['p GHSA-aaaa'],
    ],
    [
      'names that are known from another package',
      [{ ids: ['CVE-1-1'] }, { ids: ['GHSA-aaaa'] }, { package: 'q', ids: ['GHSA-aaaa', 'CVE-1-1'] }],
      ['p GHSA-aaaa', 'q GHSA-aaaa'],
    ],
    ['spelling', [{ ids: ['ghsa-AAAA'] }, { ids: ['GHSA-aaaa ', 'cve-1-1'] }], ['p GHSA-aaaa']],
    [
      'names of Python packages',
      [
        { ecosystem: 'PyPI', package: 'Ruamel_yaml' },
        { ecosystem: 'PyPI', package: 'ruamel.yaml' },
      ],
      ['Ruamel_yaml GHSA-aaaa'],
    ],
    ['its own name before CVE', [{ ids: ['RUSTSEC-1-1', 'CVE-1-1', 'GHSA-aaaa'] }], ['p RUSTSEC-1-1']],
    ['one without a name counts, too', [{ ids: [] }], ['p unnamed:npm/p']],
    [
      'names of Composer packages',
      [
        { ecosystem: 'Packagist', package: 'A/b' },
        { ecosystem: 'Packagist', package: 'a/B' },
      ],
      ['A/b GHSA-aaaa'],
    ],
  ];
  for (const [name, parts, wanted] of cases) {
    const found = records(...parts).map(one => `${one.package} ${one.id}`);
    t.strictSame(found.sort(), wanted, name);
  }
  t.end();
});

test('what becomes of the facts', t => {
  const cases: [string, Part[], Partial<Advisory>][] = [
    [
      'all ids are kept, the best known first',
      [{ ids: ['CVE-1-1'] }, { ids: ['npm:7'] }, { ids: ['GHSA-aaaa', 'CVE-1-1', 'npm:7', 'PYSEC-1-1'] }],
      { id: 'GHSA-aaaa', aliases: ['PYSEC-1-1', 'CVE-1-1', 'npm:7'] },
    ],
    ['versions', [{ version: '1.10.0' }, { version: '1.9.0' }], { version: '1.9.0', versions: ['1.9.0', '1.10.0'] }],
    ['ranges', [{ range: '<1' }, { range: '>=2 <3' }], { range: '<1 || >=2 <3' }],
    ['direct where one is', [{ direct: false }, { direct: true }], { direct: true }],
    ['not dev where one is not', [{ dev: true }, { dev: false }], { dev: false }],
    ['the nearest', [{ reachable: 'required' }, { reachable: 'called' }], { reachable: 'called' }],
    ['ways, the shortest first', [{ paths: [['a', 'b', 'p'], ['p']] }], { paths: ['p', 'a > b > p'] }],
    ['who says so', [{ tool: 'yarn' }, { tool: 'npm' }], { tools: ['npm', 'yarn'] }],
    [
      'the page that the id tells',
      [{ ids: ['RUSTSEC-2020-1'] }],
      { url: 'https://rustsec.org/advisories/RUSTSEC-2020-1.html' },
    ],
    ['a word', [{ severity: 'MEDIUM' }], { severity: 'moderate', severitySource: 'reported' }],
    ['the worst word', [{ severity: 'low' }, { severity: 'High' }], { severity: 'high' }],
    [
      'a word before a vector',
      [{ severity: 'low', vectors: [V3] }],
      { severity: 'low', severitySource: 'reported', score: 9.8 },
    ],
    ['CVSS 2', [{ vectors: [V2] }], { severity: 'high', severitySource: 'cvss2', score: 7.5 }],
    ['CVSS 3', [{ vectors: [V2, V3] }], { severity: 'critical', severitySource: 'cvss3', score: 9.8 }],
    ['CVSS 4', [{ vectors: [V2, V3, V4] }], { severity: 'moderate', severitySource: 'cvss4', score: 4.8 }],
    ['a bare score', [{ score: { value: 3.9, version: 2 } }], { severity: 'low', severitySource: 'cvss2', score: 3.9 }],
    ['a word that nobody knows', [{ severity: 'catastrophic', vectors: [V3] }], { severitySource: 'cvss3' }],
    ['a vector that is none', [{ vectors: ['CVSS:3.1/AV:N'] }], { severity: 'unknown' }],
  ];
  for (const [name, parts, wanted] of cases) {
    const found = records(...parts);
    t.equal(found.length, 1, name);
    t.match(found[0], wanted, name);
  }
  t.notOk('score' in (records({})[0] as Advisory), 'absent means unknown');
  t.notOk('direct' in (records({ direct: false }, {})[0] as Advisory), 'direct: not known of all');
  t.notOk('dev' in (records({ dev: true }, {})[0] as Advisory), 'dev: not known of all');
  const many = records({ paths: Array.from({ length: 30 }, (_, i) => [`a${i}`, 'p']) })[0];
  t.match(many, { pathCount: 30 });
  t.equal(many?.paths?.length, 10);
  t.end();
});

test('the way out', t => {
  const up = (version: string, breaking: boolean | undefined, more = {}) => ({
    available: true as const,
    version,
    breaking,
    manager: 'npm' as const,
    ...more,
  });
  const cases: [string, Part[], Advisory['fix']][] = [
    ['nobody says', [{}], undefined],
    ['there is none', [{ fix: { available: false } }], { available: false }],
    [
      'there is one',
      [{ direct: true, fix: up('1.2.3', false) }],
      { available: true, version: '1.2.3', breaking: false, command: 'npm install p@1.2.3' },
    ],
    [
      'of another package',
      [{ fix: up('2.0.0', true, { package: 'top' }) }],
      { available: true, package: 'top', version: '2.0.0', breaking: true, command: 'npm install top@2.0.0' },
    ],
    [
      'of one of two installed versions there is none',
      [
        { version: '1.0.0', fix: up('1.0.1', false) },
        { version: '2.0.0', fix: { available: false } },
      ],
      { available: false },
    ],
    [
      'two crates, two steps',
      [
        { ecosystem: 'crates.io', version: '0.1.0', fix: { ...up('0.1.1', false), manager: 'cargo' } },
        { ecosystem: 'crates.io', version: '1.0.0', fix: { ...up('1.0.1', false), manager: 'cargo' } },
      ],
      {
        available: true,
        version: '1.0.1',
        breaking: false,
        command: 'cargo update -p p@0.1.0 --precise 0.1.1 && cargo update -p p@1.0.0 --precise 1.0.1',
      },
    ],
    [
      "the project's own auditor knows more than what reads its lock file",
      [
        { tool: 'npm', direct: true, fix: up('2.0.0', true) },
        { tool: 'osv-scanner', version: '1.0.0', fix: up('1.2.3', false) },
      ],
      { available: true, version: '2.0.0', breaking: true, command: 'npm install p@2.0.0' },
    ],
    [
      'each auditor saw another version: both have to go',
      [
        { tool: 'npm', version: '1.0.0', direct: true, fix: up('1.2.3', false) },
        { tool: 'osv-scanner', version: '0.1.0', direct: true, fix: up('1.2.3', true) },
      ],
      { available: true, version: '1.2.3', breaking: true, command: 'npm install p@1.2.3' },
    ],
    [
      'one version for two that are installed is a large step for one of them',
      [
        { ecosystem: 'PyPI', version: '1.25.8', fix: { ...up('1.26.17', false), manager: 'pip' } },
        { ecosystem: 'PyPI', version: '2.0.4', fix: { ...up('2.0.6', false), manager: 'pip' } },
      ],
      { available: true, version: '2.0.6', breaking: true, command: 'pip install p==2.0.6' },
    ],
    [
      'what a lock file holds is upgraded by who wrote it',
      [
        { ecosystem: 'PyPI', version: '1.0.0', fix: { ...up('1.0.1', false), manager: 'pip' } },
        { ecosystem: 'PyPI', version: '1.0.2', fix: { ...up('1.0.3', false), manager: 'poetry' } },
      ],
      { available: true, version: '1.0.3', breaking: false, command: 'poetry update p' },
    ],
    [
      'what one takes for safe another one warns of',
      [
        { tool: 'pip-audit', version: '1.0.0', fix: up('1.0.1', false) },
        { tool: 'osv-scanner', version: '1.0.0', range: '<1.0.2', fix: up('1.0.2', false) },
      ],
      { available: true, version: '1.0.2', breaking: false, command: 'npm update p' },
    ],
    [
      'two ranges of which one is hit: past both',
      [
        { range: '<0.2.4', fix: up('0.2.4', false) },
        { range: '>=1.0.0 <1.2.6', fix: up('1.2.6', false) },
      ],
      { available: true, version: '1.2.6', breaking: false, command: 'npm update p' },
    ],
    [
      'two lock files, each in need of another command: none',
      [
        { ecosystem: 'crates.io', version: '0.1.0', fix: { ...up('0.1.1', false), manager: 'cargo', lockFile: 'a' } },
        { ecosystem: 'crates.io', version: '1.0.0', fix: { ...up('1.0.1', false), manager: 'cargo', lockFile: 'b' } },
      ],
      { available: true, version: '1.0.1', breaking: false },
    ],
    ...[
      'file:/tmp/evil',
      'git+https://evil.example/x.git',
      'npm:evil@1.0.0',
      '../evil',
      'evil/repository',
      'latest',
    ].map((version): [string, Part[], Advisory['fix']] => [
      `a version that is another thing: ${version}`,
      [{ direct: true, fix: up(version, false) }],
      { available: true, version, breaking: false },
    ]),
    ...['foo@../evil', 'evil/repository', 'evil/@1', '../evil', '*', 'a:b'].map(
      (name): [string, Part[], Advisory['fix']] => [
        `a name that is none: ${name}`,
        [{ package: name, direct: true, fix: up('1.0.0', false) }],
        { available: true, version: '1.0.0', breaking: false },
      ],
    ),
    ...(['none', 'all', 'example.com/...', 'a@b'] as const).map((name): [string, Part[], Advisory['fix']] => [
      `a Go module that is none: ${name}`,
      [
        {
          ecosystem: 'Go',
          package: name,
          fix: { available: true, version: name === 'none' ? 'none' : 'v1.0.0', breaking: false, manager: 'go' },
        },
      ],
      { available: true, version: name === 'none' ? 'none' : 'v1.0.0', breaking: false },
    ]),
    [
      'hostile names are quoted',
      [{ package: '$(id) `x`', direct: true, fix: up("1'.0", false) }],
      { available: true, version: "1'.0", breaking: false, command: "npm install '$(id) `x`@1'\\''.0'" },
    ],
    [
      'a name that npm would take for a flag or an address has no command',
      [{ package: '--global', direct: true, fix: up('1.0.0', false) }],
      { available: true, version: '1.0.0', breaking: false },
    ],
  ];
  for (const [name, parts, wanted] of cases) t.strictSame(records(...parts)[0]?.fix, wanted, name);
  t.end();
});

test('the order is the same whatever comes first', t => {
  const fix = {
    none: { available: false },
    breaking: { available: true, breaking: true },
    easy: { available: true, breaking: false },
  };
  const part = (package_: string, severity: string, way: keyof typeof fix | undefined, id = 'GHSA-aaaa'): Part => ({
    package: package_,
    severity,
    ids: [id],
    ...(way && { fix: fix[way] as Finding['fix'] }),
  });
  const wanted = [
    part('z', 'critical', 'easy'),
    part('a', 'critical', 'breaking', 'GHSA-hhhh'),
    part('a', 'high', 'easy', 'GHSA-aaaa'),
    part('a', 'high', 'easy', 'GHSA-bbbb'),
    part('b', 'high', 'easy'),
    part('a', 'high', 'none', 'GHSA-cccc'),
    part('b', 'moderate', undefined, 'GHSA-dddd'),
    part('b', 'low', 'easy', 'GHSA-eeee'),
    part('b', 'info', 'easy', 'GHSA-ffff'),
    part('a', '', 'easy', 'GHSA-gggg'),
  ];
  const sorted = (parts: Part[]) => JSON.stringify(records(...parts).sort(byUrgencyOfRecords));
  const number = random(1);
  const first = records(...wanted).sort(byUrgencyOfRecords);
  t.strictSame(
    first.map(one => `${one.package} ${one.id}`),
    wanted.map(one => `${one.package} ${one.ids?.[0]}`),
  );
  for (let i = 0; i < 20; i++) {
    const shuffled = [...wanted].map(one => [number(), one] as const).sort(([a], [b]) => a - b);
    t.equal(sorted(shuffled.map(([, one]) => one)), JSON.stringify(first));
  }
  t.end();
});
