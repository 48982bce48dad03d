/** Says what was read of a suite: its tests once it is over, or before it holds too many of them, then its counts. */
import { groupBy } from '../../../base/group.js';
import type { Draft, Fields, Out } from '../../format.js';
import { addText, at } from '../../report.js';
import { endOf, repeated, single, type Told } from './attempts.js';
import { add, type Case, count, type Held, type Identity, type Problem, type Suite } from './case.js';
import { counted, isExplained, listsFewer, skippedOf, wholeNumber } from './counts.js';
import { producerOf } from './detect.js';
import { isEmptyClass, surefire } from './java.js';
import type { Producer } from './producer.js';

/** So many tests of a suite, and so much text of theirs, are held; what stands there again later is another test. */
const TESTS = 2000;
const TEXT = 4 << 20;

export class Teller {
  readonly #out: Out;
  /** Who wrote the suite before, in this document. */
  #before: Producer | undefined;
  /** How much text is held. */
  #text = 0;
  /** Some suite of the document at hand has said its counts. */
  #told = false;
  #n = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  /** A document begins. */
  begin(): void {
    this.#told = false;
    this.#before = undefined;
    this.#out.begin();
  }

  test(test: Case, suite: Suite): void {
    suite.producer ??= producerOf(suite, test, this.#before);
    const { producer } = suite;
    this.#before = producer;
    const found = producer.identify(test, suite, path => this.#out.path(path));
    const identity =
      found.id === '' ? { ...found, id: suite.name || 'a test without a name', weakId: true as const } : found;
    suite.own.cases++;
    this.#hold({ test, identity }, suite, producer);
    if (suite.held.length < TESTS && this.#text < TEXT) return;
    this.#tests(suite, producer, false);
    this.#out.close();
    this.#out.begin();
  }

  #hold(held: Held, suite: Suite, producer: Producer): void {
    const { test } = held;
    count(suite.own, test, endOf(test, producer));
    suite.held.push(held);
    this.#text += test.name.length + test.classname.length;
    for (const { text, message } of test.problems) this.#text += text.length + message.length;
  }

  /** What failed in a suite outside of its tests: its set-up, as a rule. Few runners count it. */
  #trouble(suite: Suite): void {
    const { trouble } = suite;
    if (trouble === undefined) return;
    suite.trouble = undefined;
    suite.producer ??= this.#before ?? producerOf(suite, trouble);
    const name = nameOf(suite);
    const named =
      name === undefined ? { id: 'a suite without a name', weakId: true as const } : { id: name, suite: name };
    const identity = { ...named, name: named.id, uncounted: true as const };
    this.#hold({ test: trouble, identity }, suite, suite.producer);
  }

  /** The suite is over. */
  end(suite: Suite, no: number): void {
    const empty = isEmptyClass(suite);
    this.#trouble(suite);
    const producer = suite.producer ?? this.#before ?? (empty ? surefire : undefined);
    const name = suite.outermost ? '' : producer?.suite(suite);
    if (suite.producer !== undefined) this.#tests(suite, suite.producer, true);
    add(suite.all, suite.own);
    if (suite.all.red > 0) suite.all.groups++;
    suite.all.unlisted = Math.max(suite.all.unlisted, skippedOf(suite));
    if (suite.parent !== undefined) {
      add(suite.parent.all, suite.all);
      suite.parent.all.suites++;
    }
    if (producer !== undefined && (suite.all.cases + suite.all.others > 0 || empty))
      this.#counts(suite, name, producer, no);
    this.#out.close();
    if (suite.parent !== undefined) this.#out.begin();
  }

  /** The report ends within the suite. */
  cut(suite: Suite): void {
    this.#trouble(suite);
    if (suite.producer !== undefined) this.#tests(suite, suite.producer, false);
    if (suite.parent !== undefined) this.cut(suite.parent);
  }

  #tests(suite: Suite, producer: Producer, whole: boolean): void {
    const groups = groupBy(suite.held, ({ identity }) => identity.id);
    const counted = isCounted(groups, producer, suite, whole);
    for (const group of groups.values()) this.#group(group, suite, producer, counted);
    suite.held = [];
    this.#text = 0;
  }

