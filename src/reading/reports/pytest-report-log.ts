/**
 * pytest-reportlog's `--report-log`: a JSON document a line, one for each phase (`setup`, `call`, `teardown`) of each test.
 * Ids are node ids, as in pytest's logs.
 */
import { plainText } from '../controls.js';
import type { Fields as Known, Out } from '../format.js';
import { fileOf, nameOf } from '../formats/pytest/lines.js';
import { addText, at, type Parser, type Report } from '../report.js';
import { describe, Trouble } from './pytest-report-log/trouble.js';
import { type Fields, isObject, JsonStream, object, string } from './shared/json.js';

const BEGINS = /^\{\s*"(?:pytest_version"\s*:\s*"[^"]*"\s*,\s*"\$report_type"|\$report_type"\s*:\s*"SessionStart")/;
const UNEXPLAINED = 'the run failed, and none of its tests did';
/** What is held of tests that did not end or were repeated, and how much is said at once. */
const HELD = 20_000;
const SAID = 500;

/** What `SessionFinish` gives as `exitstatus`. */
const Exit = { FAILED: 1, INTERRUPTED: 2, NO_TESTS: 5 } as const;

/** From a `SessionStart` to its `SessionFinish`. */
class Session {
  readonly #out: Out;
  readonly #version: number;
  /** Tests whose call passed, until their teardown has, too; attempts that failed. */
  #passing = new Map<string, { no: number; fields: Known }>();
  #attempts = new Map<string, number>();
  #said = 0;
  #failed = 0;
  /** Of a test it is not told how it ended. */
  #unknown = false;

  constructor(out: Out, version: string) {
    this.#out = out;
    this.#version = Number.parseInt(version, 10);
    out.begin();
  }

  read(report: Fields, no: number): void {
    const id = string(report.nodeid);
    const type = report.$report_type;
    // Its older versions call subtests tests, too.
    if (isObject(report['_subtest.context'])) this.#subtest(report, id, no);
    else if (type === 'TestReport') this.#test(report, id, no);
    else if (type === 'CollectReport' && report.outcome === 'failed') this.#fail(report, id, no, named(id || 'pytest'));
    if (this.#said > SAID) this.#close();
  }

  #test(report: Fields, id: string, no: number): void {
    const { when, outcome } = report;
    const before = this.#attempts.get(id) ?? 0;
    const fields: Known = { ...named(id), ...(before > 0 && { attempt: before + 1 }) };
    if (outcome === 'rerun' || outcome === 'retried') {
      this.#say('failed', no, { ...fields, attempt: before + 1 });
      if (this.#attempts.size < HELD) this.#attempts.set(id, before + 1);
    } else if (outcome === 'failed') {
      this.#passing.delete(id);
      this.#fail(report, id, no, fields);
    } else if (outcome === 'skipped') this.#say('skipped', no, fields);
    else if (outcome !== 'passed') this.#unknown = true;
    else if (when === 'call') this.#pass(id, no, fields);
    else if (when === 'teardown') this.#passed(id);
  }

  /** The test passed unless its teardown fails. */
  #pass(id: string, no: number, fields: Known): void {
    this.#passing.set(id, { no, fields });
    if (this.#passing.size > HELD) this.#passed(this.#passing.keys().next().value as string);
  }

  #passed(id: string): void {
    const passing = this.#passing.get(id);
    if (passing === undefined) return;
    this.#passing.delete(id);
    this.#say('passed', passing.no, passing.fields);
  }

  #subtest(report: Fields, id: string, no: number): void {
    const { text, sure } = describe(object(report['_subtest.context']), this.#version);
    const fields: Known = { ...named(`${id} ${text}`), suite: fileOf(id), ...(!sure && { weakId: true as const }) };
    const { outcome } = report;
    if (outcome === 'failed') this.#fail(report, id, no, fields);
    else if (outcome === 'passed' || outcome === 'skipped') this.#say(outcome, no, fields);
    else this.#unknown = true;
  }

  #say(result: 'passed' | 'failed' | 'skipped', no: number, fields: Known): void {
    this.#out.outcome(result, String(++this.#said), at(no), fields);
  }

  #fail(report: Fields, id: string, no: number, fields: Known): void {
    this.#failed++;
    const trouble = new Trouble(report, fileOf(id));
    const draft = this.#out.part('detail', String(++this.#said), at(no), { ...fields, ...trouble.fields });
    addText(draft, plainText(trouble.text), no);
  }

  /** @param exit as pytest itself ended */
  finish(exit: unknown, no: number): void {
    for (const id of [...this.#passing.keys()]) this.#passed(id);
    if (exit === Exit.INTERRUPTED) this.#out.early('bailOut');
    else if (exit !== 0 && exit !== Exit.FAILED && exit !== Exit.NO_TESTS) this.#out.early('crash');
    const unexplained = exit === Exit.FAILED && this.#failed === 0;
    if (unexplained) {
      this.#out.failure({ kind: 'crash', tool: 'pytest', id: `pytest: ${UNEXPLAINED}`, message: UNEXPLAINED }, at(no));
    }
    const counted = unexplained ? 1 : this.#failed;
    // Where no test was found no run took place.
    if (exit !== Exit.NO_TESTS) {
      const agrees = this.#unknown ? false : undefined;
      this.#out.tally({ result: counted > 0 ? 'failed' : 'passed', counted, agrees }, at(no));
    }
    this.#close();
  }

  cut(): void {
    this.#out.early('truncated');
    this.#close();
  }

  #close(): void {
    this.#said = 0;
    this.#out.close(fields => {
      fields.tool = 'pytest';
    });
  }
}

const named = (id: string): Known => ({
  id,
  name: nameOf(id),
  suite: fileOf(id),
  ...(id === '' && { weakId: true as const }),
});

export const pytestReportLog: Report = {
  name: 'pytest-report-log',
  url: 'https://github.com/pytest-dev/pytest-reportlog',
  begins: head => BEGINS.test(head),
  parser(out): Parser {
    let session: Session | undefined;
    const cut = (): void => {
      session?.cut();
      session = undefined;
    };
    const read = (report: Fields, no: number): void => {
      if (report.$report_type === 'SessionStart') {
        cut();
        session = new Session(out, string(report.pytest_version));
      } else if (report.$report_type === 'SessionFinish') {
        session?.finish(report.exitstatus, no);
        session = undefined;
      } else session?.read(report, no);
    };
    const stream = new JsonStream(0, (_, value, no) => read(object(value), no), cut);
    return {
      write: (text, no) => stream.write(text, no),
      end() {
        const whole = stream.end();
        cut();
        if (!whole) out.early('truncated');
      },
    };
  },
};
