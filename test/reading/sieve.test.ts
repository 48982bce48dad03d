import { test } from 'tap';
import { Sieve } from '../../src/reading/sieve.js';
import { Window } from '../../src/reading/window.js';
import { random } from '../support/fixtures.js';

const HINTS = ['FAIL', 'error', 'panicked at', '--- FAIL', 'not ok', 'E   ', 'Fehler: ü'];

const folds = (hint: string): boolean => !/[A-Z]/.test(hint);
const upper = (text: string): string => text.replace(/[a-z]/g, letter => letter.toUpperCase());
const lower = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase());

/** Where a hint begins, by looking at every place. */
function naive(bytes: Buffer, from: number, to: number): Set<number> {
  const text = bytes.toString('latin1');
  const found = new Set<number>();
  for (const hint of HINTS) {
    const wanted = Buffer.from(hint).toString('latin1');
    const within = folds(hint) ? lower(text) : text;
    for (let at = within.indexOf(wanted, from); at >= 0; at = within.indexOf(wanted, at + 1)) {
      if (at + wanted.length <= to) found.add(at);
    }
  }
  return found;
}

test('finds every hint at every offset; one without an upper-case letter in any case', t => {
  const window = new Window();
  const put = (text: string) => {
    window.bytes.fill(0x7e);
    return window.bytes.write(text);
  };
  for (const [owner, hint] of HINTS.entries()) {
    const sieve = new Sieve([{ text: hint, owner }]);
    for (let before = 0; before < 9; before++) {
      const length = put(`${'x'.repeat(before)}${hint}`);
      t.ok(sieve.next(window.bytes, window.words, 0, length) >= 0, `${before}: ${hint}`);
      t.equal(sieve.next(window.bytes, window.words, 0, length - 1), -1, `${hint} is cut`);
      t.equal(sieve.next(window.bytes, window.words, before + 1, length), -1, `${hint} begins before`);
      const owners: number[] = [];
      sieve.each(window.bytes, window.words, 0, length, found => owners.push(found));
      t.same(new Set(owners), new Set([owner]));
      for (const other of [upper(hint), lower(hint)]) {
        put(`${'x'.repeat(before)}${other}`);
        t.equal(sieve.next(window.bytes, window.words, 0, length) >= 0, folds(hint) || other === hint, other);
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
