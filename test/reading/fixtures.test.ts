/** Every fixture gives exactly the records that stand beside it. */
import { test } from 'tap';
import { FORMATS } from '../../src/reading/formats/index.js';
import type { AidoRecord } from '../../src/record/types.js';
import { fixtures, read, text } from '../support/fixtures.js';

const all = fixtures();

test('every format has fixtures, every fixture an answer', t => {
  for (const { name } of FORMATS) {
    t.ok(
      all.some(fixture => fixture.format === name),
      `fixtures/${name}/*.log`,
    );
  }
  for (const { name, expected } of all) t.ok(expected, `fixtures/${name}.ndjson`);
  t.end();
});

for (const format of new Set(all.map(fixture => fixture.format))) {
  test(format, t => {
    for (const { name, log, expected } of all.filter(fixture => fixture.format === format)) {
      t.equal(text(read(log)), expected, name);
    }
    t.end();
  });
}

test('without -a and -w the other records are the same', t => {
  // With -a more is understood, so less may be left unread.
  const wanted = (record: AidoRecord) => !['outcome', 'warning', 'summary', 'unread'].includes(record.type);
  for (const { name, log } of all) {
    t.equal(text(read(log, {}).filter(wanted)), text(read(log).filter(wanted)), name);
  }
  t.end();
});

test('green logs: no failure', t => {
  const green = all.filter(({ name }) => /\bgreen\b/.test(name));
  t.ok(green.length > 5, 'there are green logs');
  for (const { name, log } of green) {
    t.same(
      read(log).filter(record => record.type === 'failure'),
      [],
      name,
    );
  }
  t.end();
});
