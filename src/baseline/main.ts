/** aido-baseline: which failures are new, which were known, which are fixed. */
import { join, relative } from 'node:path';
import { type Call, defineCommand } from '../base/command.js';
import { AidoError } from '../base/error.js';
import { openInputs } from '../base/input.js';
import { locked, stateFolder, writeState } from '../base/state-file.js';
import { Facts } from '../reading/facts.js';
import { rootFolder } from '../reading/paths.js';
import { Counts } from '../reading/summary.js';
import type { Totals } from '../reading/totals.js';
import { verdict } from '../reading/verdict.js';
import type { AidoRecord, Summary } from '../record/types.js';
import { isKnownType } from '../record/validate.js';
import { escapeLine, serialise } from '../record/write.js';
import { emptyTally, joinTallies, tallyFailure } from './capture.js';
import { Diff } from './diff.js';
import { type Baseline, formatBaseline, fromTally, readBaseline, toTally } from './file.js';
import { PlainFacts } from './plain.js';
import { updateBaseline } from './update.js';

const flags = {
  from: { arg: 'FILE', help: 'the same as the operand FILE' },
  status: { arg: 'N', as: 'integer', help: 'what the producer exited with' },
  plain: { help: "read 'not ok - NAME' and 'FAIL NAME' only" },
  add: { of: ['update'], help: 'accept the new failures' },
  prune: { of: ['update'], help: 'remove what is absent' },
  partial: { of: ['capture', 'update'], help: 'of a run that did not end: only add' },
  dir: { arg: 'DIR', help: 'where the baseline is kept (AIDO_DIR, .aidokit)' },
  root: { arg: 'DIR', help: 'strip DIR from the front of paths' },
  prefix: { arg: 'DIR', help: 'put DIR before relative paths' },
  tee: { help: 'copy the raw input to standard error' },
} as const;

type BaselineCall = Call<typeof flags>;

export const command = defineCommand({
  name: 'aido-baseline',
  about: 'What a run broke, and what was broken before: failures held against a baseline.',
  usage: [
    'capture [flags] [FILE]  keep the failures as the baseline',
    'diff [flags] [FILE]     which are new, known, fixed',
    'update [flags] [FILE]   drop from it what is fixed',
  ],
  commands: ['capture', 'diff', 'update'],
  flags,
  notes: [
    "FILE (or standard input) is a log, or aido-fail's records. Never runs anything.",
    'diff exits 1 when a failure is new, 0 when none is and the run ended, else 2.',
    'example: cargo test >log 2>&1; aido-baseline diff --status $? log',
  ],
  run(call) {
    const run = { capture, diff, update }[call.command as 'capture' | 'diff' | 'update'];
    return run(call);
  },
});

async function capture(call: BaselineCall): Promise<number> {
  // A baseline that is damaged or newer is never overwritten: there is no use in reading the input then.
  await readBaseline(pathOf(call));
  const found = emptyTally();
  const run = await read(call, false, record => {
    if (record.type === 'failure') tallyFailure(found, record);
  });
  write(call, run.summary);
  if (call.interrupts.signal) return 0;
  requireRun(call, run, found.counts.size > 0);
  // A compiler's log has no end of its own: who knows the status vouches for it.
  if (run.broke && run.summary.suites === 0 && !call.flags.partial && !call.flags.status)
    throw new AidoError('BAD_INPUT', NOTHING_RAN);
  await change(call, before => fromTally(call.flags.partial && before ? joinTallies(toTally(before), found) : found));
  return 0;
}

async function diff(call: BaselineCall): Promise<number> {
  const diff = new Diff(await existing(call), (record, line) => write(call, record, line));
  const { totals, summary } = await read(call, true, (record, line) => diff.record(record, line));
  diff.end(isWhole(totals));
  write(call, { ...summary, ...countsOf(diff) });
  if (diff.new > 0) return 1;
  if (!call.interrupts.signal) requireWhole(call, totals, diff.preExisting > 0);
  return 0;
}

async function update(call: BaselineCall): Promise<number> {
  const { add, partial } = call.flags;
  if (partial && !add) throw new AidoError('BAD_INVOCATION', '--partial only adds, so update needs --add with it');
  const diff = new Diff(await existing(call), () => {});
  const run = await read(call, true, record => diff.record(record));
  diff.end(isWhole(run.totals));
  write(call, { ...run.summary, ...countsOf(diff) });
  if (call.interrupts.signal) return 0;
  requireRun(call, run, diff.current.counts.size > 0);
  if (call.flags.prune && !partial && run.broke) throw new AidoError('BAD_INPUT', NOT_ALL_RAN);
  await change(call, before => updateBaseline(before ?? { failures: [] }, diff, call.flags));
  return 0;
}

