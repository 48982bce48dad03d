/**
 * One run of a test binary (`running 3 tests` to `test result:`): gathers what libtest says of it and hands it on when
 * its target is known. The list under the second `failures:` is libtest's own word on what failed, so that a test that
 * prints `test other ... FAILED` accuses nobody; status lines count only where that list is missing or too short.
 */
import type { Fields, Line, Out } from '../../format.js';
import type { Story } from './story.js';
import { suiteOf, type Target } from './target.js';

const HELD = 2000;
const DOCTEST = /^(.+\.\w+) - .*\(line (\d+)\)$/;
const DOC_LINE = /\(line (\d+)\)$/;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Makes tests of one name in several targets of unknown name differ. */
export type Nameless = (name: string) => string;

export class Run {
  /** How many tests its heading promised; without one (a log that lost its head) only what is beyond doubt is believed. */
  promised: number | undefined;
  tally: Counts | undefined;
  /** libtest-mimic pads the names; its `[kind]` before a name is then no part of it. */
  padded = false;
  /** Whose words were the last before the process died, and what they were. */
  suspect: { name: string; message?: string } | undefined;
  #statuses = new Map<string, Line>();
  #listed = new Map<string, Line>();
  #stories = new Map<string, { head: Line; story: Story }>();
  /** Panics printed while the tests ran (`--nocapture`), by thread. */
  #shown = new Map<string, { head: Line; story: Story }>();
  #doctests = new Set<string>();
  /** A filtered run proves nothing of the tests that it left out, so its suite is not named. */
  #partial = false;

  constructor(
    readonly out: Out,
    readonly target: Target | undefined,
  ) {}

  failed(name: string, line: Line): void {
    if (this.#statuses.size < HELD) this.#statuses.set(name, line);
  }

  listed(name: string, line: Line): void {
    this.#listed.set(name, line);
  }

  story(name: string, head: Line, story: Story): void {
    if (this.#stories.size < HELD) this.#stories.set(name, { head, story });
  }

  shown(thread: string, head: Line, story: Story): void {
    // The runtime's own word, that it cannot unwind, tells less than the panic before it.
    if (this.#shown.has(thread) && head.text.includes('/core/src/panicking.rs:')) return;
    if (this.#shown.size < HELD) this.#shown.set(thread, { head, story });
  }

  /** What was read since the log lost its middle belongs to the run whose tally comes now: all but the status lines. */
  rest(): Run {
    const rest = new Run(this.out, undefined);
    rest.#listed = this.#listed;
    rest.#stories = this.#stories;
    this.#listed = new Map();
    this.#stories = new Map();
    return rest;
  }

  ended(tally: Counts, filtered: number, line: Line): void {
    this.tally = tally;
    this.#partial = filtered > 0;
    this.out.tally(tally, line);
  }

  /** Its tests failed, or it ended before they did. */
  get red(): boolean {
    return this.tally === undefined ? this.promised !== undefined : this.tally.failed > 0;
  }

  /** What is known of a test's panic, if it was printed while the tests ran. */
  panicOf(thread: string): { fields: Fields; lines: Line[] } | undefined {
    const story = this.#shown.get(thread)?.story;
    return story && { fields: story.fields(thread), lines: story.lines };
  }

  /** Every doctest's name, whatever its result: their ids count those of one item. */
  doctest(name: string): void {
    if (DOC_LINE.test(name)) this.#doctests.add(name);
  }

  /** The target is as well known as it will be: all that was gathered goes out. */
  close(target: Target | undefined, nameless: Nameless): void {
    const failing = new Set(this.#failing());
    for (const name of failing) this.#say(name);
    const suite = target === undefined ? '' : suiteOf(target);
    // The doctests of one item are counted: those that were not read count, too.
    const partial = target?.kind === 'doc' && this.tally === undefined;
    const weak = !target?.crate || target.guessed === true || partial;
    const ordinals = this.#ordinals();
    this.out.close((fields, key) => {
      if (key === '') {
        if (!weak && !this.#partial) fields.suite = suite;
        return;
      }
      const name = target?.kind === 'doc' ? doctestId(this.out.path(key), ordinals.get(key)) : key;
      if (suite !== '') fields.suite = suite;
      if (weak) fields.weakId = true;
      fields.id = suite !== '' ? `${suite} ${name}` : failing.has(key) ? nameless(name) : name;
    });
  }

  #failing(): Iterable<string> {
    if (this.promised === undefined && this.tally === undefined) return this.#statuses.keys();
    const enough = this.tally !== undefined && this.#listed.size >= this.tally.failed;
    if (this.tally?.failed === 0) return [];
    if (enough) return this.#listed.keys();
    const statuses = [...this.#statuses.keys()];
    // The list of a log that ends in it may end within a name.
    const cut = (name: string) => this.tally === undefined && statuses.some(other => isBeginning(name, other));
    return new Set([...[...this.#listed.keys()].filter(name => !cut(name)), ...statuses]);
  }

  #say(name: string): void {
    const line = this.#statuses.get(name) ?? this.#listed.get(name);
    if (line === undefined) return;
    const shown = this.#shown.get(name);
    const told = this.#stories.get(name) ?? shown;
    this.doctest(name);
    const fields = { ...doctestPlace(name), ...shown?.story.fields(name), ...known(told?.story.fields(name)) };
    this.out.part('status', name, line, fields);
    if (told === undefined) return;
    const draft = this.out.part('detail', name, told.head);
    for (const held of told.story.lines) draft.add(held);
  }

  /** The doctests of one item differ by their line only, which moves: they are counted instead. */
  #ordinals(): Map<string, number> {
    const lineOf = (name: string) => Number(DOC_LINE.exec(name)?.[1]);
    const ordinals = new Map<string, number>();
    const seen = new Map<string, number>();
    for (const name of [...this.#doctests].sort((a, b) => lineOf(a) - lineOf(b))) {
      const item = name.replace(DOC_LINE, '');
      const n = (seen.get(item) ?? 0) + 1;
      seen.set(item, n);
      ordinals.set(name, n);
    }
    return ordinals;
  }
}

const isBeginning = (name: string, other: string): boolean => other !== name && other.startsWith(name);

const known = (fields: Fields | undefined): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== ''));

function doctestPlace(name: string): Fields {
  const [, file, line] = DOCTEST.exec(name) ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}

const doctestId = (name: string, ordinal = 1): string =>
  name.replace(DOC_LINE, ordinal === 1 ? '(line …)' : `(line …) #${ordinal}`);
