/** Every report among the fixtures gives exactly the records that stand beside it, however it is cut. */
import { test } from 'tap';
import { AidoError } from '../../src/base/error.js';
import { REPORTS, reportOf } from '../../src/reading/reports/index.js';
import type { AidoRecord, Summary } from '../../src/record/types.js';
import { validate } from '../../src/record/validate.js';
import { fixtures, random, readAny, reports, text } from '../support/fixtures.js';

const all = reports();
const OPTIONS = { outcomes: true, warnings: true };
const summaryOf = (records: AidoRecord[]) => records.at(-1) as Summary;

test('every report has fixtures, and each is recognised as one', t => {
  for (const { name } of REPORTS) {
    t.ok(
      all.some(({ log }) => reportOf(log.toString('utf8', 0, 4096))?.name === name),
      name,
    );
  }
  for (const { name, log } of all) t.ok(reportOf(log.toString('utf8', 0, 4096)), name);
  for (const { name, log } of fixtures()) t.notOk(reportOf(log.toString('utf8', 0, 4096)), `${name} is a log`);
  t.end();
});

for (const format of new Set(all.map(fixture => fixture.format))) {
  test(format, t => {
    for (const { name, log, expected } of all.filter(fixture => fixture.format === format)) {
      t.equal(text(readAny(log)), expected, name);
      const failures = readAny(log).filter(record => record.type === 'failure');
      if (/\bgreen\b/.test(name)) t.same(failures, [], name);
      if (/cut|truncated|disagree|tally/.test(name)) continue;
      t.notOk(summaryOf(readAny(log)).disagree, `${name}: its own count agrees`);
    }
    t.end();
  });
}

test('any split of a report gives the same bytes', t => {
  const next = random(11);
  for (const { name, log } of all) {
    const whole = text(readAny(log));
    const cuts = Array.from({ length: 40 }, () => Math.floor(next() * log.length)).sort((a, b) => a - b);
    t.ok(text(readAny(log, OPTIONS, cuts)) === whole, `${name} cut at ${cuts}`);
    if (log.length < 20_000)
      t.ok(text(readAny(log, OPTIONS, Array.from(log.keys()))) === whole, `${name} byte by byte`);
  }
  t.end();
});

/** Several documents in a row are whole at the end of each; a log of records is at the end of each line. */
const endsWhole = (name: string): boolean => /several|\.jsonl$|report-log/.test(name);

test('a report without its last bytes is not whole', t => {
  const next = random(12);
  for (const { name, log } of all) {
    const ends = log.toString('utf8').trimEnd().length;
    if (/cut|truncated/.test(name) || log.length !== log.toString('utf8').length) continue;
    for (const at of [ends - 1, ...Array.from({ length: 5 }, () => Math.floor(next() * ends))]) {
      const part = log.subarray(0, at);
      if (part.length > 0 && reportOf(part.toString('utf8', 0, 4096)) && !endsWhole(name))
        t.equal(summaryOf(readAny(part)).complete, false, `${name}, ${at} of ${log.length} bytes`);
    }
  }
  t.end();
});

test('any bytes: valid records, or one clear error', t => {
  for (const { name, log } of all) {
    const next = random([...name].reduce((hash, c) => (Math.imul(hash, 31) + c.charCodeAt(0)) | 0, 7));
    for (let round = 0; round < 4; round++) {
      const bytes = Buffer.from(log);
      for (let n = 1 + bytes.length / 200; n > 0; n--) {
        bytes[Math.floor(64 + next() * (bytes.length - 64))] = Math.floor(next() * 256);
      }
      try {
        for (const record of readAny(bytes)) {
          const wrong = validate(record);
          if (wrong !== undefined) t.fail(`${name}, round ${round}: ${wrong}`, { record });
        }
      } catch (error) {
        if (!(error instanceof AidoError) || error.code !== 'BAD_INPUT') t.fail(`${name}, round ${round}: ${error}`);
      }
    }
  }
  t.pass(`${4 * all.length} mutated reports`);
  t.end();
});

test('a document says itself how it is written', t => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<testsuite name="a" tests="2" failures="1"><testcase classname="B" name="f\u00e4r"/>` +
    '<testcase classname="B" name="f\u00fcr"><failure message="\u00df"/></testcase></testsuite>\n';
  const cases: [encoding: string, bytes: Buffer][] = [
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['utf-8', Buffer.from(`\ufeff${xml('utf-8')}`)],
    ['ISO-8859-1', Buffer.from(xml('ISO-8859-1'), 'latin1')],
    ['windows-1252', Buffer.from(xml('windows-1252'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')],
    ['UTF-16', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le').swap16()],
    // It cannot be, and so it is not believed.
    ['UTF-16', Buffer.from(xml('UTF-16'))],
  ];
  for (const [encoding, bytes] of cases) {
    for (const cuts of [[], Array.from(bytes.keys())]) {
      const ids = readAny(bytes, OPTIONS, cuts).flatMap(record => ('id' in record ? [record.id] : []));
      t.strictSame(ids, ['B.f\u00e4r', 'B.f\u00fcr', 'B.f\u00fcr'], encoding);
    }
  }
  t.throws(() => readAny(Buffer.from(xml('EBCDIC-7'))), {
    code: 'BAD_INPUT',
    message: /^line 1: the encoding EBCDIC-7 is/,
  });
  t.end();
});
