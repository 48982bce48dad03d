/** The candidate that was most likely meant, or undefined when none is close (a third of the letters may differ). */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map(candidate => ({ candidate, distance: distance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (!best) return undefined;
  const begun = word.length > 3 && candidates.find(candidate => candidate.startsWith(word));
  return begun || (best.distance <= Math.max(1, word.length / 3) ? best.candidate : undefined);
}

/** Levenshtein: insertions, deletions and replacements between two short words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
