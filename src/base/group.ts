/** Things by what they have in common. */

/**
 * The groups in the order in which their first member comes, their members in the order given.
 * @param keys what a thing goes by; by several it is in several groups
 */
export function groupBy<T>(all: Iterable<T>, keys: (one: T) => string | readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const found = keys(one);
    for (const key of typeof found === 'string' ? [found] : found) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [one]);
      else group.push(one);
    }
  }
  return groups;
}
