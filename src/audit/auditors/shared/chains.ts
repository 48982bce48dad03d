/** Vulnerable packages as npm's report links them: which one is so because of which. */

/** Of a package. */
export interface Links {
  /** Those that it makes vulnerable, as they need it. */
  above(name: string): readonly string[];
  /** The project asks for it. */
  isDirect(name: string): boolean;
}

interface Way {
  name: string;
  depth: number;
  /** The way on, down to the package. */
  below?: Way;
}

const WAYS = 10;
const DEPTH = 50;
const VISITS = 1000;
const CLOSURE = 100;

/**
 * The shortest ways down to a package, one from each that the project asks for: at most 10, and no more than a walk over 1,000
 * packages finds, whatever cycles there are.
 */
export function chainsOf(name: string, links: Links): string[][] {
  const found: Way[] = [];
  const seen = new Set([name]);
  const queue: Way[] = [{ name, depth: 1 }];
  for (const way of queue) {
    if (links.isDirect(way.name)) found.push(way);
    if (found.length === WAYS) break;
    if (way.depth === DEPTH) continue;
    for (const next of links.above(way.name)) {
      if (seen.has(next) || seen.size > VISITS) continue;
      seen.add(next);
      queue.push({ name: next, depth: way.depth + 1, below: way });
    }
  }
  return found.map(stepsOf);
}

function stepsOf(way: Way): string[] {
  const steps: string[] = [];
  for (let at: Way | undefined = way; at !== undefined; at = at.below) steps.push(at.name);
  return steps;
}

/** It and all that are vulnerable because of it; nothing of a cluster that is too large. */
export function closureOf(name: string, links: Links): string[] {
  const seen = new Set([name]);
  for (const one of seen) {
    for (const next of links.above(one)) seen.add(next);
    if (seen.size > CLOSURE) return [];
  }
  return [...seen];
}
