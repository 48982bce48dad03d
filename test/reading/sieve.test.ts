import { test } from 'tap';
import { Sieve } from '../../src/reading/sieve.js';
import { Window } from '../../src/reading/window.js';
import { random } from '../support/fixtures.js';

const HINTS = ['FAIL', 'error', 'panicked at', '--- FAIL', 'not ok', 'E   ', 'Fehler: ü'];

/** Where a hint begins, by looking at every place. */
function naive(text: Buffer, from: number, to: number): Set<number> {
  const folded = text.toString('latin1').toLowerCase();
  const found = new Set<number>();
  for (const hint of HINTS) {
    const wanted = Buffer.from(hint).toString('latin1').toLowerCase();
    for (let at = folded.indexOf(wanted, from); at >= 0; at = folded.indexOf(wanted, at + 1)) {
      if (at + wanted.length <= to) found.add(at);
    }
  }
  return found;
}

test('finds every hint at every offset, whatever its case', t => {
  const window = new Window();
  for (const [owner, hint] of HINTS.entries()) {
    const sieve = new Sieve([{ text: hint, owner }]);
    for (let before = 0; before < 9; before++) {
      for (const written of [
        hint,
        hint.replace(/[a-z]/g, c => c.toUpperCase()),
        hint.replace(/[A-Z]/g, c => c.toLowerCase()),
      ]) {
        window.bytes.fill(0x7e);
        const length = window.bytes.write(`${'x'.repeat(before)}${written}`);
        t.ok(sieve.next(window.bytes, window.words, 0, length) >= 0, `${before}: ${written}`);
        t.equal(sieve.next(window.bytes, window.words, 0, length - 1), -1, `${written} is cut`);
        t.equal(sieve.next(window.bytes, window.words, before + 1, length), -1, `${written} begins before`);
        const owners: number[] = [];
        sieve.each(window.bytes, 0, length, found => owners.push(found));
        t.same(new Set(owners), new Set([owner]));
      }
    }
  }
  t.end();
});

test('in noise it finds exactly what a plain search finds', t => {
  const next = random(4);
  const sieve = new Sieve(HINTS.map((text, owner) => ({ text, owner })));
  const window = new Window();
  const letters = 'FAILfailerorE- nt:kpcd@\n';
  let met = 0;
  for (let round = 0; round < 300; round++) {
    const length = 40 + Math.floor(next() * 3000);
    for (let i = 0; i < length; i++) window.bytes[i] = letters.charCodeAt(Math.floor(next() * letters.length));
    for (let i = 0; i < 5; i++)
      window.bytes.write(HINTS[Math.floor(next() * 6)] as string, Math.floor(next() * (length - 12)));
    const from = Math.floor(next() * 40);
    const wanted = naive(window.bytes.subarray(0, length), from, length);
    const hit = sieve.next(window.bytes, window.words, from, length);
    met += wanted.size;
    t.equal(hit >= 0, wanted.size > 0, `round ${round}`);
    if (hit >= 0) t.ok(wanted.has(hit), `round ${round}: ${hit}`);
    const line = Math.max(0, window.bytes.lastIndexOf(10, hit));
    const first = Math.min(...wanted);
    if (hit >= 0) t.ok(line <= first, 'no line with a hint is passed over');
  }
  t.ok(met > 300, `${met} hints`);
  t.end();
});

test('a hint must have four bytes', t => {
  t.throws(() => new Sieve([{ text: 'no!', owner: 0 }]));
  t.end();
});
