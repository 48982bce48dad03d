/**
 * Maven's surefire and failsafe. Each class has a line with its count, then its failing tests with their stacks; at the
 * end all of them are listed once more, by the simple name of the class. One scope is one run (one module's goal).
 */
import type { Block, Fields, Format, Line, Out } from '../format.js';
import { isStack, methodOf, simpleName, Trace } from './shared/java-stack.js';
import { crash } from './surefire/crash.js';
import { type Entry, entry, named, run, type Section, section, unlevelled } from './surefire/summary.js';

const COUNT =
  /^Tests run: (\d+), +Failures: (\d+), +Errors: (\d+)(?:, +Skipped: (\d+))?(?:, +Flakes: (\d+))?(, +Time elapsed: .*)?$/;
const ELAPSED = /^, +Time elapsed: [\d.,]+ \w+(?: *<<< (?:FAILURE|ERROR)!)?(?: *--? in (\S.*))?$/;
const STATUS = /^Time elapsed: [\d.,]+ \w+ *<<< (?:FAILURE|ERROR)!$/;
/** With reportFormat plain every test has a line. */
const PASSED = /^\[(?:ERROR|INFO|WARNING)\] (\S.*)(?: --| ) Time elapsed: [\d.,]+ \w+$/;
const SKIPPED = /^\[(?:ERROR|INFO|WARNING)\] ([\w$.]+\.\S.*) skipped$/;
const RUNNING = /^(?:\[\w+\] )?Running (\S.*)$/;
/** What a message cannot be: another line of the runner. */
const HEADING = /^(?:\[(?:INFO|ERROR|WARNING|DEBUG)\](?: |$)|Running [\w.$]+$|Results ?:|Tests run: \d+, F|-{20})/;
const STOP =
  /^(?:\[\w+\] )?(?:-{20}|BUILD |There (?:are|were) test failures|Running [\w.$]+$|Reactor Summary| T E S T S)/;
/** So many lines above an old count stands `Running a.b.C`. */
const ABOVE = 200;
/** So many classes of one run wait for its end. */
const CLASSES = 5000;

interface Count {
  failed: number;
  skipped: number;
  passed: number;
}
interface Status {
  key: string;
  suite: string;
  method: string;
  told: boolean;
}

const count = (found: RegExpExecArray): Count => {
  const [all = 0, failures = 0, errors = 0, skipped = 0, flakes = 0] = found.slice(1, 6).map(n => Number(n ?? 0));
  const failed = failures + errors;
  return { failed, skipped, passed: Math.max(0, all - failed - skipped) || flakes };
};

class Run {
  #statuses: Status[] = [];
  #entries: Entry[] = [];
  #grouped = new Set<string>();
  #classes = new Map<string, string>();
  /** The classes of this run; the last is the one whose failing tests follow. */
  #counts: { name: string; count: Count; line: Line; counted: number }[] = [];

  constructor(readonly out: Out) {}

  /** A class said its count; what fails in it follows. */
  counted(name: string, count: Count, line: Line): void {
    this.#classes.set(simpleName(name), name);
    this.#counts.push({ name, count, line, counted: 0 });
    this.out.begin();
    if (this.#counts.length > CLASSES) this.#tallies();
  }

  #tallies(): void {
    for (const { name, count, line, counted } of this.#counts) {
      // nothing ran: the class around others, say
      if (count.failed + count.passed + count.skipped === 0) continue;
      this.out.tally({ suite: name, ...count, counted }, line);
    }
    this.#counts = [];
  }

