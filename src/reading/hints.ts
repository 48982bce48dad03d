/** Which lines can matter: all hints of all formats, the words of failure, and what is evidence for a prefix. */
import type { Format } from './format.js';
import { Sieve } from './sieve.js';
import { WORDS } from './suspects.js';
import { HINTS } from './undress.js';

/** The sieve of these formats: made once for each of the two kinds of run. */
export function sieveOf(formats: readonly Format[], outcomes: boolean): Sieve {
  const known = SIEVES.get(formats)?.[outcomes ? 1 : 0];
  if (known !== undefined) return known;
  const hints = WORDS.map(text => ({ text, owner: formats.length }));
  for (const text of HINTS) hints.push({ text, owner: formats.length + 1 });
  formats.forEach((format, owner) => {
    for (const text of format.hints) hints.push({ text, owner });
    if (outcomes) for (const text of format.outcomeHints ?? []) hints.push({ text, owner });
  });
  const sieve = new Sieve(hints);
  const pair = SIEVES.get(formats) ?? [];
  pair[outcomes ? 1 : 0] = sieve;
  SIEVES.set(formats, pair);
  return sieve;
}
const SIEVES = new WeakMap<readonly Format[], Sieve[]>();
