/**
 * One pytest session: what status lines, reports and summary say of the same test is brought together. Only summary and
 * status lines hold node ids; a report has a heading, `TestX.test_y[p]`, and comes in the same order.
 */
import type { Fields, Line, Out } from '../../format.js';
import { Entries, type Entry, type Kind } from './entries.js';
import { Files } from './files.js';
import {
  fileOf,
  headingOf,
  likeliest,
  nameFromHeading,
  nameOf,
  type Place,
  splits,
  startedBy,
  summaryOf,
} from './lines.js';
import { Outcomes } from './outcomes.js';
import { isTestFile, Report, sameFile } from './report.js';

/** With --tb=line: a place without a heading. */
interface Loose {
  place: Place;
  line: Line;
}

const LOOSE = 2000;
const TEST_SESSION = 'collecting test session';

export class Session {
  readonly #out: Out;
  readonly #entries: Entries;
  #loose: Loose[] = [];
  #outcomes: Outcomes;
  #current: Entry | undefined;
  /** The files of the failures and errors, in their order, as the dots have it. */
  #files: Record<Kind, string[]> = { failed: [], error: [] };
  /** What is known of each test file. */
  readonly files: Files;
  /** A heading told that it began, and no tally that it ended. */
  open = false;
  /** Length of the session's rules; 0 while unknown. */
  width = 0;

  constructor(out: Out) {
    this.#out = out;
    this.#entries = new Entries(out);
    this.#outcomes = new Outcomes(out);
    this.files = new Files(out);
  }

  start(width: number): void {
    if (this.open) this.#out.early('truncated');
    this.close();
    this.open = true;
    this.width = width;
    this.#out.begin();
  }

  get captured(): boolean {
    return this.#current?.report?.captured === true;
  }

  get reporting(): boolean {
    return this.#current !== undefined;
  }

  status(word: string, id: string, line: Line): void {
    const kind = word.startsWith('SUBFAIL') || word === 'FAILED' ? 'failed' : word === 'ERROR' ? 'error' : undefined;
    const attempt = this.#outcomes.status(word, id, line);
    if (kind === undefined) return;
    const heading = headingOf(id);
    const entry =
      this.#entries.find(kind, heading, 'status', e => e.id === id) ??
      this.#entries.open(kind, heading, 'status', line);
    Object.assign(entry.draft.fields, attempt);
    this.#know(entry, id);
  }

  /** The line of dots of a file, from the last to the first. */
  dots(file: string, letters: string): void {
    const count = (letter: string) => Array<string>(letters.split(letter).length - 1).fill(file);
    this.#files.failed.unshift(...count('F'));
    this.#files.error.unshift(...count('E'));
  }

  /** Nothing is new, but the session goes on: a block without progress ends. */
  alive(): void {
    this.#out.drop('');
  }

  /** A report begins. */
  report(title: string, line: Line): void {
    this.endReport();
    const [, phase, what] = /^ERROR (at setup of|at teardown of|collecting) (.*)$/.exec(title) ?? [];
    const kind: Kind = phase === undefined ? 'failed' : 'error';
    const name = (what ?? title).replace(/^\[doctest\] /, '');
    const heading = phase === 'collecting' ? `collecting ${name}` : name;
    const entry = this.#entries.find(kind, heading, 'detail') ?? this.#entries.open(kind, heading, 'detail', line);
    if (phase === 'collecting' && heading !== TEST_SESSION) this.#know(entry, name);
    if (entry.said.has('status')) this.#entries.say(entry, 'detail', line);
    entry.report = new Report();
    this.#current = entry;
  }