  status(head: string, line: Line): Block {
    const [suite, method] = named(head, this.#counts.at(-1)?.name ?? '');
    const key = method === '' ? suite : suite === '' ? method : `${suite}.${method}`;
    const last = this.#counts.at(-1);
    if (last !== undefined) last.counted++;
    this.#statuses.push({ key, suite, method, told: false });
    if (suite !== '') this.#classes.set(simpleName(suite), suite);
    const fields: Fields = { name: method || suite, suite, ...(suite === '' && { weakId: true as const }) };
    const draft = this.out.part('status', key, line, fields);
    const trace = new Trace(draft, suite, methodOf(method));
    draft.add(line);
    return {
      line: next => {
        const { text } = next;
        if (HEADING.test(text) || statusHead(text) !== undefined) return undefined;
        if (trace.frames > 0 && !isStack(text)) return text === '' ? 'last' : undefined;
        return trace.add(next) ? 'more' : 'last';
      },
    };
  }

  fine(line: Line): 'mine' | undefined {
    const passed = PASSED.exec(line.text)?.[1];
    const head = passed ?? SKIPPED.exec(line.text)?.[1];
    if (head === undefined) return undefined;
    const [suite, method] = named(head.trimEnd(), this.#counts.at(-1)?.name ?? '');
    this.out.outcome(passed === undefined ? 'skipped' : 'passed', `${suite}.${method}`, line, { suite, name: method });
    return 'mine';
  }

  listed(found: Entry): void {
    if (this.#entries.length < 2000) this.#entries.push(found);
  }

  /** A test of which several runs are listed. Full name, or `method(a.b.C)`. */
  grouped(head: string): string {
    const [suite, method] = named(head, '');
    // 2.19 says `a.b.C.method(a.b.C)`
    const key =
      method === '' ? suite : `${suite}.${method.startsWith(`${suite}.`) ? method.slice(suite.length + 1) : method}`;
    this.#grouped.add(key);
    return key;
  }

  /** The same test, in status lines and in the list. */
  #match(of: (status: Status, listed: Entry) => boolean): void {
    this.#entries = this.#entries.filter(listed => {
      const found = this.#statuses.find(
        status => !status.told && simpleName(status.suite) === simpleName(listed.suite) && of(status, listed),
      );
      if (found !== undefined) found.told = true;
      return found === undefined;
    });
  }

  #failing(): number {
    const keys = new Set<string>();
    let n = 0;
    for (const { key } of this.#statuses) {
      if (!keys.has(key) || !this.#grouped.has(key)) n++;
      keys.add(key);
    }
    return n;
  }

  flake(key: string, line: Line): void {
    this.#statuses = this.#statuses.filter(status => status.key !== key);
    this.out.drop(key);
    this.out.outcome('passed', key, line, this.#names(key));
  }

  #names(key: string): Fields {
    const [suite, name] = named(key, '');
    return { suite, name };
  }

  /** The run's own count. What the list names and no status line did was not printed, or the log lacks its head. */
  ended(of: Count, line: Line): void {
    this.#match((status, { method }) => status.method === method);
    this.#match((status, { method }) => methodOf(status.method) === methodOf(method));
    this.#match(status => status.method === '');
    let failing = this.#failing();
    for (const listed of this.#entries) {
      if (failing >= of.failed) break;
      failing++;
      this.#fromList(listed);
    }
    this.#tallies();
    this.out.tally({ ...of, counted: failing }, line);
    this.close();
  }

  #fromList({ suite: named, method, message, line }: Entry): void {
    const suite = this.#classes.get(simpleName(named)) ?? named;
    const key = method === '' ? suite : `${suite}.${method}`;
    const weak = suite.includes('.') ? {} : { weakId: true as const };
    const draft = this.out.part('summary', key, line, { name: method || suite, suite, message, ...weak });
    draft.add(line);
    const count = this.#counts.find(({ name, count, counted }) => name === suite && counted < count.failed);
    if (count !== undefined) count.counted++;
  }

  /** @param cut the input ended before the run did: what failed in its last class may not have been printed */
  close(cut = false): void {
    const last = this.#counts.at(-1);
    if (cut && last !== undefined && last.counted < last.count.failed) this.#counts.pop();
    this.#tallies();
    this.out.close();
    this.#statuses = [];
    this.#entries = [];
    this.#grouped.clear();
    this.#classes.clear();
  }
}

