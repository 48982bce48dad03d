/** aido-flaky against counting by hand: random runs of random tests with random attempts, however they are mixed and cut. */
import { test } from 'tap';
import { command } from '../../src/flaky/main.js';
import type { AidoRecord, Summary } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { random } from '../support/fixtures.js';
import { call } from '../support/world.js';

const RESULTS = { P: 'passed', F: 'failed', S: 'skipped' } as const;
type Letter = keyof typeof RESULTS;
const log = { first: 1, last: 1 };

/** What a test did in a run: a letter an attempt; '' where it was not there. */
type Table = string[][];

/** Runs in rows, tests in columns. */
function randomTable(next: () => number): Table {
  const [runs, tests] = [2 + Math.floor(next() * 5), 1 + Math.floor(next() * 6)];
  const cell = () => {
    const attempts = next() < 0.2 ? 0 : next() < 0.7 ? 1 : 2 + Math.floor(next() * 2);
    return Array.from({ length: attempts }, () => 'PPPFFS'[Math.floor(next() * 6)]).join('');
  };
  const table = Array.from({ length: runs }, () => Array.from({ length: tests }, cell));
  // One test is in all runs: they are of one project.
  for (const row of table) row.push('P');
  return table;
}

/** All records; those of a run are in order, the runs are mixed as it comes. */
function records(table: Table, next: () => number): object[] {
  const queues = table.map((row, r) => {
    const run = `run ${r}`;
    const outcomes = row.flatMap((letters, i) =>
      [...letters].map((letter, n) => ({
        type: 'outcome',
        tool: 't',
        id: `test ${i}`,
        result: RESULTS[letter as Letter],
        ...(letters.length > 1 && { attempt: n + 1 }),
        run,
        log,
      })),
    );
    return [...outcomes, { type: 'summary', by: 'aido-fail', complete: true, run }];
  });
  // Runs are numbered as they appear.
  const mixed: object[] = queues.map(queue => queue.shift() as object);
  while (queues.some(queue => queue.length > 0)) {
    const queue = queues[Math.floor(next() * queues.length)];
    if (queue?.length) mixed.push(queue.shift() as object);
  }
  return mixed;
}

/** The last attempt that ran decides; a skip says something only where nothing ran before it. */
function letterOf(attempts: string): string {
  return attempts.replace(/(?<=.)S/g, '').at(-1) ?? '-';
}

function expected(table: Table): Map<string, object> {
  const found = new Map<string, object>();
  for (let i = 0; i < (table[0]?.length ?? 0); i++) {
    const cells = table.map(row => row[i] ?? '');
    const count = (letter: string) => cells.join('').split(letter).length - 1;
    const [passed, failed, skipped] = [count('P'), count('F'), count('S')];
    if (passed + failed === 0) continue;
    const type = failed === 0 ? 'stable' : passed === 0 ? 'broken' : 'flaky';
    const outcomes = cells.map(letterOf).join('');
    const missing = cells.filter(cell => cell === '').length;
    found.set(`test ${i}`, { type, runs: table.length, missing, passed, failed, skipped, outcomes });
  }
  return found;
}

test('verdicts and counts are those that counting gives', async t => {
  const next = random(21);
  for (let round = 0; round < 200; round++) {
    const table = randomTable(next);
    // A run that begins with its summary would be numbered by it.
    if (table.some(row => row.join('') === '')) continue;
    const bytes = Buffer.from(
      records(table, next)
        .map(record => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    const input: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + Math.floor(next() * 300);
      input.push(bytes.subarray(at, at + size));
      at += size;
    }
    const { out, err, status } = await call(command, ['-a'], { input });
    t.match({ status, err }, { status: 0, err: '' });
    const all = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as AidoRecord);
    for (const record of all) t.equal(validate(record), undefined);
    const wanted = expected(table);
    const summary = all.pop() as Summary;
    t.equal(all.length, wanted.size, JSON.stringify(table));
    for (const record of all)
      if ('rate' in record) t.match(record, wanted.get(record.id) ?? { type: 'none' }, JSON.stringify(table));
    t.equal((summary.flaky ?? 0) + (summary.broken ?? 0) + (summary.stable ?? 0), wanted.size);
  }
});
