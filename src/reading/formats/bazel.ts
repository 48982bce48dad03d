/**
 * bazel test: a line for each target, and how many of them passed. What the targets' own tests say stands in logs of their
 * own, or, with --test_output=errors, before those lines, and is read by the readers of those runners.
 */
import type { Fields, Format, Line, Out, Reader } from '../format.js';

/** `//x:t   FAILED in 3 out of 5 in 0.5s`, `//x:t   (cached) PASSED in 0.1s`, `@@repo//x:t NO STATUS`. */
const TARGET =
  /^(@{0,2}[\w.~+-]*\/\/\S{1,500}) +(\(cached\) )?(PASSED|FLAKY|FAILED TO BUILD|FAILED|TIMEOUT|INCOMPLETE|REMOTE FAILURE|NO STATUS|SKIPPED|BLAZE HALTED BEFORE TESTING)(?:$|,? (?:in|failed in) (.{1,200})$)/;
const OUT_OF = /^(\d{1,5}) out of (\d{1,5})\b/;
/** `Executed 2 out of 3 tests: 1 test passes and 1 fails locally.` */
const EXECUTED = /^Executed \d+ out of \d+ tests?: (.+)$/;
const COUNT = /(\d{1,9}) (?:tests? )?(pass(?:es)?|fails?(?: to build)?|(?:was|were) skipped)\b/g;
/** Where its log is. */
const LOG = /^ {2}\/\S+\/test(?:_attempts\/attempt_\d+)?\.log$/;
const HARMLESS =
  /^(?:FAIL|TIMEOUT|FLAKY): \S*\/\/\S+ \(|^ {2}Stats over \d+ runs: |^INFO: Build completed, \d+ tests? FAILED, /;

class BazelReader implements Reader {
  readonly #out: Out;

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): 'mine' | undefined {
    const { text } = line;
    const counts = EXECUTED.exec(text)?.[1];
    if (counts !== undefined) return this.#executed(counts, line);
    const [, target = '', , word, how = ''] = TARGET.exec(text.trimEnd()) ?? [];
    if (word === undefined) return undefined;
    this.#target(target, word, how, line);
    return 'mine';
  }

  excuse({ text }: Line): boolean {
    return HARMLESS.test(text) || LOG.test(text) || TARGET.test(text);
  }

  #target(target: string, word: string, how: string, line: Line): void {
    const [failed, runs] = OUT_OF.exec(how)?.slice(1).map(Number) ?? [];
    if (word === 'PASSED') this.#out.outcome('passed', target, line);
    else if (word === 'FLAKY') this.#flaky(target, failed ?? 1, line);
    else if (word === 'NO STATUS' || word === 'SKIPPED' || word.startsWith('BLAZE'))
      this.#out.outcome('skipped', target, line);
    else {
      const message = [word, how !== '' && `in ${how}`]
        .filter(Boolean)
        .join(' ')
        .replace(/ in \d[\d.]*s$/, '');
      const fields: Fields = { message, ...(failed !== undefined && failed === runs && { attempt: failed }) };
      for (let n = 1; failed === runs && n < (failed ?? 0); n++)
        this.#out.outcome('failed', target, line, { attempt: n });
      this.#out.part('status', target, line, fields);
    }
  }

  /** It passed in the end. */
  #flaky(target: string, failed: number, line: Line): void {
    for (let n = 1; n <= failed; n++) this.#out.outcome('failed', target, line, { attempt: n });
    this.#out.outcome('passed', target, line, { attempt: failed + 1 });
  }

  #executed(counts: string, line: Line): 'mine' {
    let [passed, failed, skipped] = [0, 0, 0];
    for (const [, n, what = ''] of counts.matchAll(COUNT)) {
      if (what.startsWith('pass')) passed += Number(n);
      else if (what.startsWith('fail')) failed += Number(n);
      else skipped += Number(n);
    }
    this.#out.tally({ passed, failed, skipped }, line);
    this.#out.close();
    return 'mine';
  }
}

export const bazel: Format = {
  name: 'bazel',
  url: 'https://bazel.build/docs/user-manual#test-selection',
  hints: ['FAILED in', 'FLAKY, failed in', 'FAILED TO BUILD', 'TIMEOUT in', 'REMOTE FAILURE', 'Executed '],
  outcomeHints: ['PASSED in', 'NO STATUS', 'SKIPPED'],
  reader: out => new BazelReader(out),
};
