/** What is new in a run, what was known, and what became of the rest of the baseline. */
import { byCodePoint } from '../base/text.js';
import { matchWeak, nameOf } from '../record/matching.js';
import type { AidoRecord, Failure } from '../record/types.js';
import { emptyTally, tallyFailure } from './capture.js';
import { Evidence } from './evidence.js';
import { type Baseline, type Tally, toTally } from './file.js';

/** Takes a record to be written; `line` is what it was read from, where it is passed on as it came. */
export type Emit = (record: AidoRecord, line?: string) => void;

export class Diff {
  /** The failures of this run. */
  readonly current: Tally = emptyTally();
  /** The ids of those that the baseline does not list, or not as often. */
  readonly added = new Set<string>();
  /** Ids without their suite, one failure of which the baseline lists with it. */
  readonly recognised = new Set<string>();
  /** Ids of the baseline that did not fail again, sorted. */
  readonly fixed: string[] = [];
  readonly absent: string[] = [];
  new = 0;
  preExisting = 0;

  private readonly known: Tally;
  private readonly weakNames: Set<string>;
  private readonly evidence: Evidence;
  /** Failures of which only the end tells: an id without its suite matches a sole candidate. */
  private readonly held: Failure[] = [];

  /** @param emit is given every record, as soon as what is to be said of it is known */
  constructor(
    baseline: Baseline,
    private readonly emit: Emit,
  ) {
    this.known = toTally(baseline);
    this.weakNames = new Set(this.known.weak);
    this.evidence = new Evidence(this.known);
  }

  /** @param line what the record was read from, if it is one of our own */
  record(record: AidoRecord, line?: string): void {
    this.evidence.add(record);
    if (record.type === 'failure') this.failure(record);
    // What an earlier diff said of another baseline is not passed on.
    else if (record.type !== 'fixed' && record.type !== 'absent') this.emit(record, line);
  }

  private failure(record: Failure): void {
    const { id, weakId } = record;
    tallyFailure(this.current, record);
    const known = this.known.counts.get(id) ?? 0;
    if ((this.current.counts.get(id) as number) <= known) this.say(record, true);
    else if (weakId || (known === 0 && this.weakNames.has(nameOf(id)))) this.held.push(record);
    else this.say(record, false);
  }

  private say(record: Failure, preExisting: boolean): void {
    if (preExisting) this.preExisting++;
    else {
      this.new++;
      this.added.add(record.id);
      this.evidence.isNew(record);
    }
    this.emit({ ...record, baseline: preExisting ? 'preExisting' : 'new' });
  }

  /**
   * Says what is left: the failures that waited for the end, then what is fixed, then what is absent.
   * @param complete all of the run is known: one that stopped early proves nothing fixed
   */
  end(complete: boolean): void {
    const matches = this.matchHeld();
    for (const record of this.held) this.say(record, matches.has(record.id) && this.recognise(record));
    const again = new Set(matches.values());
    const absent: AidoRecord[] = [];
    for (const id of [...this.known.counts.keys()].sort(byCodePoint)) {
      if (this.current.counts.has(id) || again.has(id)) continue;
      const evidence = complete ? this.evidence.fixed(id) : undefined;
      (evidence ? this.fixed : this.absent).push(id);
      if (evidence) this.emit({ type: 'fixed', id, evidence });
      else absent.push({ type: 'absent', id });
    }
    for (const record of absent) this.emit(record);
  }

  /** Two failures of one weak id are two tests: the one candidate of that name is one of them. */
  private recognise({ id, weakId, attempt = 1 }: Failure): boolean {
    if (!weakId || attempt > 1) return true;
    if (this.recognised.has(id)) return false;
    this.recognised.add(id);
    return true;
  }

  /** @returns the id of the baseline that each of the held ones matches */
  private matchHeld(): Map<string, string> {
    if (this.held.length === 0) return new Map();
    const { current, known } = this;
    const found = [...new Set(this.held.map(({ id }) => id))].map(id => ({ id, weak: current.weak.has(id) }));
    const open = [...known.counts.keys()].filter(id => !current.counts.has(id));
    return matchWeak(
      found,
      open.map(id => ({ id, weak: known.weak.has(id) })),
    );
  }
}