  /** xdist heads the report of a crashed worker with the file alone; the test's id comes two lines later. */
  crashed(line: Line): boolean {
    const id = /^worker '[^']+' crashed while running ['"](.*)['"]$/.exec(line.text)?.[1];
    if (id === undefined) return false;
    this.report(headingOf(id), line);
    this.#know(this.#current as Entry, id);
    this.add(line);
    return true;
  }

  add(line: Line): void {
    const entry = this.#current as Entry;
    entry.report?.add(line);
    entry.draft.add(line);
  }

  endReport(): void {
    if (this.#current !== undefined) this.#complete(this.#current);
    this.#current = undefined;
  }

  loose(place: Place, line: Line): void {
    if (this.#loose.length < LOOSE) this.#loose.push({ place, line });
  }

  /** A line of the summary. */
  summary(line: Line): boolean {
    const found = summaryOf(line.text);
    if (found === undefined) return false;
    this.alive();
    const { word, rest, sub } = found;
    const ways = splits(rest);
    if (word !== 'FAILED' && word !== 'ERROR') {
      // Behind a passed test stands no reason. Before pytest 6 that of others follows without a dash.
      const said = word === 'PASSED' ? rest : likeliest(ways).id;
      const id = (/^XP/.test(word) && startedBy(said)) || said.trimEnd();
      if (!this.#entries.has('error', headingOf(id))) this.#outcomes.summary(word, id, line);
      return true;
    }
    const kind: Kind = word === 'FAILED' ? 'failed' : 'error';
    const suffix = sub === undefined ? '' : ` ${sub}`;
    for (const { id, message } of ways) {
      const entry = this.#summarised(kind, id.trim(), suffix);
      if (entry !== undefined) return this.#summarise(entry, `${id.trim()}${suffix}`, message, line);
    }
    const { id, message } = likeliest(ways);
    const full = `${id.trim()}${suffix}`;
    if (full === '' || this.#entries.forgotten()) return true;
    const heading = full.includes('::') ? headingOf(full) : `collecting ${full}`;
    return this.#summarise(this.#entries.open(kind, heading, 'summary', line), full, message, line);
  }

  #summarised(kind: Kind, id: string, suffix: string): Entry | undefined {
    const file = fileOf(id);
    const fits = (e: Entry) => e.id === undefined || e.id === id + suffix || e.heading === `collecting ${id}`;
    const goesThrough = (e: Entry) => e.report?.speaksOf(file) === true;
    const heading = headingOf(id) + suffix;
    const headings = kind === 'error' ? [`collecting ${id || 'test session'}`, heading] : [heading, `${heading} `];
    for (const heading of headings) {
      const entry =
        this.#entries.find(kind, heading, 'summary', e => e.id === id + suffix) ??
        this.#entries.find(kind, heading, 'summary', e => fits(e) && goesThrough(e)) ??
        this.#entries.find(kind, heading, 'summary', fits);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #summarise(entry: Entry, id: string, message: string | undefined, line: Line): true {
    this.#entries.say(entry, 'summary', line);
    const sub = entry.heading.startsWith(`${headingOf(id)} `) ? entry.heading.slice(headingOf(id).length) : '';
    if (id !== '') this.#know(entry, id.endsWith(sub) ? id : id + sub);
    if (entry.report === undefined) this.#joinLoose(entry, message);
    if (message !== undefined) {
      entry.summary = message;
      entry.draft.fields.message ??= message;
    }
    this.#complete(entry);
    return true;
  }

  #joinLoose(entry: Entry, message?: string): void {
    const file = fileOf(entry.id ?? '');
    const start = message?.replace(/\.\.\.$/, '') ?? '';
    const mine = (l: Loose) => sameFile(l.place.file, file);
    const at = this.#loose.findIndex(l => start !== '' && mine(l) && l.place.rest.startsWith(start));
    // A trace may end in another file than the test's.
    const other = at >= 0 || start === '' ? at : this.#loose.findIndex(l => l.place.rest.startsWith(start));
    // Without a message (no room for it) the order must do.
    const next = this.#loose.findIndex(l => mine(l) || !isTestFile(l.place.file));
    const found = start === '' ? next : other;
    if (found < 0) return;
    const [{ place, line }] = this.#loose.splice(found, 1) as [Loose];
    entry.draft.add(line);
    Object.assign(entry.draft.fields, { file: place.file, line: place.line, message: place.rest });
  }

  tally(counts: Map<string, number>, line: Line): void {
    const count = (...names: string[]) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    const failed = count('failed', 'errors', 'subtests failed', 'subtest failed');
    this.#finish();
    const passed = count('passed', 'xpassed');
    const skipped = count('skipped', 'xfailed');
    if (this.#entries.count === failed && count('deselected') === 0)
      this.files.tally({ passed, failed, skipped }, this.#entries);
    const ran = [...counts.keys()].some(name => !/^(?:collected|deselected|warnings)$/.test(name));
    if (ran) this.#out.tally({ passed, failed, skipped, counted: this.#entries.count }, line);
    this.close();
  }

  /** What is open goes out. */
  close(): void {
    this.#finish();
    this.#outcomes.close();
    this.#out.close((fields, key) => {
      const entry = this.#entries.get(key);
      if (entry !== undefined) this.#complete(entry, fields);
    });
    this.#entries.clear();
    this.files.clear();
    this.#loose = [];
    this.#files = { failed: [], error: [] };
    this.open = false;
    this.width = 0;
  }

  /** Where neither summary nor status lines name the tests, the dots tell their files. */
  #place(kind: Kind): void {
    const files = this.#files[kind];
    const entries = [...this.#entries].filter(entry => entry.kind === kind);
    if (files.length !== entries.length) return;
    entries.forEach((entry, i) => {
      if (entry.id !== undefined || entry.heading === '' || entry.heading.startsWith('collecting ')) return;
      this.#know(entry, `${files[i]}::${nameFromHeading(entry.heading)}`);
    });
  }

  /** Places without a heading that no summary line asked for. */
  #finish(): void {
    this.endReport();
    this.#place('failed');
    this.#place('error');
    for (const entry of this.#entries)
      if (entry.kind === 'failed' && entry.report === undefined && !entry.said.has('summary')) this.#joinLoose(entry);
    for (const { place, line } of this.#loose) {
      const { file, rest } = place;
      const { fields } = this.#entries.open('failed', '', 'detail', line).draft;
      Object.assign(fields, {
        id: `${this.#out.path(file)}: ${rest}`,
        suite: file,
        name: rest,
        file,
        line: place.line,
        message: rest,
      });
    }
    this.#loose = [];
  }

  #know(entry: Entry, id: string): void {
    entry.id = id;
    Object.assign(entry.draft.fields, { id, name: nameOf(id), suite: fileOf(id) });
  }

  #complete(entry: Entry, fields: Fields = entry.draft.fields): void {
    const { report, heading } = entry;
    if (entry.id === undefined && heading === '') fields.weakId = true;
    else if (entry.id === undefined) {
      const file = heading === TEST_SESSION ? report?.place(undefined).file : report?.origin(heading);
      const name = heading.startsWith('collecting ') ? undefined : nameFromHeading(heading);
      fields.id = [file, name].filter(Boolean).join('::') || heading;
      fields.name = name ?? fields.id;
      if (file !== undefined) fields.suite = file;
      // The id is put together, not printed.
      fields.weakId = true;
    } else delete fields.weakId;
    if (report === undefined) return;
    Object.assign(fields, report.place(entry.id === undefined ? fields.suite : fileOf(entry.id)));
    const { exact, text } = report.message;
    const message = exact ?? (text === undefined || contradicts(entry.summary, text) ? entry.summary : text);
    if (message !== undefined) fields.message = message;
  }
}

/** Whether a report's text is not what the summary has of it: something else came between. */
function contradicts(summary: string | undefined, text: string): boolean {
  const said = summary?.replace(/\.\.\.$/, '').replace(/^\w+: /, '');
  return said !== undefined && !text.startsWith(said) && !said.startsWith(text.split('\n', 1)[0] as string);
}
