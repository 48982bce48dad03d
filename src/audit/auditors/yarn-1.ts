/**
 * `yarn audit --json` of yarn 1: a line per path to an advisory, `{"type":"auditAdvisory","data":{resolution, advisory}}`,
 * the advisory as npm 6 has it, with all its paths; then `auditSummary`, which counts the lines. `--level` leaves out lines,
 * but counts them. What it says of `dev` is always false (yarn 1.22.22 compares with a set that holds but a set).
 */
import type { Auditor, Out, Reader } from '../auditor.js';
import { type Fields, isObject, number, object, objects, string, strings, text } from '../fields.js';
import type { Manager } from '../managers.js';
import { say, told } from './shared/npm-advisory.js';

const TYPES: ReadonlySet<unknown> = new Set(['auditAdvisory', 'auditAction', 'auditManualReview', 'auditSummary']);
/** From the least, as `--level` has them. */
const LEVELS = ['info', 'low', 'moderate', 'high', 'critical'];

class YarnAudit implements Reader {
  readonly #seen = new Set<string>();
  /** Lines, by their severity. */
  readonly #lines = new Map<string, number>();
  #isWhole = false;

  constructor(private readonly out: Out) {
    out.audited('yarn');
  }

  read(document: unknown): void {
    const { type, data } = object(document);
    if (type === 'auditAdvisory') this.#advisory(object(data));
    else if (type === 'auditSummary') this.#summary(object(object(data).vulnerabilities));
  }

  #advisory(data: Fields): void {
    this.#isWhole = false;
    const advisory = object(data.advisory);
    const severity = string(advisory.severity);
    this.#lines.set(severity, (this.#lines.get(severity) ?? 0) + 1);
    const found = told(advisory);
    if (found === undefined) {
      this.out.unreadable({ ecosystem: 'npm', message: 'yarn tells an advisory of no package' });
      return;
    }
    const key = JSON.stringify([found.package, found.ids]);
    // All its lines have all its findings; without any, each line has its path.
    const isTold = this.#seen.has(key) && objects(advisory.findings).length > 0;
    this.#seen.add(key);
    const path = text(object(data.resolution).path);
    if (!isTold) say(this.out, advisory, found, managerOf(advisory, path), path);
  }

  #summary(counts: Fields): void {
    this.#compare(counts);
    this.#lines.clear();
    this.#isWhole = true;
  }

  /** Whether there were as many lines as the summary counts. */
  #compare(counts: Fields): void {
    const missing = LEVELS.filter(level => (number(counts[level]) ?? 0) > this.#linesOf(level));
    const top = missing.at(-1);
    if (top === undefined) return;
    const isFiltered =
      top !== 'critical' && LEVELS.slice(0, LEVELS.indexOf(top) + 1).every(l => this.#linesOf(l) === 0);
    const counted = missing.map(level => `${number(counts[level])} ${level}`).join(', ');
    if (isFiltered)
      this.out.notice({ kind: 'other', message: `yarn counts ${counted} that it does not list (--level)` });
    else this.out.incomplete('truncated', `yarn counts ${counted}, and lists fewer`);
  }

  #linesOf(level: string): number {
    return this.#lines.get(level) ?? 0;
  }

  end(): void {
    if (!this.#isWhole) this.out.incomplete('truncated', 'the audit has no auditSummary at its end');
  }
}

/**
 * Yarn 1 upgrades what the project asks for by its name, and what that brings only with everything else. Whether the head of a
 * path is a folder of the project is not told.
 */
function managerOf(advisory: Fields, path: string | undefined): Manager {
  const paths = [path ?? '', ...objects(advisory.findings).flatMap(({ paths }) => strings(paths))];
  return paths.some(one => one.includes('>')) ? 'yarn-1-upgrade' : 'yarn-1';
}

export const yarn1: Auditor = {
  name: 'yarn-1',
  prints: 'yarn audit --json',
  url: 'https://classic.yarnpkg.com/lang/en/docs/cli/audit/',
  recognises: document => isObject(document) && TYPES.has(document.type) && isObject(document.data),
  reader: out => new YarnAudit(out),
};
