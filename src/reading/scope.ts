/**
 * Where what a reader says is put together: status line, detail block and summary of one test become one failure, held
 * until its scope (cargo target, go package, session) closes and completes the ids. One scope per reader.
 */
import { normalise } from '../record/identity.js';
import type { Failure, Finding, Kind, Outcome, Reason, Result, Suite, Warning } from '../record/types.js';
import type { Draft, Fields, Line, Out, Part, Tally } from './format.js';
import { IdTable } from './id-table.js';

/** How many drafts and outcomes of an open scope are held; over it the oldest go out as they are. */
const DRAFTS = 2000;
const OUTCOMES = 20_000;
/** How much of what a tool said stands in `detail`, and in `message`; in characters. */
const DETAIL = 4096;
const MESSAGE = 1024;

/** What a scope needs of the engine. */
export interface Host {
  readonly outcomes: boolean;
  readonly warnings: boolean;
  path(path: string): string;
  say(record: Failure | Warning | Outcome | Suite): void;
  consequence(found: Failure): void;
  early(reason: Reason): void;
  back(n: number): Line | undefined;
  claim(line: Line): void;
  /** Whether this is the input's last line and has no end: it may be cut. */
  torn(line: Line): boolean;
}

const PARTS: Record<Part, number> = { status: 1, detail: 2, summary: 4 };

class OpenDraft implements Draft {
  parts = 0;
  span: { first: number; last: number };
  cut = false;
  /** It began on a line that may be cut. */
  torn = false;
  #text = '';

  constructor(
    readonly key: string,
    public fields: Fields,
    line: Line,
    last: Line = line,
  ) {
    this.span = { first: line.no, last: last.no };
  }

  add(line: Line): void {
    this.span.last = Math.max(this.span.last, line.no);
    if (this.cut) return;
    const text = this.#text === '' ? line.text : `${this.#text}\n${line.text}`;
    // A line that is as long as the bound may have been cut to it.
    this.cut = text.length >= DETAIL;
    this.#text = this.cut ? text.slice(0, DETAIL) : text;
  }

  get detail(): string | undefined {
    return this.#text.trimEnd() || undefined;
  }
}

/** A test that passed or was skipped, or failed and passed on a later attempt. */
interface Held {
  result: Result;
  key: string;
  fields: Fields;
  no: number;
}

export class Scope implements Out {
  readonly outcomes: boolean;
  readonly warnings: boolean;
  #tool: string;
  #host: Host;
  #drafts = new Map<string, OpenDraft[]>();
  /** All that is open, in the order in which it was first read. */
  #items: (OpenDraft | Held)[] = [];
  #openDrafts = 0;
  /** Keys that went out over the bound, and how many: what is said of them later joins nothing. */
  #gone: IdTable | undefined;
  #goneCount = 0;
  /** Diagnostics waiting for the end of their block. */
  #loose: { draft: OpenDraft; type: 'failure' | 'warning' }[] = [];
  #tallies: { tally: Tally; no: number }[] = [];
  /** A run began, and has not said its end. */
  open = false;
  /** Counts what was said, so that the bound on blocks can tell progress from silence. */
  progress = 0;

  constructor(tool: string, host: Host) {
    this.#tool = tool;
    this.#host = host;
    this.outcomes = host.outcomes;
    this.warnings = host.warnings;
  }

  path(path: string): string {
    return this.#host.path(path);
  }

  begin(): void {
    this.open = true;
  }

