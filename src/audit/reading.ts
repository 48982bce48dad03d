/** Inputs to findings: each document is read by the first auditor that recognises it. */
import { AidoError } from '../base/error.js';
import { type Input, shownName } from '../base/input.js';
import type { Interrupts } from '../base/signals.js';
import { cutUnits, oneLine, printable } from '../base/text.js';
import type { AidoRecord, Reason } from '../record/types.js';
import { isKnownType, validate } from '../record/validate.js';
import type { Auditor, Reader } from './auditor.js';
import { AUDITORS } from './auditors/index.js';
import { Documents, type Listener } from './documents.js';
import { failureOf, isChatter } from './failures.js';
import { object } from './fields.js';
import type { Findings } from './findings.js';
import { plainOf, verdictOn } from './strays.js';

/** What one input was, beside what it told. */
export interface Heard {
  /** What makes it unusable, in whole or in part; then why, for the summary. */
  error?: AidoError;
  reason?: Reason;
  /** There is nothing in it at all. */
  empty?: boolean;
}

/**
 * Reads one input into the findings. Whatever is wrong with it, what was read before counts.
 * @param records takes records of our own, where they may be given instead
 */
export async function readInput(
  input: Input,
  findings: Findings,
  interrupts: Interrupts,
  records?: (record: AidoRecord) => void,
): Promise<Heard> {
  const listener = new AuditListener(input.name, findings, records);
  const documents = new Documents(listener);
  try {
    await input.read(documents, () => undefined);
    // Of an input that we were told not to read to its end, the end says nothing.
    if (!interrupts.stopped) documents.end();
  } catch (error) {
    if (!(error instanceof AidoError) || error.code !== 'BAD_INPUT') throw error;
    listener.end();
    return { error: located(input.name, error.message), reason: 'truncated' };
  }
  listener.end();
  return interrupts.signal ? {} : listener.heard();
}

const located = (name: string, message: string): AidoError =>
  new AidoError('BAD_INPUT', `${shownName(name)}: ${message}`);

/** So much of another's text is quoted. */
const QUOTE = 300;
const quote = (text: string): string => cutUnits(printable(oneLine(text)), QUOTE);

/** Lines of text that are kept, per input. */
const UNREAD = 100;

class AuditListener implements Listener {
  readonly #readers = new Map<Auditor, Reader>();
  #documents = 0;
  /** Something that is not blank was in it. */
  #isEmpty = true;
  /** Text of which nobody knows what it tells. */
  #unknown: string | undefined;
  #wrong: string | undefined;
  #strays: { from: string; line: number; text: string }[] = [];

  constructor(
    private readonly name: string,
    private readonly findings: Findings,
    private readonly records: ((record: AidoRecord) => void) | undefined,
  ) {}

  document(value: unknown, line: number): void {
    this.#isEmpty = false;
    if (isKnownType(object(value).type) && !isChatter(value)) {
      this.#record(value, line);
      return;
    }
    const auditor = AUDITORS.find(auditor => auditor.recognises(value));
    if (auditor) {
      this.#documents++;
      this.#reader(auditor).read(value);
      return;
    }
    const failure = failureOf(value);
    if (failure !== undefined) this.#failed(failure);
    else if (!isChatter(value)) this.#wrong ??= `line ${line}: JSON of no auditor that is known; known are ${known()}`;
  }

  #record(value: unknown, line: number): void {
    const wrong = this.records === undefined ? 'a record of aido; give records to --diff' : validate(value);
    if (wrong !== undefined) this.#wrong ??= `line ${line}: ${wrong}`;
    else this.records?.(value as AidoRecord);
    this.#documents++;
  }

  #reader(auditor: Auditor): Reader {
    const reader =
      this.#readers.get(auditor) ?? auditor.reader(this.findings.out(this.name, message => this.#failed(message)));
    this.#readers.set(auditor, reader);
    return reader;
  }

  #failed(message: string): void {
    this.#wrong ??= `the audit failed: ${quote(message)}`;
  }

  stray(text: string, line: number): void {
    this.#isEmpty = false;
    const plain = plainOf(text);
    const verdict = verdictOn(plain);
    if (verdict === 'failed') this.#failed(plain);
    if (verdict === 'json')
      this.#wrong ??= `line ${line}: text in front of JSON: ${quote(plain)}; give the output of the auditor alone`;
    if (verdict === 'unknown') this.#unknown ??= `line ${line} is no audit: ${quote(plain)}; leave out 2>&1`;
    if (this.#strays.length < UNREAD) this.#strays.push({ from: this.name, line, text: plain });
  }

  end(): void {
    for (const reader of this.#readers.values()) reader.end?.();
    if (this.#documents === 0) return;
    this.findings.unread.push(...this.#strays);
    if (this.#unknown !== undefined)
      this.findings.incomplete.push({ run: this.name, reason: 'notAudited', message: this.#unknown });
  }

  heard(): Heard {
    const wrong = this.#wrong ?? (this.#documents === 0 ? this.#nothing() : undefined);
    return wrong === undefined ? {} : { error: located(this.name, wrong), reason: 'noRun', empty: this.#isEmpty };
  }

  /** Why there is no audit in it. */
  #nothing(): string {
    const [first] = this.#strays;
    if (first === undefined)
      return `empty, which is no audit (${HINT}; where the auditor prints nothing if it finds nothing, as yarn 4 does, say what it exited with: --status 0)`;
    if (/^<\?xml/i.test(first.text)) return 'a web page, not an audit; ask the proxy or the registry why';
    return `text, not JSON: ${quote(first.text)} (${HINT})`;
  }
}

const HINT = 'give the output of npm audit --json or its like';

const known = (): string => [...new Set(AUDITORS.map(({ prints }) => prints))].join(', ');
