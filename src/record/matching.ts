/**
 * Whether two ids name the same failure when one of them is weak, that is, lacks its suite or a part of it: only when
 * neither has another candidate of that name.
 */
import { groupBy } from '../base/group.js';

/** What stands behind the suite in an id: `tests::x` of `crate tests::x`, `suite > test` of `file > suite > test`. */
export function nameOf(id: string): string {
  const separator = id.includes(' > ') ? ' > ' : ' ';
  const at = id.indexOf(separator);
  return at < 0 ? id : id.slice(at + separator.length);
}

/** What an id may be called where a part of it is left out: the file, or the groups between file and test. */
export function namesOf(id: string): string[] {
  const parts = id.split(' > ');
  const short = parts.length > 2 ? [`${parts[0]} > ${parts.at(-1)}`] : [];
  return [nameOf(id), ...short];
}

export interface Id {
  id: string;
  weak: boolean;
}

/** @returns the known id that each of the found ones matches; those without a match are missing */
export function matchWeak(found: readonly Id[], known: readonly Id[]): Map<string, string> {
  const knownByName = groupBy(known, names);
  const pairs = found.flatMap(one =>
    // Of two that are known whole, and of two that are not, different ones differ.
    names(one)
      .flatMap(name => knownByName.get(name) ?? [])
      .filter(other => other.weak !== one.weak)
      .map(other => [one.id, other.id] as const),
  );
  const byFound = groupBy(pairs, ([id]) => id);
  const byKnown = groupBy(pairs, ([, id]) => id);
  return new Map(pairs.filter(([one, other]) => byFound.get(one)?.length === 1 && byKnown.get(other)?.length === 1));
}

/** A weak id is the name itself. */
const names = ({ id, weak }: Id): string[] => (weak ? [id] : namesOf(id));
