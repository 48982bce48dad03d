/**
 * Three real runs under each runner, told by each of its reporters: what aido-flaky makes of them is what the project was
 * written to do (`truth.json`), whichever reporter told it. fixtures/flaky/README.md says how they were made.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { command } from '../../src/flaky/main.js';
import type { AidoRecord } from '../../src/record/types.js';
import { FIXTURES } from '../support/fixtures.js';
import { call } from '../support/world.js';

const here = join(FIXTURES, 'flaky');
const RUN = /^run[123]\.?(.*?)(?:\.log)?$/;
/** Where the projects were run; what is absolute in a report lies below it. */
const WORK = '/home/ci/flaky';

interface Truth {
  [id: string]: string;
}

/** Letters that a reporter does not tell, or the one test. */
interface Hidden {
  letters: string;
  id: string;
}

function truthOf(runner: string): { truth: Truth; reporters: Record<string, string> } {
  const { reporters = {}, ...truth } = JSON.parse(readFileSync(join(here, runner, 'truth.json'), 'utf8'));
  return { truth, reporters };
}

function hiddenBy(reason: string | undefined): Hidden {
  const [, what = ''] = /^hides (.+?): /.exec(reason ?? '') ?? [];
  return /^[PFS]+$/.test(what) ? { letters: what, id: '' } : { letters: '', id: what };
}

/** The three files (or folders) of each reporter. */
function runsOf(runner: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of readdirSync(join(here, runner)).sort()) {
    const reporter = RUN.exec(file)?.[1];
    if (reporter !== undefined) found.set(reporter, [...(found.get(reporter) ?? []), join(here, runner, file)]);
  }
  return found;
}

async function outcomes(runner: string, files: readonly string[]): Promise<Truth & { error: string }> {
  const root = join(WORK, runner === 'nextest' ? 'cargo' : runner);
  const { out, err } = await call(command, ['-a', '--max', '9999', '--root', root, ...files]);
  const found: Truth & { error: string } = { error: err };
  for (const line of out.trimEnd().split('\n')) {
    const record = JSON.parse(line) as AidoRecord;
    // What passed may be told without its file: then it is not known which test it was.
    if ('outcomes' in record && 'rate' in record && !(record.type === 'stable' && record.weakId))
      found[record.id] = record.outcomes;
  }
  return found;
}

/**
 * Whether what was read is right: each letter, or none where the reporter does not tell it. Where it does not tell what
 * passed, a test of which nothing is told may be taken for one that did, since the suite's count has room for it.
 */
function isRight(read: string, truth: string, { letters }: Hidden): boolean {
  const unseen = (letter: string) => letter === '-' || letters.includes(letter);
  const taken = (letter: string) => letters.includes('P') && (letter === 'S' || letter === '-');
  return [...truth].every(
    (letter, n) => read[n] === letter || (read[n] === '-' ? unseen(letter) : read[n] === 'P' && taken(letter)),
  );
}

for (const runner of readdirSync(here).filter(name => !name.includes('.'))) {
  const { truth, reporters } = truthOf(runner);
  for (const [reporter, files] of runsOf(runner)) {
    const reason = reporters[reporter];
    test(`${runner}, ${reporter || 'folders'}`, {
      skip: reason !== undefined && !reason.startsWith('hides') && reason,
    }, async t => {
      const hidden = hiddenBy(reason);
      const { error, ...read } = await outcomes(runner, files);
      t.equal(error, '');
      for (const [id, letters] of Object.entries(truth)) {
        // What only ever was skipped is not told of.
        const told = read[id] ?? (/[PF]/.test(letters) ? '---' : letters);
        if (id !== hidden.id) t.ok(isRight(told, letters, hidden), `${letters} ${id}: ${told}`);
      }
      for (const id of Object.keys(read))
        t.ok(id in truth || hidden.id.startsWith(id), `${id} is no test: ${read[id]}`);
    });
  }
}
