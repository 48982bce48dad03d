/** Scores of CVSS vectors against those that scripts/cvss-vectors.py computes after the specifications' formulas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { scoreOf } from '../../src/audit/severity.js';
import { ROOT } from '../support/fixtures.js';

interface Vectors {
  /** `AV:LAN`: a metric and its values; the last metric's value changes first. */
  metrics: string[];
  /** The scores are those of the first vector and of every so many-th after it. */
  step: number;
  /** Tenths, two hexadecimal digits each. */
  scores: string;
}

const specified: Record<string, Vectors> = JSON.parse(readFileSync(join(ROOT, 'test/audit/cvss.json'), 'utf8'));

const prefixOf = (version: string): string => (version === '2.0' ? '' : `CVSS:${version}/`);

function vectorAt(metrics: readonly string[], at: number): string {
  let rest = at;
  const chosen = [...metrics].reverse().map(metric => {
    const [name = '', values = ''] = metric.split(':');
    const value = values[rest % values.length];
    rest = Math.floor(rest / values.length);
    return `${name}:${value}`;
  });
  return chosen.reverse().join('/');
}

for (const [version, { metrics, step, scores }] of Object.entries(specified))
  test(`CVSS ${version}: the specification's scores`, t => {
    const wrong: string[] = [];
    const tenths = scores.match(/../g) ?? [];
    for (const [i, digits] of tenths.entries()) {
      const vector = prefixOf(version) + vectorAt(metrics, i * step);
      const score = Number.parseInt(digits, 16) / 10;
      const found = scoreOf(vector);
      if (found?.score !== score || found.version !== Number(version[0]))
        wrong.push(`${vector}: ${score}, found ${found?.score} of version ${found?.version}`);
    }
    t.strictSame(wrong, []);
    t.equal(tenths.length, { '2.0': 729, '3.0': 2592, '3.1': 2592 }[version] ?? 9544);
    t.end();
  });

const V2 = 'AV:N/AC:L/Au:N/C:P/I:P/A:P';
const V3 = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const V4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

test('CVSS: only base metrics count', t => {
  const cases: Record<string, number> = {
    [V2]: 7.5,
    [`${V2}/E:U/RL:OF/RC:UC`]: 7.5,
    [`${V2}/E:POC/RL:TF/RC:ND/CDP:LM/TD:L/CR:H/IR:M/AR:ND`]: 7.5,
    [`CVSS:3.1/${V3}`]: 9.8,
    [`CVSS:3.0/${V3}/E:U/RL:O/RC:U`]: 9.8,
    [`CVSS:3.1/${V3}/E:X/RL:X/RC:X/CR:L/IR:L/AR:L/MAV:P/MAC:H/MPR:H/MUI:R/MS:C/MC:N/MI:N/MA:N`]: 9.8,
    // "Other orderings are valid", also with a metric of another group in between.
    'CVSS:3.1/A:H/I:H/C:H/S:U/UI:N/PR:N/AC:L/AV:N': 9.8,
    'CVSS:3.1/E:U/AV:N/AC:L/PR:N/UI:N/MAV:P/S:U/C:H/I:H/A:H': 9.8,
    [V4]: 9.3,
    [`${V4}/E:U`]: 9.3,
    [`${V4}/E:X/CR:L/IR:L/AR:L/MAV:P/MAC:H/MAT:P/MPR:H/MUI:A/MVC:N/MVI:N/MVA:N/MSC:N/MSI:S/MSA:S`]: 9.3,
    [`${V4}/S:P/AU:Y/R:I/V:C/RE:H/U:Amber`]: 9.3,
  };
  for (const [vector, score] of Object.entries(cases)) t.equal(scoreOf(vector)?.score, score, vector);
  t.end();
});

test('CVSS: what is no vector has no score', t => {
  const cases = [
    '',
    '/',
    '7.5',
    'HIGH',
    'CVSS:3.1',
    'CVSS:3.1/',
    'CVSS:4.0/',
    // A metric is missing, twice there (with the same value, too), unknown, of another version.
    'AV:N/AC:L/Au:N/C:P/I:P',
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/C:H/I:H/A:H',
    V4.replace('/AT:N', ''),
    `${V2}/AV:N`,
    `CVSS:3.1/${V3}/A:H`,
    `CVSS:3.1/${V3}/A:N`,
    `CVSS:3.1/${V3}/E:U/E:P`,
    `${V4}/AV:N`,
    `CVSS:3.1/${V3}/XX:N`,
    `CVSS:3.1/${V3}/AT:N`,
    `CVSS:3.1/${V3}/Au:N`,
    `${V2}/PR:N`,
    `CVSS:4.0/${V3}`,
    `CVSS:3.1/${V2}`,
    V3,
    // A value is unknown, empty, too long, of another metric.
    'AV:X/AC:L/Au:N/C:P/I:P/A:P',
    'AV:P/AC:L/Au:N/C:P/I:P/A:P',
    'CVSS:3.1/AV:N/AC:L/PR:U/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N/AC:M/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:NETWORK/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    `CVSS:3.1/${V3}/E:POC`,
    `CVSS:3.1/${V3}/MAV:Z`,
    `${V2}/E:P`,
    `${V4}/E:H`,
    V4.replace('SI:N', 'SI:S'),
    V4.replace('UI:N', 'UI:R'),
    // "Every other ordering is invalid" (4.0).
    V4.replace('AV:N/AC:L', 'AC:L/AV:N'),
    V4.replace('/SA:N', '/E:A/SA:N'),
    `${V4}/MAV:N/E:A`,
    // Letters are of one case.
    `cvss:3.1/${V3}`,
    `CVSS:3.1/${V3.toLowerCase()}`,
    'AV:N/AC:L/AU:N/C:P/I:P/A:P',
    V4.toLowerCase(),
    // Something before, between and behind.
    `CVSS:3.1/${V3}/`,
    `CVSS:3.1//${V3}`,
    `${V2}/`,
    `${V4}/`,
    ` CVSS:3.1/${V3}`,
    `CVSS:3.1/${V3} `,
    `CVSS:3.1/${V3}\n`,
    `CVSS:3.1/${V3.replaceAll('/', ' / ')}`,
    `CVSS:3.1/${V3.replaceAll('/', ',')}`,
    // Versions there are not.
    `CVSS:3.2/${V3}`,
    `CVSS:3/${V3}`,
    `CVSS:1.0/${V2}`,
    `CVSS:4.1/${V4.slice('CVSS:4.0/'.length)}`,
    // What objects have.
    'CVSS:3.1/__proto__:N/constructor:L/toString:N',
    `CVSS:3.1/${V3}/constructor:N`,
    '__proto__',
  ];
  for (const vector of cases) t.equal(scoreOf(vector), undefined, JSON.stringify(vector));
  t.end();
});
