/**
 * The hot path: a green log must be passed over. A hint that stands in every other line of one makes the whole reader
 * slow, however good the format is.
 */
import { test } from 'tap';
import { LogReader } from '../../src/reading/engine.js';
import { FORMATS } from '../../src/reading/formats/index.js';
import { ROOT } from '../support/fixtures.js';

const { GREEN } = (await import(`${ROOT}/scripts/bench/logs.mjs`)) as { GREEN: ((i: number) => string)[] };

/** Lines of green runs that are read all the same, since they are a suite's end or a test point. */
const WANTED = /^(?:ok {2}\t|PASS |ok \d|# )/;

const bears = (line: string, hint: string): boolean =>
  /[A-Z]/.test(hint) ? line.includes(hint) : line.toLowerCase().includes(hint);

test('no hint is a word of green logs', t => {
  const lines = Array.from({ length: 40 * GREEN.length }, (_, i) =>
    (GREEN[i % GREEN.length] as (i: number) => string)(i),
  );
  for (const { name, hints } of FORMATS) {
    for (const hint of hints) {
      const met = lines.filter(line => !WANTED.test(line) && bears(line, hint));
      t.same(met.slice(0, 1), [], `${name}: '${hint}'`);
    }
  }
  t.end();
});

test('a hint has at least four bytes, and is not written twice', t => {
  for (const { name, hints, outcomeHints = [] } of FORMATS) {
    const all = [...hints, ...outcomeHints];
    t.same(
      all.filter(hint => Buffer.byteLength(hint) < 4),
      [],
      name,
    );
    t.equal(new Set(all).size, all.length, `${name}: ${all.filter((hint, i) => all.indexOf(hint) < i)}`);
  }
  t.end();
});

test('no green line opens a block', t => {
  const log = Array.from(
    { length: 40 * GREEN.length },
    (_, i) => `${(GREEN[i % GREEN.length] as (i: number) => string)(i)}\n`,
  );
  const opened: string[] = [];
  const formats = FORMATS.map(format => ({
    ...format,
    reader(out: Parameters<typeof format.reader>[0]) {
      const reader = format.reader(out);
      const line: typeof reader.line = l => {
        const took = reader.line(l);
        if (typeof took === 'object') opened.push(`${format.name}: ${l.text}`);
        return took;
      };
      return { line, excuse: l => reader.excuse?.(l) ?? false, end: () => reader.end?.() } satisfies typeof reader;
    },
  }));
  const reader = new LogReader({ formats }, () => {});
  reader.write(Buffer.from(log.join('')));
  reader.end();
  t.same(opened.slice(0, 3), []);
  t.end();
});
