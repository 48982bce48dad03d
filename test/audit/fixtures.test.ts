/** What real auditors printed, and the records it must give: each answer was checked by hand. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { AUDITORS } from '../../src/audit/auditors/index.js';
import { validate } from '../../src/record/validate.js';
import { audit, auditFixtures } from '../support/audits.js';
import { FIXTURES, random } from '../support/fixtures.js';

const all = auditFixtures();

test('every auditor has fixtures: one in which something is found, one in which nothing is', t => {
  for (const { name } of AUDITORS) {
    const cases = all.filter(({ auditor }) => auditor === name);
    const summaries = cases.map(({ expected }) => JSON.parse(expected.records.trimEnd().split('\n').at(-1) || '{}'));
    t.ok(
      summaries.some(({ advisories }) => advisories > 0),
      `${name}: found`,
    );
    t.ok(
      // Some print the same where they failed: then it is said that this may not be an audit.
      summaries.some(({ advisories, complete, reason }) => advisories === 0 && (complete || reason === 'notAudited')),
      `${name}: clean`,
    );
    t.ok(existsSync(join(FIXTURES, 'audit', name, 'README.md')), `${name}: README.md`);
  }
  t.end();
});

for (const { name, input, expected } of all) {
  test(name, async t => {
    const told = await audit(input);
    t.equal(told.records, expected.records);
    t.equal(told.error, expected.error);
    for (const line of told.records.split('\n').filter(Boolean)) t.equal(validate(JSON.parse(line)), undefined, line);
    if (told.error) t.match(told.error, /^aido-audit: BAD_INPUT: .+\n$/);
  });
}

test('an input that is cut anywhere is never a clean audit', async t => {
  const number = random(4);
  for (const { name, input, expected } of all.filter(({ input }) => input.length < 100_000)) {
    // NDJSON and concatenated documents may end between two of them without anybody knowing.
    const isOne = isJson(input.toString());
    if (!isOne || expected.error !== '') continue;
    const end = input.toString().trimEnd().length;
    for (let i = 0; i < 5; i++) {
      const cut = input.subarray(0, Math.floor(number() * end));
      const { error } = await audit(cut);
      t.match(error, /^aido-audit: BAD_INPUT: /, `${name}, cut at ${cut.length}`);
    }
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