  #group(group: Held[], suite: Suite, producer: Producer, counted: boolean): void {
    const { identity, test } = group[0] as Held;
    // A file or class as a whole is one, however often it is told of that it failed.
    if (identity.id === identity.suite && group.every(({ test }) => endOf(test, producer) === 'failed'))
      for (const { test: more } of group.splice(1)) test.problems.push(...more.problems);
    if (identity.kind === 'build') {
      suite.own.others++;
      if (this.#built(test, producer)) return;
    }
    if (group.length === 1 || producer.repeated !== undefined) {
      const told = group.length === 1 ? single(test, producer) : repeated(group, producer, counted);
      if (!told.recovered && identity.kind !== 'build') this.#counted(identity, suite);
      this.#say(told, identity, producer);
      return;
    }
    // Several tests of one name. TestNG writes a set-up that failed, and that it was skipped from then on.
    const all = group.map(held => ({ ...held, told: single(held.test, producer) }));
    const ran = all.filter(({ told }) => told.attempts.at(-1)?.result !== 'skipped');
    for (const { identity, told } of all) {
      if (!told.recovered) this.#counted(identity, suite);
      this.#say(told, ran.length > 1 ? { ...identity, weakId: true } : identity, producer);
    }
  }

  #counted({ uncounted }: Identity, { own }: Suite): void {
    if (uncounted) own.others++;
    else own.tests++;
  }

  #say({ attempts, recovered, main, numbered }: Told, identity: Identity, producer: Producer): void {
    if (!this.#out.outcomes && recovered) return;
    const { uncounted: _, ...named } = identity;
    attempts.forEach(({ result, problems, test }, i) => {
      const fields: Fields = { tool: producer.tool, ...named, ...(numbered && { attempt: i + 1 }) };
      if (result !== 'failed') {
        this.#out.outcome(result, identity.id, at(test.no), fields);
        return;
      }
      // Attempts, and tests of one name, are told apart.
      const key = `${identity.id}\n${++this.#n}`;
      const draft = this.#out.part('status', key, at(test.no), fields);
      if (recovered || i !== main) this.#out.drop(key);
      else this.#explain(draft, problems, identity, test, producer);
    });
  }

  #explain(draft: Draft, [first, ...more]: Problem[], identity: Identity, test: Case, { explain }: Producer): void {
    if (first !== undefined) explain(draft, first, identity, test);
    else if (test.skipped?.message) draft.fields.message = test.skipped.message;
    for (const { text, message, no } of more) addText(draft, `\n${text.trim() === '' ? message : text}`, no);
    draft.add(at(test.last));
  }

  /** The package could not be built: what the compiler said, where that is there. */
  #built(test: Case, producer: Producer): boolean {
    const found = producer.diagnostics?.(test) ?? [];
    for (const fields of found) this.#out.failure({ kind: 'build', ...fields }, at(test.no), at(test.last));
    return found.length > 0;
  }

  /** The suite's own word, in `suite` records where a suite of that name is what its tests stand in. */
  #counts(suite: Suite, name: string | undefined, { tool, partial }: Producer, no: number): void {
    const told = counted(suite, tool);
    const nothing = told.failed === undefined && told.passed === undefined;
    const outermost = suite.parent === undefined;
    // The whole run is told of once, by its counts or by those of its suites.
    if (outermost && nothing ? this.#told : name === undefined) return;
    const agrees = isExplained(suite, told.failed);
    const red = suite.all.tests + suite.all.others > 0 || (!agrees && told.failed !== 0);
    // What failed and passed in the end makes nothing red.
    const failed = agrees && !red && told.failed !== undefined ? 0 : told.failed;
    const found = failed === undefined ? suite.all.tests + suite.all.others : suite.all.tests;
    const read = agrees ? (failed ?? found) : found;
    this.#told = true;
    const of = outermost && nothing ? '' : (name ?? '');
    const result = red ? 'failed' : 'passed';
    const short = !partial && listsFewer(suite) && { agrees: false as const };
    this.#out.tally({ ...told, failed, counted: read, suite: of, result, ...short }, at(no));
    this.#out.close((fields, key) => {
      if (key === '') fields.tool = tool;
    });
  }
}

/** What the suite, or one around it, is called. */
const nameOf = ({ name, parent }: Suite): string | undefined => name || (parent && nameOf(parent));

/** Every test ran several times, of its own accord: the last run is not more than the others. */
function isCounted(
  groups: Map<string, Held[]>,
  producer: Producer,
  { attributes, own }: Suite,
  over: boolean,
): boolean {
  if (producer.repeated === 'reruns') return over && (wholeNumber(attributes.tests) ?? 0) >= own.cases;
  if (producer.repeated === undefined) return false;
  for (const group of groups.values()) {
    if (group.length > 1 && group.filter(({ test }) => endOf(test, producer) !== 'failed').length > 1) return true;
  }
  return false;
}
