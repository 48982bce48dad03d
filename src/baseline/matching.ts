/**
 * Whether two ids name the same failure when one of them is weak, that is, lacks its suite: only when neither has another
 * candidate of that name.
 */

/** What stands behind the suite in an id: `tests::x` of `crate tests::x`, `suite > test` of `file > suite > test`. */
export function nameOf(id: string): string {
  const separator = id.includes(' > ') ? ' > ' : ' ';
  const at = id.indexOf(separator);
  return at < 0 ? id : id.slice(at + separator.length);
}

export interface Id {
  id: string;
  weak: boolean;
}

/** @returns the known id that each of the found ones matches; those without a match are missing */
export function matchWeak(found: readonly Id[], known: readonly Id[]): Map<string, string> {
  const knownByName = group(known);
  const candidates = (one: Id) =>
    (knownByName.get(one.weak ? one.id : nameOf(one.id)) ?? []).filter(other => pairs(one, other));
  const claims = new Map<string, string[]>();
  const choice = new Map<string, string>();
  for (const one of found) {
    const all = candidates(one);
    for (const { id } of all) claims.set(id, [...(claims.get(id) ?? []), one.id]);
    if (all.length === 1) choice.set(one.id, (all[0] as Id).id);
  }
  return new Map([...choice].filter(([, id]) => claims.get(id)?.length === 1));
}

/** A weak id is the name itself; of two that are known whole, different ones differ. */
function pairs(one: Id, other: Id): boolean {
  return one.weak !== other.weak;
}

function group(ids: readonly Id[]): Map<string, Id[]> {
  const groups = new Map<string, Id[]>();
  for (const one of ids) {
    const name = one.weak ? one.id : nameOf(one.id);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return groups;
}
