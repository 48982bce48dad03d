/** A record as a line of output: key order fixed, safe on a terminal and in a CI log. */
import { escapeUnit } from '../base/text.js';
import { keys } from './generated/keys.js';
import type { AidoRecord } from './types.js';

/**
 * C1 and bidirectional controls, line separators, and what starts a command of a CI service (`##[error]`, `##vso[…]`).
 * JSON escapes C0 by itself.
 */
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=(?:vso)?\[)/;
const allUnsafe = new RegExp(unsafe, 'g');

/** How JSON writes a surrogate without its other half: some readers of JSON die of it. */
const loneSurrogate = /\\ud[89a-f]/;

/** One line, without its end: `type` first, keys in the order of the schema, those we do not know last, as they came. */
export function serialise(record: AidoRecord): string {
  const safe = ordered(record as unknown as Record<string, unknown>);
  const json = JSON.stringify(safe);
  return escapeLine(loneSurrogate.test(json) ? JSON.stringify(safe, repair) : json);
}

/** Makes a line of JSON safe to show. What it means stays the same: these characters occur in strings only. */
export function escapeLine(json: string): string {
  if (!unsafe.test(json)) return json;
  return json.replace(allUnsafe, found => (found === '##' ? '\\u0023#' : escapeUnit(found)));
}

/** The record itself where its keys are in order already, as those of the reader are. */
function ordered(record: Record<string, unknown>): Record<string, unknown> {
  const order = keys[record.type as string] ?? ['type'];
  if (isOrdered(record, order)) return record;
  const out: Record<string, unknown> = {};
  for (const key of order) if (record[key] !== undefined) out[key] = record[key];
  for (const key in record) if (!Object.hasOwn(out, key)) out[key] = record[key];
  return out;
}

function isOrdered(record: Record<string, unknown>, order: readonly string[]): boolean {
  let at = 0;
  for (const key in record) {
    while (at < order.length && order[at] !== key) at++;
    if (at === order.length) return false;
  }
  return true;
}

function repair(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
