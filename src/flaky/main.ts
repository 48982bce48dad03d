/** aido-flaky: which tests cannot make up their mind, in several runs of the same tests. */
import { type Call, defineCommand } from '../base/command.js';
import { AidoError } from '../base/error.js';
import { shownName } from '../base/input.js';
import { painterOf } from '../base/paint.js';
import type { ReadOptions } from '../reading/engine.js';
import { rootFolder } from '../reading/paths.js';
import { weightiest } from '../reading/totals.js';
import { verdict } from '../reading/verdict.js';
import type { Flaky, Incomplete, Summary } from '../record/types.js';
import { serialise } from '../record/write.js';
import { Histories, isReadable, type Run } from './histories.js';
import { pretty } from './pretty.js';
import { Progress } from './progress.js';
import { openSources, readSources } from './reading.js';
import { repeat } from './repeat.js';
import { rerun } from './rerun.js';
import type { TestHistory } from './test-history.js';
import { type Verdicts, verdicts } from './verdicts.js';

const MAX = 200;
const RUNS = { least: 2, usual: 3, most: 100 };
/** Runs that did not end, listed by name. */
const INCOMPLETE = 100;

const flags = {
  runs: { short: 'n', arg: 'N', as: 'count', of: ['run'], help: 'how often, 2 to 100 (3)' },
  untilFlaky: { of: ['run'], help: 'stop once a test is flaky (at most -n, else 100)' },
  keep: { arg: 'DIR', of: ['run'], help: 'leave the output of each run in DIR' },
  all: { short: 'a', help: 'also the tests that always passed (stable)' },
  exitCode: { short: 'e', help: 'exit 1 if a test is flaky, 2 if a run did not end' },
  pretty: { short: 'p', help: 'text for people instead of JSON' },
  max: { arg: 'N', as: 'count', help: `write at most N tests (${MAX}), flaky ones first` },
  root: { arg: 'DIR', help: 'strip DIR from the front of paths' },
  prefix: { arg: 'DIR', help: 'put DIR before relative paths' },
} as const;

type FlakyCall = Call<typeof flags>;

export const command = defineCommand({
  name: 'aido-flaky',
  about: 'Which tests pass in some runs and fail in others: one JSON record a test.',
  usage: ['[flags] RUN…              read saved runs', 'run [flags] -- COMMAND…   run a command several times'],
  commands: ['run'],
  commandOptional: true,
  flags,
  notes: [
    'RUN: the output of a test run, its report, a folder of JUnit files, or records',
    'of aido-fail -a; on standard input, records that bear their run (its --run).',
    'example: aido-flaky run -n 10 -- cargo test --no-fail-fast',
  ],
  async run(call) {
    const histories = new Histories();
    const wrong = await (call.command === 'run' ? runCommand(call, histories) : readRuns(call, histories));
    const tests = histories.tests();
    if (!call.interrupts.signal && !wrong) requireRuns(histories, tests);
    const found = verdicts(tests, histories.runs.length);
    const summary = write(call, found, histories.runs, tests.length);
    const unusable = wrong ?? unreadable(histories, tests);
    if (unusable && !call.interrupts.signal) throw unusable;
    return call.flags.exitCode ? gate(found.flaky, summary) : 0;
  },
});

const optionsOf = ({ root, prefix }: FlakyCall['flags'], cwd: string): ReadOptions => ({
  root: rootFolder(root, cwd),
  reportRoot: cwd,
  prefix,
});

async function readRuns({ flags, operands, world, interrupts }: FlakyCall, histories: Histories) {
  const sources = await openSources(operands, world, interrupts);
  return readSources(sources, histories, optionsOf(flags, world.cwd), interrupts);
}

