/** Cutting and cleaning text without breaking characters. */

/** At most `max` UTF-16 units from the start of the text; never half a surrogate pair. */
export function cutUnits(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** At most `max` bytes of UTF-8 from the start of the text; never part of a character. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return text;
  const bytes = Buffer.from(cutUnits(text, max));
  let end = Math.min(max, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** The text on one line, its blank space single. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Control characters (C0, C1), bidirectional controls and line separators: what must not reach a terminal. */
const unprintable = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text on one line, safe to show on a terminal: what does not print stands as `\u001b`. */
export function printable(text: string): string {
  return text.toWellFormed().replace(unprintable, escapeUnit);
}

/** `\u` and four hex digits. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Order by code point: the same on every machine, whatever its locale. (`<` compares UTF-16 units, which differs.) */
export function byCodePoint(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}
