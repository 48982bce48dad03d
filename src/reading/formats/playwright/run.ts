/**
 * What is known of one run until its closing lists: those say which tests failed and which were flaky; the marks of the
 * list reporter tell neither, since a test that is expected to fail has a cross as well.
 */
import type { Fields, Line, Out } from '../../format.js';
import { messageOf, placeOf } from '../shared/js-stack.js';
import { titleOf } from './title.js';

type Mark = 'passed' | 'failed' | 'skipped';

/** What stands below a heading: the errors of each attempt. */
export interface Report {
  title: string;
  line: Line;
  attempts: Line[][];
}

interface Listed {
  mark: Mark;
  line: Line;
}

/** Tests, and reports of those that failed. */
const TESTS = 20_000;
const REPORTS = 2000;

export class Run {
  readonly #out: Out;
  /** What the list reporter said of each attempt, by title. */
  #listed = new Map<string, Listed[]>();
  #reports: Report[] = [];
  /** The number of the last line of the list reporter's. */
  last = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  listed(title: string, mark: Mark, line: Line): void {
    const attempts = this.#listed.get(title) ?? [];
    attempts.push({ mark, line });
    if (this.#listed.size < TESTS) this.#listed.set(title, attempts);
  }

  report(report: Report): void {
    if (this.#reports.length < REPORTS) this.#reports.push(report);
  }

  /** The lists are read: every test is told. */
  close(failed: ReadonlyMap<string, Line>, flaky: ReadonlyMap<string, Line>): void {
    for (const [title, attempts] of this.#listed) {
      if (!failed.has(title) && !flaky.has(title)) this.#expected(title, attempts);
    }
    for (const [title, line] of flaky) this.#flaky(title, line);
    for (const [title, line] of failed) this.#failed(title, line);
  }

  /** The log ends before the lists: what has a report, or a cross at last, is taken to have failed. */
  cut(): void {
    const failed = new Map(this.#reports.map(({ title, line }) => [this.#known(title), line]));
    for (const [title, attempts] of this.#listed) {
      const last = attempts.at(-1);
      if (last?.mark === 'failed' && !failed.has(title)) failed.set(title, last.line);
    }
    this.close(failed, new Map());
  }

  /** The heading of a report may go on with the step that failed. */
  #known(heading: string): string {
    const known = [...this.#listed.keys()].filter(title => isOf(heading, title));
    return known.sort((a, b) => b.length - a.length)[0] ?? heading;
  }

  /** It did what was expected of it, if only to fail. */
  #expected(title: string, attempts: Listed[]): void {
    const known = titleOf(title, path => this.#out.path(path));
    const { mark, line } = attempts.at(-1) as Listed;
    if (known === undefined) return;
    this.#out.outcome(mark === 'skipped' ? 'skipped' : 'passed', known.fields.id, line, known.fields);
  }

  #reportOf(title: string): Report | undefined {
    return (
      this.#reports.find(report => report.title === title) ??
      this.#reports.find(({ title: heading }) => isOf(heading, title))
    );
  }

  #flaky(title: string, line: Line): void {
    const known = titleOf(title, path => this.#out.path(path));
    if (known === undefined) return;
    const listed = this.#listed.get(title) ?? [];
    const report = this.#reportOf(title);
    const failed = listed.length > 1 ? listed.length - 1 : (report?.attempts.length ?? 1);
    const { id } = known.fields;
    for (let n = 1; n <= failed; n++) {
      const at = listed[n - 1]?.line ?? report?.line ?? line;
      this.#out.outcome('failed', id, at, { ...known.fields, attempt: n });
    }
    this.#out.outcome('passed', id, listed[failed]?.line ?? line, { ...known.fields, attempt: failed + 1 });
  }

  #failed(title: string, line: Line): void {
    const known = titleOf(title, path => this.#out.path(path));
    if (known === undefined) return;
    const listed = this.#listed.get(title) ?? [];
    const report = this.#reportOf(title);
    const attempts = Math.max(1, listed.length, report?.attempts.length ?? 0);
    for (let n = 1; n <= attempts; n++) {
      const { id } = known.fields;
      const fields: Fields = { ...known.fields, ...(attempts > 1 && { attempt: n }) };
      const lines = report?.attempts[n - 1] ?? [];
      const draft = this.#out.part('status', id, listed[n - 1]?.line ?? lines[0] ?? line, fields);
      if (lines.length === 0) continue;
      this.#out.part('detail', id, lines[0] as Line);
      Object.assign(draft.fields, { message: messageOf(lines, 4) }, placeOf(lines, known.file));
      for (const told of lines) draft.add(told);
    }
  }
}

const isOf = (heading: string, title: string): boolean => heading === title || heading.startsWith(`${title} › `);
