/** The failed tests and errors of a session so far, found by the heading of their report. Bounded. */
import type { Draft, Line, Out, Part } from '../../format.js';
import type { Report } from './report.js';

/** A failed test and an error in its set-up or tear-down are two reports, counted apart. */
export type Kind = 'failed' | 'error';

export interface Entry {
  kind: Kind;
  key: string;
  heading: string;
  id?: string;
  draft: Draft;
  said: Set<Part>;
  report?: Report;
  /** What the summary says, perhaps cut. */
  summary?: string;
}

/** Over it the oldest are forgotten; the engine lets go of them even before. */
const ENTRIES = 3000;

export class Entries {
  readonly #out: Out;
  #all = new Map<string, Entry>();
  #byHeading = new Map<string, Entry[]>();
  #n = 0;
  #told: Record<Part, number> = { status: 0, detail: 0, summary: 0 };

  constructor(out: Out) {
    this.#out = out;
  }

  /** How many there were: where some are forgotten, as many as one part of the output told of. */
  get count(): number {
    return this.#n === this.#all.size ? this.#n : Math.max(...Object.values(this.#told));
  }

  /** A summary line of which nothing is known, where reports were forgotten: one of those, which went out long ago. */
  forgotten(): boolean {
    if (this.#n === this.#all.size || this.#told.summary >= Math.max(this.#told.detail, this.#told.status))
      return false;
    this.#told.summary++;
    return true;
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#all.values();
  }

  get(key: string): Entry | undefined {
    return this.#all.get(key);
  }

  has(kind: Kind, heading: string): boolean {
    return this.#byHeading.has(`${kind} ${heading}`);
  }

  /** The first of that heading of which that part has not been read yet. */
  find(kind: Kind, heading: string, part: Part, fits: (entry: Entry) => boolean = () => true): Entry | undefined {
    const same = this.#byHeading.get(`${kind} ${heading}`);
    return same?.find(entry => !entry.said.has(part) && fits(entry));
  }

  open(kind: Kind, heading: string, part: Part, line: Line): Entry {
    const key = `${kind} ${++this.#n}`;
    this.#told[part]++;
    const draft = this.#out.part(part, key, line, { name: heading });
    const entry: Entry = { kind, key, heading, draft, said: new Set([part]) };
    this.#all.set(key, entry);
    for (const name of names(entry)) {
      const same = this.#byHeading.get(name);
      if (same === undefined) this.#byHeading.set(name, [entry]);
      else same.push(entry);
    }
    if (this.#all.size > ENTRIES) this.#forget();
    return entry;
  }

  say(entry: Entry, part: Part, line: Line): void {
    if (entry.said.has(part)) return;
    entry.said.add(part);
    this.#told[part]++;
    entry.draft = this.#out.part(part, entry.key, line);
  }

  #forget(): void {
    const oldest = this.#all.values().next().value as Entry;
    this.#all.delete(oldest.key);
    for (const name of names(oldest)) {
      const same = this.#byHeading.get(name)?.filter(entry => entry !== oldest) ?? [];
      if (same.length === 0) this.#byHeading.delete(name);
      else this.#byHeading.set(name, same);
    }
  }

  clear(): void {
    this.#all.clear();
    this.#byHeading.clear();
    this.#n = 0;
    this.#told = { status: 0, detail: 0, summary: 0 };
  }
}

/** Old subtests have the test's own id in the summary: they are found by the test's heading and a blank, too. */
function names({ kind, heading }: Entry): string[] {
  const sub = heading.search(/ [[(]/);
  return sub > 0 ? [`${kind} ${heading}`, `${kind} ${heading.slice(0, sub + 1)}`] : [`${kind} ${heading}`];
}
