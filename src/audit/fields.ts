/** What the document of an auditor may hold, as what it ought to hold. */

import { type Fields, isObject, list, string } from '../base/fields.js';

export { type Fields, isObject, list, object, string } from '../base/fields.js';

/** Those of a list that are objects. */
export const objects = (value: unknown): readonly Fields[] => list(value).filter(isObject);
/** The text; nothing of an empty one, or of what is none. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const strings = (value: unknown): string[] =>
  list(value).filter((one): one is string => typeof one === 'string' && one !== '');
export const boolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
/** A number, also one that is written as text. */
export const number = (value: unknown): number | undefined => {
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};
/** What a map holds, by name; PHP writes an empty map as an empty list, and one with numbers for names as a list. */
export const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : list(value).map((one, i) => [String(i), one]);

const TITLE = 200;

/** The first line of a text that says something, at most 200 characters of it. */
export function titleOf(value: unknown): string | undefined {
  const head = string(value).slice(0, 10_000);
  const line = head.split('\n').find(line => /[\p{L}\p{N}]/u.test(line));
  const words = line
    ?.replace(/^[#\s>*-]+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (!words) return undefined;
  return words.length <= TITLE ? words : `${words.slice(0, TITLE - 1).trimEnd()}…`.toWellFormed();
}

const ADVISORIES = 'https://github.com/advisories/';
const WHOLE = /\/GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/;
const GHSA = /\bGHSA(?:-[23456789cfghjmpqrvwx]{4}){3}\b/i;

/** The id of the GitHub advisory that an address leads to. */
export function ghsaOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  // As nearly all are written.
  if (url.startsWith(ADVISORIES) && url.length === ADVISORIES.length + 19 && WHOLE.test(url))
    return url.slice(ADVISORIES.length);
  const found = GHSA.exec(url)?.[0];
  return found && `GHSA${found.slice(4).toLowerCase()}`;
}
