/**
 * `--plain`: exactly two shapes are read as failures, whatever printed them: `not ok 3 - name`, and `FAIL name` or
 * `FAILED name` in any case.
 */
import { Lines } from '../base/lines.js';
import { type Totals, withStatus } from '../reading/totals.js';
import type { AidoRecord } from '../record/types.js';

interface PlainLine {
  result: 'passed' | 'failed' | 'skipped';
  /** Empty where the line bears none. */
  name: string;
}

const tapLine = /^(not )?ok(?=\s|$)(?:\s+\d+(?=\s|$))?(?:\s+-(?=\s|$))?\s*(.*)$/s;
const failLine = /^fail(?:ed)?\s+(\S.*)$/is;
/** A word of its own: `# todos lost` is part of a name. */
const excuseMark = /\s#\s*(?:todo|skip(?:ped)?)(?![\w-])/i;
/** A carriage return alone starts a line too: progress is drawn over (`50%\rFAIL x`). */
const lineEnd = /[\r\n]/;
/** Says that tests ran without naming one that matters here. */
const runLine = /^(?:1\.\.\d+|pass(?:ed)?\b)/i;

/** What a line says of a test; undefined: nothing. */
export function plainLine(line: string): PlainLine | undefined {
  const text = line.trim();
  const tap = tapLine.exec(text);
  if (tap) return tapResult(tap[1] !== undefined, tap[2] as string, text);
  const name = failLine.exec(text)?.[1];
  if (name !== undefined) return { result: 'failed', name };
  return runLine.test(text) ? { result: 'passed', name: '' } : undefined;
}

/** A trailing `# directive` is dropped; `# TODO` and `# SKIP` excuse the test. */
function tapResult(failed: boolean, text: string, line: string): PlainLine {
  const rest = ` ${text}`;
  const excuse = rest.search(excuseMark);
  const end = excuse >= 0 ? excuse : rest.lastIndexOf(' # ');
  const name = (end >= 0 ? rest.slice(0, end) : rest).trim();
  // A failure without a name is still one.
  return { result: excuse >= 0 ? 'skipped' : failed ? 'failed' : 'passed', name: name || (failed ? line : '') };
}

/** The names of the failures in a text, in order, each once. */
export function parseFailures(text: string): string[] {
  const names = text
    .split(lineEnd)
    .map(plainLine)
    .filter(line => line?.result === 'failed');
  return [...new Set(names.map(line => (line as PlainLine).name))];
}

/** Reads plain text as records, the way reading/facts.ts reads logs. */
export class PlainFacts {
  private readonly buffer = Buffer.alloc(65_536);
  private readonly lines: Lines;
  private no = 0;
  private bytes = 0;
  private failures = 0;
  private ran = false;

  constructor(private readonly say: (record: AidoRecord) => void) {
    this.lines = new Lines(text => this.lineOf(text), 65_536);
  }

  room(): Buffer {
    return this.buffer;
  }

  filled(bytes: number): void {
    this.write(this.buffer.subarray(0, bytes));
  }

  write(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.lines.write(chunk);
  }

  private lineOf(text: string): void {
    this.no++;
    for (const part of text.split(lineEnd)) this.line(part);
  }

  private line(text: string): void {
    const line = plainLine(text);
    if (!line) return;
    this.ran = true;
    const { result, name: id } = line;
    const log = { first: this.no, last: this.no };
    if (result === 'failed') {
      this.failures++;
      this.say({ type: 'failure', kind: 'test', tool: 'plain', id, name: id, log, source: 'exact' });
    } else if (id) this.say({ type: 'outcome', tool: 'plain', id, name: id, result, log });
  }

  /** Such text has no end of its own: one line that says how a test went is taken as proof that tests ran. */
  end({ interrupted, status }: { interrupted: boolean; status: number | undefined }): Totals {
    this.lines.end();
    const chunks = Math.ceil(this.bytes / 4096);
    const sizes = { lines: this.no, bytes: this.bytes, chunks, exactChunks: chunks, longLines: 0 };
    if (interrupted) return { complete: false, reason: 'interrupted', ...sizes };
    const read: Totals = this.ran ? { complete: true, ...sizes } : { complete: false, reason: 'noRun', ...sizes };
    return withStatus(read, status, this.failures);
  }
}
