/**
 * `--allow FILE`: what is known and accepted for now. One id a line, whichever of its names; then, in any order,
 * `until=2027-01-31` (that day included, UTC) and a reason. `#` begins a comment.
 */
import { AidoError } from '../base/error.js';
import { groupBy } from '../base/group.js';
import type { Advisory, Notice } from '../record/types.js';
import { spelled } from './ids.js';

export interface Entry {
  id: string;
  until?: string;
  reason?: string;
  line: number;
}

/** @throws AidoError BAD_INVOCATION: a line that is no such entry */
export function parseAllow(text: string, file: string): Entry[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .flatMap((line, i) => entryOf(line.replace(/(?:^|\s)#.*$/, '').trim(), i + 1, file) ?? []);
}

function entryOf(line: string, no: number, file: string): Entry | undefined {
  if (line === '') return undefined;
  const bad = (what: string) => new AidoError('BAD_INVOCATION', `${file}: line ${no}: ${what}`);
  const [id = '', ...words] = line.split(/\s+/);
  if (id.includes('=')) throw bad(`begins with ${id}, not with an id; a line is: GHSA-… until=2027-01-31 why`);
  const odd = words.find(
    (word, at) => /^until[:=]/i.test(word) !== word.startsWith('until=') || isUntil(word, words[at + 1]),
  );
  if (odd !== undefined) throw bad(`${odd}: the day is written until=2027-01-31`);
  const dates = words.filter(word => word.startsWith('until='));
  if (dates.length > 1) throw bad('has until= twice');
  const until = dates[0]?.slice('until='.length);
  if (until !== undefined && !isDay(until)) throw bad(`${until || 'nothing'} is no day; a day is written 2027-01-31`);
  const reason = words.filter(word => !word.startsWith('until=')).join(' ');
  return { id: spelled(id), ...(until && { until }), ...(reason && { reason }), line: no };
}

/** `until 2027-01-31`. */
const isUntil = (word: string, next = ''): boolean => /^until$/i.test(word) && /^\d/.test(next);

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Today in UTC, `2026-12-01`; SOURCE_DATE_EPOCH sets it (https://reproducible-builds.org/docs/source-date-epoch/). */
export function today({ SOURCE_DATE_EPOCH: epoch }: Readonly<Record<string, string | undefined>>): string {
  return new Date(/^\d{1,11}$/.test(epoch ?? '') ? Number(epoch) * 1000 : Date.now()).toISOString().slice(0, 10);
}

/**
 * Marks what an entry allows.
 * @returns notices of entries that do nothing: their day has passed, or there is nothing of that name
 */
export function applyAllow(
  entries: readonly Entry[],
  records: readonly (Advisory | Notice)[],
  day: string,
  file: string,
): Notice[] {
  const known = groupBy(entries, ({ id }) => id.toLowerCase());
  const used = new Set<Entry>();
  for (const record of records) {
    const ids = [record.id ?? '', ...(record.aliases ?? [])].map(id => id.toLowerCase());
    const fitting = ids.flatMap(id => known.get(id) ?? []);
    for (const entry of fitting) used.add(entry);
    const entry = fitting.find(entry => !isOver(entry, day));
    if (entry) mark(record, entry);
  }
  return entries.flatMap(entry => {
    if (isOver(entry, day))
      return notice('allowExpired', entry, `${file}:${entry.line}: its last day was ${entry.until}`);
    return used.has(entry) ? [] : notice('allowUnused', entry, `${file}:${entry.line}: nothing here is called so`);
  });
}

const isOver = ({ until }: Entry, day: string): boolean => until !== undefined && until < day;

function mark(record: Advisory | Notice, { until, reason }: Entry): void {
  record.allowed = true;
  if (until) record.allowedUntil = until;
  if (reason) record.allowedReason = reason;
}

const notice = (kind: 'allowExpired' | 'allowUnused', { id, until, reason }: Entry, message: string): Notice => ({
  type: 'notice',
  kind,
  id,
  message,
  ...(until && { allowedUntil: until }),
  ...(reason && { allowedReason: reason }),
});
