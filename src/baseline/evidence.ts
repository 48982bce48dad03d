/** What a run shows of the tests that did not fail in it. */
import { Suites } from '../reading/suites.js';
import { nameOf } from '../record/matching.js';
import type { AidoRecord, Failure, Fixed, Outcome, Result } from '../record/types.js';
import type { Tally } from './file.js';

/** What the run says of a name that an id of the baseline bears, whichever suite it says it of. */
interface NameSeen {
  /** How many ids of the baseline bear it. */
  bearers: number;
  outcomes: number;
  failed: boolean;
  /** By a test whose suite is not known: it was seen to pass; it failed, or did not run. */
  weakPassed: boolean;
  weakDoubt: boolean;
}

export class Evidence {
  private readonly results = new Map<string, Result>();
  private readonly suites = new Suites();
  private readonly names = new Map<string, NameSeen>();
  /** Suites in which something is new, as `home` has them, and tools of which something new may be in any suite. */
  private readonly unsettled = new Set<string>();
  private readonly adrift = new Set<string>();

  /** @param wanted the ids that will be asked about: of others, nothing is kept */
  constructor(private readonly wanted: Tally) {
    for (const id of wanted.counts.keys()) {
      for (const name of namesOf(id, wanted.weak.has(id))) {
        const seen = this.names.get(name);
        if (seen) seen.bearers++;
        else this.names.set(name, { bearers: 1, outcomes: 0, failed: false, weakPassed: false, weakDoubt: false });
      }
    }
  }

  add(record: AidoRecord): void {
    if (record.type === 'outcome') this.outcome(record);
    else if (record.type === 'suite') this.suites.suite(record);
    else if (record.type === 'failure') this.name(record, 'failed');
  }

  private outcome(outcome: Outcome): void {
    const { id, weakId, result } = outcome;
    // Of several attempts the last one counts.
    if (!weakId && this.wanted.counts.has(id)) this.results.set(id, result);
    this.suites.outcome(outcome);
    for (const seen of this.name(outcome, result)) seen.outcomes++;
  }

  private name({ id, weakId }: Outcome | Failure, result: Result): NameSeen[] {
    const all = namesOf(id, weakId === true).flatMap(name => this.names.get(name) ?? []);
    for (const seen of all) {
      seen.failed ||= result === 'failed';
      seen.weakPassed ||= weakId === true && result === 'passed';
      seen.weakDoubt ||= weakId === true && result !== 'passed';
    }
    return all;
  }

  /** The failure is one that the baseline does not list: it may be one of the list under another name. */
  isNew({ id, suite, tool, weakId }: Failure): void {
    for (const [name, between] of suitesOf(id)) this.unsettled.add(home(name, between));
    // The suite itself fails (a file that cannot be loaded), or one that the id does not spell.
    for (const between of BETWEEN) this.unsettled.add(home(id, between)).add(home(suite ?? id, between));
    if (weakId && suite === undefined) this.adrift.add(tool);
  }

  /** How it is known that a failure which did not come again is fixed; undefined: it is not known. */
  fixed(id: string): Fixed['evidence'] | undefined {
    const result = this.results.get(id);
    if (result) return result === 'passed' ? 'passed' : undefined;
    const names = namesOf(id, this.wanted.weak.has(id)).flatMap(name => this.names.get(name) ?? []);
    if (names.some(seen => seen.weakPassed && seen.outcomes === 1 && !seen.failed && seen.bearers === 1))
      return 'passed';
    if (names.some(seen => seen.weakDoubt)) return undefined;
    return suitesOf(id).some(([name, between]) => this.clears(name, between)) ? 'suite' : undefined;
  }

  /**
   * Whether what the suite does not list as failed did not fail. But where something new failed in it, that may be the test
   * we ask about, renamed.
   */
  private clears(name: string, between: Between): boolean {
    const suite = this.suites.get(name);
    if (!suite || !holds(suite.tool, between)) return false;
    if (this.unsettled.has(home(name, between)) || this.adrift.has(suite.tool)) return false;
    return this.suites.clears(name);
  }
}

/** What stands between a suite and what belongs to it; nothing: the suite itself. */
type Between = (typeof BETWEEN)[number];
const BETWEEN = ['', ' ', '::', '.'] as const;

/** Python's runners print `file.py::test`, Java's `a.b.Class.test`, all others `suite test` or `file > test`. */
const OF_TOOL: Record<string, Between> = { pytest: '::', unittest: '::', surefire: '.', ant: '.', gradle: '.' };

/** Whether that separator is the tool's: cargo's `m` says nothing of `m::it x`. */
function holds(tool: string, between: Between): boolean {
  return between === '' || between === (OF_TOOL[tool] ?? ' ');
}

const home = (suite: string, between: Between): string => `${between}\n${suite}`;

/** The suites that an id may belong to: itself, and all that stands before a separator. */
function suitesOf(id: string): [name: string, between: Between][] {
  const all: [string, Between][] = [[id, '']];
  for (const { 0: between, index } of id.matchAll(/ |::|\./g)) all.push([id.slice(0, index), between as Between]);
  return all;
}

/** What a test is called where its suite is left out; a weak id is the name itself. */
function namesOf(id: string, weak: boolean): string[] {
  const name = weak ? id : nameOf(id);
  return name === id ? [id] : [id, name];
}