function pathOf({ flags, world }: BaselineCall): string {
  return join(stateFolder(flags.dir, world), 'baseline.json');
}

async function existing(call: BaselineCall): Promise<Baseline> {
  const path = pathOf(call);
  const baseline = await readBaseline(path);
  if (baseline) return baseline;
  const shown = relative(call.world.cwd, path);
  throw new AidoError('BAD_INVOCATION', `no baseline at ${shown}; make one with 'aido-baseline capture'`);
}

/**
 * Rewrites the baseline, unless there is nothing to change or somebody has interrupted us; and only once what we have to
 * say of it was written.
 */
async function change(call: BaselineCall, rewrite: (before: Baseline | undefined) => Baseline): Promise<void> {
  await call.out.flush();
  const path = pathOf(call);
  await locked(path, async () => {
    const before = await readBaseline(path);
    const text = formatBaseline(rewrite(before));
    if (call.interrupts.signal || (before && text === formatBaseline(before))) return;
    await writeState(path, text);
  });
}

/** What is known when the input is read. */
interface Run {
  totals: Totals;
  summary: Summary;
  /** Something did not build, or died: what it would have run did not run. */
  broke: boolean;
}

/**
 * Reads the input, record by record.
 * @param outcomes the results of single tests are wanted, as evidence
 */
async function read(
  { flags, operands, world, out, interrupts }: BaselineCall,
  outcomes: boolean,
  each: (record: AidoRecord, line?: string) => void,
): Promise<Run> {
  const files = [...operands, ...(flags.from ? [flags.from] : [])];
  if (files.length > 1) throw new AidoError('BAD_INVOCATION', `one FILE at a time, not ${files.length}`);
  const counts = new Counts();
  let broke = false;
  const say = (record: AidoRecord, line?: string) => {
    if (record.type === 'failure' && record.kind !== 'test') broke = true;
    if (isAsked(record, line)) counts.add(record);
    each(record, line);
  };
  const { cwd } = world;
  const facts = flags.plain
    ? new PlainFacts(say)
    : new Facts({ ...flags, root: rootFolder(flags.root, cwd), reportRoot: cwd, outcomes }, say);
  for (const input of await openInputs(files, world, interrupts, { tee: flags.tee })) {
    await input.read(facts, () => out.flush());
  }
  const totals = facts.end({ interrupted: interrupts.signal !== undefined, status: flags.status });
  return { totals, summary: counts.summary('aido-baseline', totals), broke };
}

/** Of a raw log, the results of single tests are read for our own use: they are not passed on. */
function isAsked(record: AidoRecord, line: string | undefined): boolean {
  return record.type !== 'outcome' || line !== undefined;
}

/** Records that we know are written anew, others as they came. */
function write({ out }: BaselineCall, record: AidoRecord, line?: string): void {
  if (!isAsked(record, line)) return;
  const asItCame = line !== undefined && !isKnownType(record.type);
  out.write(`${asItCame ? escapeLine(line.trim()) : serialise(record)}\n`);
}

function countsOf({ new: added, preExisting, fixed, absent }: Diff): Partial<Summary> {
  return { new: added, preExisting, fixed: fixed.length, absent: absent.length };
}

/** Whether the run is known to have ended and all of its failures are in the input. */
function isWhole({ complete, over }: Totals): boolean {
  return complete && !over;
}

/** @throws AidoError BAD_INPUT unless it is whole */
function requireWhole({ flags }: BaselineCall, totals: Totals, failed: boolean): void {
  if (isWhole(totals)) return;
  const left = `${totals.over} failures were left out of the input; see aido-fail --max-failures`;
  throw new AidoError('BAD_INPUT', totals.complete ? left : verdict(totals.reason, flags.status, failed));
}

const NOTHING_RAN =
  'something did not build or died, and no test run ended; of a compiler alone, say what it exited with (--status N)';
const NOT_ALL_RAN = 'something did not build or died, so not all tests ran: what is absent is not pruned';

/** The same for what changes the baseline, where `--partial` does with less: some failures, or a run at all. */
function requireRun(call: BaselineCall, { totals }: Run, failed: boolean): void {
  if (call.flags.partial && (failed || totals.reason !== 'noRun')) return;
  requireWhole(call, totals, failed);
}