  part(part: Part, key: string, line: Line, fields: Fields = {}): Draft {
    this.progress++;
    if (this.#tallies.length === 0) this.open = true;
    const bit = PARTS[part];
    const same = this.#drafts.get(key) ?? [];
    let draft = same.find(d => (d.parts & bit) === 0);
    if (draft === undefined) {
      draft = this.#openDraft(key, line, same);
      this.#tear(draft, line);
    } else if (part === 'detail') draft.span = { first: line.no, last: line.no };
    draft.parts |= bit;
    draft.fields = { ...fields, ...draft.fields };
    return draft;
  }

  #openDraft(key: string, line: Line, same: OpenDraft[]): OpenDraft {
    const draft = new OpenDraft(key, {}, line);
    if (this.#gone?.has(key)) return draft;
    if (same.length > 0) draft.fields.attempt = same.length + 1;
    same.push(draft);
    this.#drafts.set(key, same);
    this.#items.push(draft);
    if (++this.#openDrafts > DRAFTS) this.#overflow();
    return draft;
  }

  #overflow(): void {
    const at = this.#items.findIndex(item => item instanceof OpenDraft);
    const [oldest] = this.#items.splice(at, 1) as [OpenDraft];
    this.#openDrafts--;
    this.#gone ??= new IdTable();
    if (this.#gone.add(oldest.key)) this.#goneCount++;
    this.#drafts.delete(oldest.key);
    oldest.cut = true;
    oldest.fields.weakId = true;
    this.#sayDraft(oldest);
  }

  drop(key: string): void {
    this.progress++;
    for (const draft of this.#drafts.get(key) ?? []) {
      const at = this.#items.indexOf(draft);
      this.#items[at] = { result: 'failed', key, fields: draft.fields, no: draft.span.first };
      this.#openDrafts--;
    }
    this.#drafts.delete(key);
  }

  outcome(result: Result, key: string, line: Line, fields: Fields = {}): void {
    this.progress++;
    if (this.#tallies.length === 0) this.open = true;
    if (!this.outcomes) return;
    this.#items.push({ result, key, fields, no: line.no });
    if (this.#items.length - this.#openDrafts <= OUTCOMES) return;
    const at = this.#items.findIndex(item => !(item instanceof OpenDraft));
    const [oldest] = this.#items.splice(at, 1) as [Held];
    this.#sayHeld({ ...oldest, fields: { weakId: true, ...oldest.fields } });
  }

  failure(fields: Fields & { kind: Kind }, first: Line, last?: Line): Draft {
    return this.#diagnostic('failure', fields, first, last);
  }

  warning(fields: Fields, first: Line, last?: Line): Draft {
    return this.#diagnostic('warning', { kind: 'build', severity: 'warning', ...fields }, first, last);
  }

  #diagnostic(type: 'failure' | 'warning', fields: Fields, first: Line, last?: Line): Draft {
    this.progress++;
    const draft = new OpenDraft('', fields, first, last);
    if (type === 'failure') this.#tear(draft, first, last);
    this.#loose.push({ draft, type });
    return draft;
  }

  /** What a line that may be cut says of a failure may be cut, too; what else it would have said is not known. */
  #tear(draft: OpenDraft, first: Line, last: Line = first): void {
    if (!this.#host.torn(first) && !this.#host.torn(last)) return;
    draft.torn = true;
    this.early('truncated');
  }

  /** Diagnostics go out: no block of this reader is open any more. */
  release(): void {
    if (this.#loose.length === 0) return;
    const loose = this.#loose;
    this.#loose = [];
    for (const { draft, type } of loose) {
      if (type === 'failure' || this.warnings) this.#host.say({ type, ...this.#finding(draft) });
    }
  }

  consequence(fields: Fields & { kind: Kind }, line: Line): void {
    this.progress++;
    const draft = new OpenDraft('', fields, line);
    this.#tear(draft, line);
    this.#host.consequence({ type: 'failure', ...this.#finding(draft) });
  }

  failing(): number {
    return this.#drafts.size + this.#goneCount;
  }

  tally(tally: Tally, line: Line): void {
    this.progress++;
    this.open = false;
    this.#tallies.push({ tally, no: line.no });
  }

  close(finish: (fields: Fields, key: string) => void = () => {}, again?: 'runs'): void {
    this.progress++;
    this.open = false;
    this.release();
    const failing = this.failing();
    const runs = new Map<string, number>();
    for (const item of this.#items) {
      finish(item.fields, item.key);
      const run = again && (runs.get(item.key) ?? 0) + 1;
      if (run !== undefined) runs.set(item.key, run);
      if (item instanceof OpenDraft) this.#sayDraft(item, run);
      else this.#sayHeld(item, run);
    }
    for (const { tally, no } of this.#tallies) {
      const fields: Fields = {};
      finish(fields, '');
      this.#saySuite({ ...tally, suite: tally.suite ?? fields.suite ?? '' }, fields.tool, failing, no);
    }
    if (this.#items.length > 0) this.#items = [];
    if (this.#drafts.size > 0) this.#drafts = new Map();
    this.#gone = undefined;
    this.#goneCount = 0;
    this.#openDrafts = 0;
    this.#tallies = [];
  }

  early(reason: Exclude<Reason, 'noRun' | 'tally' | 'interrupted'>): void {
    this.#host.early(reason);
  }

  back(n: number): Line | undefined {
    return this.#host.back(n);
  }

  claim(line: Line): void {
    this.#host.claim(line);
  }

  /** @param run how often the test has run with this one, where that is counted */
  #sayDraft(draft: OpenDraft, run?: number): void {
    this.#host.say({ type: 'failure', ...this.#finding(draft) });
    if (!this.outcomes || (draft.fields.kind ?? 'test') !== 'test') return;
    const fields = { ...draft.fields, ...(draft.torn && { weakId: true as const }) };
    this.#sayHeld({ result: 'failed', key: draft.key, fields, no: draft.span.first }, run);
  }

  #sayHeld({ result, key, fields, no }: Held, run = 1): void {
    if (!this.outcomes) return;
    const attempt = run > 1 ? run : fields.attempt;
    this.#host.say({
      type: 'outcome',
      tool: fields.tool ?? this.#tool,
      id: testId(fields.id || key),
      ...(fields.weakId && { weakId: true as const }),
      ...known('suite', fields.suite),
      ...known('name', fields.name ?? key),
      result,
      ...(attempt !== undefined && { attempt }),
      log: { first: no, last: no },
    });
  }

  #saySuite(tally: Tally, tool: string | undefined, failing: number, no: number): void {
    const read = tally.counted ?? failing;
    const result = tally.result ?? ((tally.failed ?? 0) > 0 ? 'failed' : 'passed');
    const same = tally.failed !== undefined ? read === tally.failed : read > 0 === (result === 'failed');
    this.#host.say({
      type: 'suite',
      tool: tool ?? this.#tool,
      ...known('suite', tally.suite),
      result,
      ...numbered('passed', tally.passed),
      ...numbered('failed', tally.failed),
      ...numbered('skipped', tally.skipped),
      agrees: tally.agrees ?? same,
      log: { first: no, last: no },
    });
  }

  #finding(draft: OpenDraft): Finding {
    const { fields, key } = draft;
    const kind = fields.kind ?? 'test';
    const tool = fields.tool ?? this.#tool;
    const file = fields.file === undefined ? undefined : this.#host.path(fields.file);
    const message = fields.message?.trimEnd().slice(0, MESSAGE).toWellFormed();
    const id =
      kind === 'test' ? testId(fields.id || key) : fields.id || diagnosticId(file ?? tool, fields.code, message);
    return {
      kind,
      tool,
      id,
      ...((fields.weakId || draft.torn) && { weakId: true as const }),
      ...known('suite', fields.suite),
      ...known('name', fields.name ?? (kind === 'test' ? key : undefined)),
      ...known('file', file),
      ...numbered('line', fields.line || undefined),
      ...numbered('column', fields.column || undefined),
      ...numbered('endLine', fields.endLine || undefined),
      ...known('code', fields.code),
      ...known('severity', fields.severity),
      ...known('message', message),
      ...known('detail', draft.detail?.toWellFormed()),
      ...(fields.attempt !== undefined && { attempt: fields.attempt }),
      log: draft.span,
      ...((draft.cut || draft.torn) && { cut: true as const }),
      source: 'exact',
    };
  }
}

/** `{name: value}`, or nothing where the value is unknown or empty. */
const known = <K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> =>
  value ? ({ [name]: value } as Record<K, string>) : {};

/** `{name: value}`, or nothing where the value is unknown, or so large that it is none. */
const numbered = <K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> =>
  Number.isSafeInteger(value) ? ({ [name]: value } as Record<K, number>) : {};

/** A memory address is the one thing in a test's name that changes from run to run. */
const testId = (id: string): string => id.toWellFormed().replace(/(?<![^\W_])0x[0-9a-f]{4,}(?![^\W_])/gi, '0x…');

const diagnosticId = (where: string, code: string | undefined, message: string | undefined): string =>
  normalise([where, code, message?.split('\n', 1)[0]].filter(Boolean).join(': '));
