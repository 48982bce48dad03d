/**
 * prove, the harness of TAP: without `-v` only the tests' own complaints (`#   Failed test 'x'`) and its report are there.
 * Both name the file that a failure is from.
 */
import type { Block, Draft, Line, Out } from '../../format.js';
import { fromText } from './diagnostic.js';
import { type Document, explain } from './document.js';
import type { Point } from './point.js';

const COMPLAINT = /^( *)#\s+Failed test(?: '(.*)')?(?: at (\S+) line \d+\.)?$/;
const ABORTED = /^(?:Execution of \S+ aborted due to compilation errors|BEGIN failed--compilation aborted)/;
const EXPECTED = /^ *#\s+Failed \(TODO\) test\b/;
const HEADING = /^(?:\[[\d:]+\] )?(\S+\.t) \.{2,} ?(.*)$/;
const RESULT = /^(?:Dubious, test returned \d+|Failed \d+\/\d+ subtests|All \d+ subtests passed)/;
const REPORT = 'Test Summary Report';
const FILE = /^(\S|\S.*\S) +\(Wstat: (\d+)(?: \([^)]*\))? Tests: (\d+) Failed: (\d+)\)$/;
const STOPPED = /^(?:Bailout called\.|FAILED--)\s*Further testing stopped:\s*(.*)$/;
const END = /^Result: (PASS|FAIL|NOTESTS)$/;

/** What the harness needs of the reader it is part of. */
interface Host {
  document(): Document;
  next(suite?: string): void;
  close(): void;
  key(): string;
}

/** A complaint that no test point claimed yet. */
interface Complaint {
  point: Point;
  lines: Line[];
  file: string | undefined;
}

const COMPLAINTS = 2000;

export class Prove {
  static readonly hints = [
    'Failed test',
    'Failed\x1b',
    '.t ..',
    'mt\x1b[',
    'Dubious',
    'subtests',
    'Summary',
    'Wstat',
    'Further',
    'Result: ',
    'Result\x1b',
  ];
  readonly #out: Out;
  readonly #host: Host;
  #complaints: Complaint[] = [];
  /** Failing tests by file. */
  #failing = new Map<string, number>();
  /** A file of its was read: the report is to come. */
  running = false;
  /** What perl died of, by file. */
  #deaths = new Map<string, string>();
  #failed = 0;

  constructor(out: Out, host: Host) {
    this.#out = out;
    this.#host = host;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const complaint = COMPLAINT.exec(text);
    if (complaint !== null) return this.#complain(complaint, line);
    const heading = HEADING.exec(text);
    if (heading !== null) return this.#heading(heading[1] as string, heading[2] as string, line);
    if (RESULT.test(text) || text === REPORT) return this.#flushed();
    const file = FILE.exec(text);
    if (file !== null) return this.#file(file[1] as string, Number(file[2]), Number(file[4]), line);
    const stopped = STOPPED.exec(text);
    if (stopped !== null) return this.#stopped(stopped[1] as string, line);
    const end = this.running ? END.exec(text) : null;
    return end === null ? undefined : this.#end(end[1] as string, line);
  }

  #complain([, indent = '', name, at]: RegExpExecArray, line: Line): Block {
    const point = { indent: indent.length, ok: false, number: undefined, directive: false, brace: false };
    this.running = true;
    const complaint: Complaint = {
      point: { ...point, name: name ?? 'unnamed', remark: undefined },
      lines: [line],
      file: at,
    };
    return {
      line: next => {
        if (!/^\s*#\s/.test(next.text) || COMPLAINT.test(next.text) || /^\s*# (?:Looks like|Subtest)/.test(next.text))
          return undefined;
        complaint.lines.push(next);
        return 'more';
      },
      end: () => {
        complaint.file ??= fromText(complaint.lines).file;
        if (this.#complaints.length < COMPLAINTS) this.#complaints.push(complaint);
      },
    };
  }

  /** A point of the same name, read after the complaint about it (`prove -v`), takes it over. */
  join(point: Point, draft: Draft | undefined): void {
    const { suite } = this.#host.document();
    if (suite !== undefined && point.indent === 0) this.#count(suite);
    const at = this.#complaints.findIndex(
      c => c.point.indent === point.indent && (c.point.name === point.name || c.point.name === 'unnamed'),
    );
    const [complaint] = at < 0 ? [] : this.#complaints.splice(at, 1);
    if (complaint === undefined || draft === undefined) return;
    for (const line of complaint.lines) draft.add(line);
    explain(draft, { fields: fromText(complaint.lines) });
  }

