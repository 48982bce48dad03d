/** What must hold of the reader whatever the input is: docs/architecture.md lists the properties. */
import { test } from 'tap';
import { LogReader } from '../../src/reading/engine.js';
import { FORMATS } from '../../src/reading/formats/index.js';
import type { AidoRecord } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { fixtures, random, read, text } from '../support/fixtures.js';
import { VARIANTS } from '../support/variants.js';

const all = fixtures();
const OPTIONS = { outcomes: true, warnings: true };

test('1. any split of the input gives the same bytes', t => {
  const next = random(1);
  for (const { name, log } of all) {
    const whole = text(read(log));
    for (const pieces of [1, 7, 100]) {
      const cuts = Array.from({ length: pieces }, () => Math.floor(next() * log.length)).sort((a, b) => a - b);
      if (text(read(log, OPTIONS, cuts)) !== whole) t.fail(`${name} cut at ${cuts}`);
    }
    if (log.length > 20_000) continue;
    const bytes = Array.from(log.keys());
    if (text(read(log, OPTIONS, bytes)) !== whole) t.fail(`${name} byte by byte`);
  }
  t.pass(`${all.length} fixtures`);
  t.end();
});

test('1. also over more than the window holds', t => {
  const next = random(2);
  const log = Buffer.concat([...all, ...all].map(fixture => fixture.log));
  const whole = text(read(log));
  for (let round = 0; round < 3; round++) {
    const cuts = Array.from({ length: 40 }, () => Math.floor(next() * log.length)).sort((a, b) => a - b);
    t.ok(text(read(log, OPTIONS, cuts)) === whole, `cut at ${cuts}`);
  }
  t.end();
});

test('2. any bytes: valid records, no crash', t => {
  for (const { name, log } of all) {
    // Seeded by its name: what one fixture is put through does not depend on the others.
    const next = random([...name].reduce((hash, c) => (Math.imul(hash, 31) + c.charCodeAt(0)) | 0, 7));
    for (let round = 0; round < 2; round++) {
      for (const record of read(mutate(log, next))) {
        const wrong = validate(record);
        if (wrong !== undefined) t.fail(`${name}, round ${round}: ${wrong}`, { record });
      }
    }
  }
  t.pass(`${2 * all.length} mutated logs`);
  t.end();
});

/** Cut, doubled, with bytes changed, or nothing but noise. */
function mutate(log: Buffer, next: () => number): Buffer {
  const at = () => Math.floor(next() * log.length);
  const kind = Math.floor(next() * 4);
  if (kind === 0) return log.subarray(at(), at());
  if (kind === 1) return Buffer.concat([log.subarray(0, at()), log.subarray(at())]);
  if (kind === 2) return Buffer.from(Array.from({ length: 2000 }, () => Math.floor(next() * 256)));
  const copy = Buffer.from(log);
  for (let n = copy.length / 50; n > 0; n--) copy[at()] = Math.floor(next() * 256);
  return copy;
}

const FILLERS = [
  ' ',
  'a',
  '1',
  ':',
  '(',
  '.',
  '\t',
  ' a',
  'a:1:',
  '\x1b[',
  '| ',
  '[0] ',
  '-',
  '\r',
  '"',
  'FAILED ',
  'error: ',
];

test('3. a hostile line of 64 KiB takes at most 50 ms', t => {
  const hints = FORMATS.flatMap(format => [...format.hints, ...(format.outcomeHints ?? [])]);
  const lines = all.flatMap(({ log }) => log.toString('utf8').split('\n'));
  // All hints with the worst of fillers; of the lines as many as a few seconds allow.
  const next = random(5);
  const cases: [string, string][] = [...new Set(hints)].flatMap(hint =>
    FILLERS.slice(0, 6).map(f => [hint, f] as [string, string]),
  );
  for (let n = 0; n < 1500; n++) {
    const line = lines[Math.floor(next() * lines.length)] as string;
    cases.push([line.slice(0, 200), FILLERS[n % FILLERS.length] as string]);
  }
  let slowest = 0;
  for (const [trigger, filler] of cases) {
    const log = Buffer.from(`${trigger}${filler.repeat(65_000 / filler.length)}${trigger}\n`);
    let ms = timed(log);
    // A busy machine is no fault of a pattern: the best of ten counts.
    for (let again = 0; ms > 50 && again < 9; again++) ms = Math.min(ms, timed(log));
    if (ms > 50) t.fail(`${JSON.stringify(trigger)} + ${JSON.stringify(filler)}: ${ms} ms`);
    slowest = Math.max(slowest, ms);
  }
  t.pass(`${cases.length} lines, slowest ${slowest.toFixed(1)} ms`);
  t.end();
});

function timed(log: Buffer): number {
  const start = performance.now();
  read(log);
  return performance.now() - start;
}

test('7. skipping is unobservable', t => {
  for (const { name, log } of all) {
    for (const [variant, dress] of Object.entries(VARIANTS)) {
      const dressed = dress(log);
      if (dressed === undefined) continue;
      const every = text(read(dressed, { ...OPTIONS, everyLine: true }));
      if (text(read(dressed)) !== every) t.fail(`${name}, ${variant}: the sieve changes what is read`);
    }
    if (text(read(log, {})) !== text(read(log, { everyLine: true }))) t.fail(`${name} without outcomes`);
  }
  t.pass(`${all.length} fixtures in ${Object.keys(VARIANTS).length} dresses`);
  t.end();
});

test('7. what a log wears does not change what is read in it', t => {
  for (const { name, log } of all) {
    const naked = facts(read(log));
    for (const [variant, dress] of Object.entries(VARIANTS)) {
      const dressed = dress(log);
      if (dressed === undefined) continue;
      t.equal(facts(read(dressed)), naked, `${name}, ${variant}`);
    }
  }
  t.end();
});

/** What is said, without where in the input it stood. */
function facts(records: AidoRecord[]): string {
  const said = records.filter(record => record.type !== 'unread' && record.type !== 'summary');
  return said.map(({ log: _, ...rest }: AidoRecord & { log?: unknown }) => JSON.stringify(rest)).join('\n');
}

test('7. every tally in the fixtures agrees, but for those whose name says otherwise', t => {
  for (const { name, log } of all) {
    const wrong = read(log).filter(record => record.type === 'suite' && !record.agrees);
    if (!/cut|truncated|disagree|tally/.test(name)) t.same(wrong, [], name);
  }
  t.end();
});

test('a reader can be fed through its own window', t => {
  const { log } = all[0] as (typeof all)[number];
  const records: AidoRecord[] = [];
  const reader = new LogReader(OPTIONS, record => records.push(record));
  for (let at = 0; at < log.length; ) {
    const n = log.copy(reader.room(), 0, at, at + 1000);
    reader.filled(n);
    at += n;
  }
  reader.end();
  t.same(records, read(log).slice(0, -1));
  t.end();
});
