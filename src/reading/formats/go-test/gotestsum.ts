/**
 * gotestsum's summary: `=== FAIL: pkg TestX/sub (0.00s)` and what the test said, then `DONE 4 tests, 1 failure in 0.5s`.
 * Package names lack what all of them have in common. With `--rerun-fails` each run is listed, and counted, again.
 */
import type { Block, Fields, Line, Out } from '../../format.js';
import type { Failing } from './failing.js';
import type { Package } from './package.js';

const FAIL = /^=== FAIL: (\S+) (\S*)(?: \(re-run (\d+)\))? \((?:[\d.]+s|unknown)\)$/;
const SHORT =
  /^(?: {2}|::group::)?FAIL (?:Package \S+ \(\S+\)|(\S+)\.((?:Test|Benchmark|Example|Fuzz)(?![a-z])\S*)(?: \(re-run \d+\))? \([\d.]+s\))$/;
/** The same of the module's own package, which has no name: somebody else's test may be told of just so. */
const ROOT = /^(?: {2}|::group::)?FAIL ((?:Test|Benchmark|Example|Fuzz)(?![a-z])\S*)(?: \(re-run \d+\))? \([\d.]+s\)$/;
const DONE =
  /^DONE (?:(\d+) runs, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?(?:, (\d+) errors?)? in [\d.]+s$/;
const PACKAGE = /^(?: {2})?FAIL (?:Package )?[\w./-]+(?: \([\w.]+\))?$/;
const TEST =
  /^(?: {2}|::group::)?(?:PASS|SKIP|FAIL) (?:Package \S+|(?:\S+\.)?(?:Test|Example|Fuzz|Benchmark)\S*)(?: \(re-run \d+\))? \(/;
/** Lines that say that all is well, whatever their words. */
const FINE = /^(?: {1,2}|::group::)?(?:PASS|SKIP|EMPTY|✓|✖|∅) |^=== SKIP: |^::group::/;
const HEADING = /^=== (?:Failed|Errors|Skipped)$/;

export class GoTestSum {
  readonly #out: Out;
  readonly #pack: Package;
  #listed = 0;
  /** The tests listed as failed, and in how many runs. */
  #runs = new Map<string, { count: number; fields: Fields }>();

  constructor(out: Out, pack: Package) {
    this.#out = out;
    this.#pack = pack;
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    if (HEADING.test(text) || SHORT.test(text)) return 'mine';
    const [, root] = ROOT.exec(text) ?? [];
    if (root !== undefined && this.#isAbove(above => above.includes(`--- FAIL: ${root} (`))) return 'mine';
    if (PACKAGE.test(text) && this.#isAbove(above => TEST.test(above))) return 'mine';
    if (text.startsWith('=== FAIL: ')) return this.#listing(line);
    const done = DONE.exec(text);
    if (done === null) return undefined;
    this.#pack.closing = 'read';
    this.#done(done, line);
    return 'mine';
  }

  excuse(text: string): boolean {
    return FINE.test(text);
  }

  /** `FAIL order` is a package where a line of a Go test stands above; elsewhere it is somebody's test. */
  #isAbove(wanted: (text: string) => boolean): boolean {
    for (let n = 1; n <= 30; n++) if (wanted(this.#out.back(n)?.text ?? '')) return true;
    return false;
  }

  #listing(line: Line): undefined | Block {
    const [, pkg, test] = FAIL.exec(line.text) ?? [];
    if (pkg === undefined || test === undefined) return undefined;
    this.#listed++;
    let failing: Failing | undefined;
    if (test !== '' && !this.#pack.said(pkg, test)) {
      failing = this.#pack.failed(test, line, [], 'summary');
      const fields = { id: `${pkg} ${test}`, weakId: true as const, suite: pkg, name: test };
      Object.assign(failing.draft.fields, fields);
      this.#runs.set(test, { count: (this.#runs.get(test)?.count ?? 0) + 1, fields });
    }
    return {
      line: next => {
        if (/^(?:=== |DONE )/.test(next.text)) return undefined;
        failing?.add(next);
        return 'more';
      },
      end: () => failing?.settle(),
    };
  }

  #done([, runs, tests, skipped, failures, errors]: RegExpExecArray, line: Line): void {
    const failed = Number(failures ?? 0);
    const total = Number(runs ?? 1);
    for (const [test, { count, fields }] of this.#runs) {
      if (count >= total) continue;
      // Only what failed is run again.
      this.#out.drop(test);
      this.#out.outcome('passed', test, line, { ...fields, attempt: count + 1 });
    }
    if (failed > 0 && this.#listed === 0) return;
    const passed = Number(tests) - failed - Number(skipped ?? 0);
    const counts = { passed: Math.max(0, passed), failed, skipped: Number(skipped ?? 0), counted: this.#listed };
    const red = [...this.#runs.values()].some(({ count }) => count >= total) || Number(errors ?? 0) > 0;
    this.#out.tally({ ...counts, ...(total > 1 && !red && { result: 'passed' as const }) }, line);
    this.#out.close();
    this.#listed = 0;
    this.#runs = new Map();
  }
}
