/** aido-audit on whatever comes: damaged documents, any order of inputs, any cut. */
import { test } from 'tap';
import { command } from '../../src/audit/main.js';
import type { Advisory, AidoRecord, Summary, Upgrade } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { auditFixtures } from '../support/audits.js';
import { random } from '../support/fixtures.js';
import { call } from '../support/world.js';

const all = auditFixtures();

async function run(input: Buffer | string, ...argv: string[]) {
  const answer = await call(command, ['--max', '99999', ...argv], { input: [input] });
  const records = answer.out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as AidoRecord);
  return { ...answer, records, summary: records.at(-1) as Summary | undefined };
}

/** What a field may be that ought to be something else. */
const STRANGE = [
  null,
  true,
  0,
  -1.5,
  '',
  ' ',
  'x'.repeat(3000),
  '\u001b[2J\n',
  [],
  {},
  [null],
  [[{}]],
  { __proto__: 1, a: {} },
];

/** A copy in which some values are something else, missing, or there twice. */
function damaged(value: unknown, next: () => number, rate: number): unknown {
  if (next() < rate) return STRANGE[Math.floor(next() * STRANGE.length)];
  if (Array.isArray(value))
    return value.flatMap(one => (next() < rate ? [] : next() < rate ? [one, one] : [damaged(one, next, rate)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (next() < rate ? [] : [[key, damaged(one, next, rate)]])),
  );
}

/** The documents of an input, as far as it is made of some. */
function documentsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split(/\n(?=\{)/).flatMap(part => {
      try {
        return [JSON.parse(part)];
      } catch {
        return [];
      }
    });
  }
}

test('damaged documents: valid records, one line of error, no crash', async t => {
  let heard = 0;
  for (const { name, input } of all.filter(({ input }) => input.length < 200_000)) {
    const documents = documentsOf(input.toString());
    for (let seed = 1; seed <= 12; seed++) {
      const next = random(seed);
      const text = documents.map(one => JSON.stringify(damaged(one, next, seed % 2 ? 0.02 : 0.15))).join('\n');
      for (const argv of [[], ['--plan']]) {
        const { records, err, status } = await run(text, ...argv);
        const wrong = records.map(validate).find(Boolean);
        const isSaid = err === '' || /^aido-audit: BAD_INPUT: [^\n]+\n$/.test(err);
        if (wrong !== undefined || !isSaid || (status !== 0 && err === ''))
          t.fail(`${name}, seed ${seed}: ${wrong} ${err}`);
        if (status === 0) heard++;
      }
    }
  }
  t.ok(heard > 500, `${heard} of them were read`);
});

test('a plan closes each advisory once, and counts what it leaves', async t => {
  for (const { name, input, expected } of all) {
    if (expected.error !== '') continue;
    const { records, summary } = await run(input, '--plan');
    const upgrades = records.filter((record): record is Upgrade => record.type === 'upgrade');
    const sum = upgrades.reduce((total, { closes }) => total + closes, 0);
    t.match(summary, { upgrades: upgrades.length, closes: sum }, name);
    t.equal(sum + (summary?.left ?? 0), summary?.advisories, name);
    t.ok(sum <= (summary?.fixable ?? 0), name);
    for (const { ids, closes } of upgrades) t.equal(ids.length, closes, name);
    for (let i = 1; i < upgrades.length; i++)
      t.ok((upgrades[i - 1] as Upgrade).closes >= (upgrades[i] as Upgrade).closes, `${name}: best first`);
  }
});

test('the order of documents does not matter, and what is told twice is told once', async t => {
  const found = all.filter(({ expected }) => expected.error === '' && expected.records.includes('"advisory"'));
  const advisories = (records: readonly AidoRecord[]) =>
    records.filter((record): record is Advisory => record.type === 'advisory').map(record => JSON.stringify(record));
  const next = random(7);
  for (let i = 0; i < 20; i++) {
    const [one, other] = [found, found].map(list => list[Math.floor(next() * list.length)]);
    if (!one || !other) continue;
    const both = await run(`${one.input}\n${other.input}`);
    const turned = await run(`${other.input}\n${one.input}`);
    t.strictSame(advisories(turned.records), advisories(both.records), `${one.name} and ${other.name}`);
    const twice = await run(`${one.input}\n${one.input}`);
    t.strictSame(advisories(twice.records), advisories((await run(one.input)).records), `${one.name} twice`);
  }
});