  #count(file: string): void {
    this.#failing.set(file, (this.#failing.get(file) ?? 0) + 1);
  }

  #heading(file: string, result: string, line: Line): 'mine' {
    this.running = true;
    this.#out.begin();
    this.#host.next(file);
    this.#host.document().quiet = true;
    if (/^ok\b/.test(result)) this.#out.tally({ suite: file, result: 'passed', counted: 0 }, line);
    if (RESULT.test(result)) this.flush();
    return 'mine';
  }

  died(text: string): void {
    const file = /\bat (\S+) line \d+\.$/.exec(text)?.[1];
    if (file !== undefined && this.#deaths.size < COMPLAINTS) this.#deaths.set(file, text);
  }

  #flushed(): 'mine' {
    this.flush();
    return 'mine';
  }

  /** Complaints that no test point took: the points were not printed. */
  flush(): void {
    const document = this.#host.document();
    const mine: Complaint[] = [];
    const others: Complaint[] = [];
    for (const complaint of this.#complaints) {
      const elsewhere =
        complaint.file?.endsWith('.t') && document.suite !== undefined && complaint.file !== document.suite;
      (elsewhere ? others : mine).push(complaint);
    }
    this.#complaints = others;
    for (const { point, lines, file } of mine) {
      const suite = document.suite ?? (file?.endsWith('.t') ? file : undefined);
      if (suite !== undefined && point.indent === 0) this.#count(suite);
      const draft = document.point(point, lines[0] as Line);
      if (draft === undefined) continue;
      for (const line of lines) draft.add(line);
      explain(draft, { fields: fromText(lines) });
      if (suite !== undefined) draft.fields.suite = suite;
    }
  }

  /** A file of the closing report: why the harness holds it to have failed. */
  #file(file: string, wstat: number, failed: number, line: Line): Block {
    this.running = true;
    const said: string[] = [];
    return {
      line: next => {
        if (!next.text.startsWith('  ')) return undefined;
        said.push(next.text.trim());
        return 'more';
      },
      end: () => this.#report(file, wstat, failed, said, line),
    };
  }

  #report(file: string, wstat: number, failed: number, said: string[], line: Line): void {
    const misread = said.some(text => text.startsWith('Parse errors:'));
    if (wstat === 0 && failed === 0 && !misread) return;
    this.#failed++;
    const counted = this.#failing.get(file) ?? 0;
    if (counted === 0)
      this.#out.part('status', this.#host.key(), line, {
        kind: 'test',
        name: file,
        suite: file,
        message: [this.#deaths.get(file) ?? '', ...said].join('\n').trim(),
      });
    const exact = failed > 0 && counted > 0 && !misread;
    this.#out.tally(exact ? { suite: file, failed, counted } : { suite: file, result: 'failed', counted: 1 }, line);
  }

  #stopped(reason: string, line: Line): 'mine' {
    this.#out.early('bailOut');
    this.#out.consequence({ kind: 'crash', message: `Bail out! ${reason}`.trim() }, line);
    return 'mine';
  }

  #end(result: string, line: Line): 'mine' {
    if (result !== 'NOTESTS')
      this.#out.tally({ result: result === 'PASS' ? 'passed' : 'failed', counted: this.#failed }, line);
    this.#host.close();
    this.#failing.clear();
    this.#deaths.clear();
    this.running = false;
    this.#failed = 0;
    return 'mine';
  }

  excuse(text: string): boolean {
    return (
      EXPECTED.test(text) ||
      ABORTED.test(text) ||
      (this.running && /^\s+(?:Failed tests?:|Non-zero|Parse errors:)/.test(text))
    );
  }
}