async function runCommand({ flags, operands, world, interrupts }: FlakyCall, histories: Histories) {
  const [program, ...args] = operands;
  if (program === undefined)
    throw new AidoError('BAD_INVOCATION', 'a command is missing: aido-flaky run -n 5 -- cargo test');
  const { runs = flags.untilFlaky ? RUNS.most : RUNS.usual, untilFlaky = false, keep } = flags;
  if (runs < RUNS.least || runs > RUNS.most)
    throw new AidoError('BAD_INVOCATION', `--runs ${runs}: not a number from ${RUNS.least} to ${RUNS.most}`);
  const how = { words: [program, ...args] as const, runs, untilFlaky, keep };
  try {
    // What is absolute in the output lies here.
    await repeat(
      how,
      histories,
      optionsOf({ root: '.', ...flags }, world.cwd),
      new Progress(world.stderr),
      world,
      interrupts,
    );
    return undefined;
  } catch (error) {
    if (error instanceof AidoError && error.code === 'BAD_INPUT') return error;
    throw error;
  }
}

const ONE_RUN =
  "one run shows no test waver; give two or more (aido-flaky RUN1 RUN2), or 'aido-flaky run -- COMMAND' makes them";

/** One run is enough where it tells of several attempts. */
function requireRuns({ runs }: Histories, tests: readonly TestHistory[]): void {
  const attempts = tests.some(({ passed, failed, skipped }) => passed + failed + skipped > 1);
  const readable = runs.some(isReadable);
  if (runs.length < 2 && !attempts && readable) throw new AidoError('BAD_INVOCATION', ONE_RUN);
}

/** The first run that is of no use, in words. */
function unreadable(histories: Histories, tests: readonly TestHistory[]): AidoError | undefined {
  const silent = histories.runs.find(run => !isReadable(run));
  if (silent)
    return new AidoError('BAD_INPUT', `${shownName(silent.name)}: no test result could be read in it (${HINT})`);
  const stranger = histories.strangers(tests).at(-1);
  return stranger && new AidoError('BAD_INPUT', `${shownName(stranger.name)}: ${STRANGER}`);
}

const HINT = 'is 2>&1 missing? of records, is it aido-fail -a?';
const STRANGER = 'none of its tests is in another run; is it of the same project?';

/** Writes what was found, flaky tests first. */
function write(
  { flags, out, world, interrupts }: FlakyCall,
  found: Verdicts,
  runs: readonly Run[],
  tests: number,
): Summary {
  const { flaky, broken, stable } = found;
  const records = [...flaky, ...broken, ...(flags.all ? stable : [])];
  const max = flags.max ?? MAX;
  const over = Math.max(0, records.length - max);
  const incomplete = runs.flatMap(({ name, reason }): Incomplete[] => (reason ? [{ run: name, reason }] : []));
  const reason = interrupts.signal ? 'interrupted' : weightiest(incomplete.map(run => run.reason));
  const unnamed = runs.filter(run => run.unnamed).length;
  const commands = rerun(found.again.slice(0, max));
  const summary: Summary = {
    type: 'summary',
    by: 'aido-flaky',
    ...(over > 0 && { over }),
    runs: runs.length,
    tests,
    flaky: flaky.length,
    broken: broken.length,
    stable: stable.length,
    ...(unnamed > 0 && { unnamed }),
    ...(incomplete.length > 0 && { incomplete: incomplete.slice(0, INCOMPLETE) }),
    ...(commands.length > 0 && { rerun: commands }),
    complete: reason === undefined,
    ...(reason && { reason }),
  };
  const paint = flags.pretty && painterOf(world);
  for (const record of [...records.slice(0, max), summary]) {
    out.write(paint ? pretty(record, paint) : `${serialise(record)}\n`);
  }
  return summary;
}

function gate(flaky: readonly Flaky[], { complete, reason, incomplete }: Summary): number {
  if (flaky.length > 0) return 1;
  if (complete) return 0;
  const run = incomplete?.find(run => run.reason === reason)?.run;
  throw new AidoError('BAD_INPUT', `${run ? `${shownName(run)}: ` : ''}${verdict(reason, undefined)}`);
}