/** `a.b.C.m -- Time elapsed: 0.01 s <<< FAILURE!`: what stands before the time. */
function statusHead(text: string): string | undefined {
  const at = text.lastIndexOf('Time elapsed: ');
  if (at < 1 || !STATUS.test(text.slice(at).trimEnd())) return undefined;
  const head = unlevelled(text.slice(0, at).trimEnd()).replace(/ --$/, '').trimEnd();
  return head === '' || head.startsWith('Tests run:') ? undefined : head;
}

function runningAbove(out: Out): string {
  for (let n = 1; n <= ABOVE; n++) {
    const line = out.back(n);
    if (line === undefined) return '';
    const name = RUNNING.exec(line.text)?.[1];
    if (name !== undefined) return name;
  }
  return '';
}

/** From the first section's heading to the run's count. */
function summary(of: Run, first: Section, rest: string, line: Line): Block {
  let kind = first;
  let group: string | undefined;
  let lines = 0;
  const one = (text: string, at: Line): void => {
    const found = kind === 'failed' ? entry(text, at) : undefined;
    if (found !== undefined) of.listed(found);
  };
  if (rest !== '') one(rest, line);
  return {
    line(next) {
      const text = unlevelled(next.text);
      const total = COUNT.exec(text.trimEnd());
      if (total !== null && total[6] === undefined) {
        of.ended(count(total), next);
        return 'last';
      }
      if (STOP.test(next.text) || ++lines > 5000) return undefined;
      const heading = section(text);
      if (heading !== undefined) {
        [kind] = heading;
        group = undefined;
        if (heading[1] !== '') one(heading[1], next);
        return 'more';
      }
      const attempt = text.startsWith('  ') ? run(text.slice(2)) : undefined;
      if (attempt === 'passed' && kind === 'flakes' && group !== undefined) of.flake(group, next);
      if (attempt !== undefined) return 'more';
      if (text.startsWith('  ')) one(text.slice(2), next);
      else if (/^[\w$]+\.\S/.test(text) && !isStack(text)) group = of.grouped(text.trim());
      return 'more';
    },
  };
}

export const surefire: Format = {
  name: 'surefire',
  url: 'https://maven.apache.org/surefire/maven-surefire-plugin/',
  hints: [
    'Tests run: ',
    ' <<< FAILURE!',
    ' <<< ERROR!',
    'T E S T S',
    'Failed tests:',
    'Tests in error:',
    'Failures: ',
    'Errors: ',
    'Flakes: ',
    'Flaked tests:',
    'VM terminated',
    'timeout in the fork',
  ],
  outcomeHints: ['Time elapsed: ', ' skipped'],
  reader(out) {
    const now = new Run(out);
    return {
      excuse: ({ text }) => PASSED.test(text) || SKIPPED.test(text),
      line(line) {
        const text = unlevelled(line.text);
        if (text.trim() === 'T E S T S') {
          now.close();
          out.begin();
          return 'mine';
        }
        const found = COUNT.exec(text.trimEnd());
        if (found !== null) {
          const elapsed = found[6];
          if (elapsed === undefined) now.ended(count(found), line);
          else {
            const at = ELAPSED.exec(elapsed);
            // ant's, whose count of a red suite does not say so
            if (at === null || (count(found).failed > 0 && !elapsed.includes('<<<'))) return undefined;
            now.counted(at[1] ?? runningAbove(out), count(found), line);
          }
          return 'mine';
        }
        const head = statusHead(line.text);
        if (head !== undefined) return now.status(head, line);
        const heading = section(text);
        if (heading !== undefined) {
          const levelled = text !== line.text;
          if (!levelled && /^(?:Failures|Errors|Warnings)/.test(text)) return undefined;
          return summary(now, heading[0], heading[1], line);
        }
        return out.outcomes ? (crash(out, line) ?? now.fine(line)) : crash(out, line);
      },
      end: () => now.close(true),
    };
  },
};
