import { test } from 'tap';
import { systemReason } from '../../src/base/error.js';
import { Lines } from '../../src/base/lines.js';
import { nearest } from '../../src/base/nearest.js';
import { byCodePoint, cutBytes, cutUnits, printable } from '../../src/base/text.js';

test('text is cut between characters', t => {
  const text = 'aé€😀b';
  const units = ['', 'a', 'aé', 'aé€', 'aé€', 'aé€😀', text, text];
  for (const [max, cut] of units.entries()) t.equal(cutUnits(text, max), cut, `${max} units`);
  const bytes = ['', 'a', 'a', 'aé', 'aé', 'aé', 'aé€', 'aé€', 'aé€', 'aé€', 'aé€😀', text, text];
  for (const [max, cut] of bytes.entries()) t.equal(cutBytes(text, max), cut, `${max} bytes`);
  t.equal(cutBytes('x'.repeat(5000), 4096).length, 4096);
  t.end();
});

test('text that is safe to show', t => {
  const cases: [text: string, shown: string][] = [
    ['plain é😀', 'plain é😀'],
    ['a\nb\tc\x1b[31m\x7f', 'a\\u000ab\\u0009c\\u001b[31m\\u007f'],
    ['\x9b31m\u202e\u2066\u200f\u2028', '\\u009b31m\\u202e\\u2066\\u200f\\u2028'],
    ['\ud800x\udc00', '\ufffdx\ufffd'],
  ];
  for (const [text, shown] of cases) t.equal(printable(text), shown);
  t.equal(printable('😀\ude00'), '😀\ufffd');
  t.end();
});

test('order by code point', t => {
  const sorted = ['', 'B', 'a', 'aa', 'b', 'é', '\uff5e', '😀', '😁', '😁a'];
  t.strictSame([...sorted].reverse().sort(byCodePoint), sorted);
  t.equal(byCodePoint('a', 'a'), 0);
  t.end();
});

test('what was most likely meant', t => {
  const known = ['capture', 'diff', 'update', '--outcomes'];
  const cases = {
    dif: 'diff',
    updat: 'update',
    capturre: 'capture',
    '--outcome': '--outcomes',
    '--out': '--outcomes',
    zzz: undefined,
  };
  for (const [word, meant] of Object.entries(cases)) t.equal(nearest(word, known), meant, word);
  t.equal(nearest('x', []), undefined);
  t.end();
});

test('what the system says', t => {
  const cases: [error: unknown, reason: string][] = [
    [new Error("ENOENT: no such file or directory, open 'a, b'"), 'no such file or directory'],
    [new Error('ENOSPC: no space left on device, write'), 'no space left on device'],
    [new Error('something else'), 'something else'],
    ['a string', 'a string'],
  ];
  for (const [error, reason] of cases) t.equal(systemReason(error), reason);
  t.end();
});

/** The lines of the chunks; a line that was cut ends in `…`. */
function linesOf(chunks: (string | Buffer)[], cap?: number): string[] {
  const found: string[] = [];
  const lines = new Lines((text, cut) => found.push(cut ? `${text}…` : text), cap);
  for (const chunk of chunks) lines.write(Buffer.from(chunk));
  lines.end();
  return found;
}

test('lines', t => {
  const cases: [input: string, lines: string[]][] = [
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb\r\nc\rd\n', ['a', '', 'b', 'c\rd']],
    ['é€😀\n😀', ['é€😀', '😀']],
    ['12345678\n', ['12345678']],
    ['123456789\n1\n', ['12345678…', '1']],
    ['1\n123456789abcdef\n12345678', ['1', '12345678…', '12345678']],
    ['123456789abcdef', ['12345678…']],
    ['1234567890\n1234567890\n\n', ['12345678…', '12345678…', '']],
  ];
  for (const [input, expected] of cases) {
    const bytes = Buffer.from(input);
    for (let size = 1; size <= bytes.length + 1; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const found = linesOf(chunks, input.includes('€') ? 16 : 8);
      t.strictSame(found, expected, `${JSON.stringify(input)} by ${size}`);
    }
  }
  t.end();
});

test('an error in the middle of a chunk reaches the writer, and nothing comes after it', t => {
  const seen: string[] = [];
  const lines = new Lines(text => {
    seen.push(text);
    if (text === 'b') throw new RangeError('b');
  });
  t.throws(() => lines.write(Buffer.from('a\nb\nc\n')), RangeError);
  t.strictSame(seen, ['a', 'b']);
  t.end();
});

test('a line without end costs time that grows with its length', t => {
  const chunk = Buffer.alloc(65_536, 'x');
  const begun = process.hrtime.bigint();
  const [line] = linesOf(Array.from({ length: 1024 }, () => chunk));
  t.equal(line?.length, (1 << 20) + 1);
  t.ok(process.hrtime.bigint() - begun < 2_000_000_000n, '64 MiB; split2 alone takes a minute');
  t.end();
});
