/** aido-fail: what failed, in the output of builds and test runs. */
import { defineCommand } from '../base/command.js';
import { AidoError } from '../base/error.js';
import { openInputs } from '../base/input.js';
import { painterOf } from '../base/paint.js';
import { Facts } from '../reading/facts.js';
import { rootFolder } from '../reading/paths.js';
import { Counts } from '../reading/summary.js';
import { CUT, joinTotals, type Totals } from '../reading/totals.js';
import { verdict } from '../reading/verdict.js';
import type { AidoRecord } from '../record/types.js';
import { serialise } from '../record/write.js';
import { pretty } from './pretty.js';

const MAX_FAILURES = 1000;

export const command = defineCommand({
  name: 'aido-fail',
  about: 'What failed, in the output of builds and test runs: one JSON record a line.',
  usage: ['[flags] [FILE…]'],
  flags: {
    outcomes: { short: 'a', help: 'also the result of every test: passed, failed, skipped' },
    warnings: { short: 'w', help: 'also diagnostics that do not make the run red' },
    exitCode: { short: 'e', help: 'exit 1 if something failed, 2 if no run ended' },
    status: { arg: 'N', as: 'integer', help: 'what the producer exited with' },
    pretty: { short: 'p', help: 'text for people instead of JSON' },
    tee: { help: 'copy the raw input to standard error' },
    run: { arg: 'NAME', help: 'write NAME into every record, as the run it is of' },
    root: { arg: 'DIR', help: 'strip DIR from the front of paths' },
    prefix: { arg: 'DIR', help: 'put DIR before relative paths' },
    maxFailures: { arg: 'N', as: 'count', help: `write at most N failures (${MAX_FAILURES}); the rest is counted` },
  },
  notes: [
    'A filter: it exits 0 on a red log, unless -e is given. No FILE: standard input.',
    'example: cargo test --no-fail-fast 2>&1 | aido-fail -p',
  ],
  async run({ flags, operands, world, out, interrupts }) {
    const inputs = await openInputs(operands, world, interrupts, { tee: flags.tee });
    const paint = flags.pretty && painterOf(world);
    const writer = new Writer(
      record => out.write(paint ? pretty(record, paint) : `${serialise(record)}\n`),
      flags.maxFailures ?? MAX_FAILURES,
    );
    const options = { ...flags, root: rootFolder(flags.root, world.cwd), reportRoot: world.cwd };
    const all: Totals[] = [];
    let wrong: AidoError | undefined;
    for (const input of inputs) {
      const from = inputs.length > 1 ? input.name : undefined;
      const facts = new Facts(options, marker(from, flags.run, writer));
      try {
        await input.read(facts, () => out.flush());
        all.push(facts.end({ interrupted: interrupts.signal !== undefined, status: flags.status }));
      } catch (error) {
        if (!(error instanceof AidoError) || error.code !== 'BAD_INPUT') throw error;
        // The others are read all the same.
        wrong ??= from === undefined ? error : new AidoError('BAD_INPUT', `${from}: ${error.message}`);
        all.push(CUT);
      }
    }
    const totals = joinTotals(all);
    writer.end(totals, flags.run);
    if (wrong) throw wrong;
    if (!flags.exitCode) return 0;
    // Those that a tool before us left out failed as well.
    if (writer.failures > 0 || totals.over) return 1;
    if (totals.complete) return 0;
    throw new AidoError('BAD_INPUT', verdict(totals.reason, flags.status));
  },
});

/** Puts into each record where it is from; one that says so already keeps its file, but not the name of its run. */
function marker(from: string | undefined, run: string | undefined, writer: Writer): (record: AidoRecord) => void {
  if (from === undefined && run === undefined) return record => writer.write(record);
  return record =>
    writer.write({ ...(from !== undefined && { from }), ...record, ...(run !== undefined && { run }) } as AidoRecord);
}

/** Counts all, shows at most `max` failures and as many unread places. */
class Writer {
  readonly #counts = new Counts();

  constructor(
    readonly show: (record: AidoRecord) => void,
    readonly max: number,
  ) {}

  get failures(): number {
    return this.#counts.failures;
  }

  write(record: AidoRecord): void {
    this.#counts.add(record);
    const { failures, unread } = this.#counts;
    const over = record.type === 'failure' ? failures > this.max : record.type === 'unread' && unread > this.max;
    if (!over) this.show(record);
  }

  end(totals: Totals, run: string | undefined): void {
    const summary = this.#counts.summary('aido-fail', totals, Math.max(0, this.failures - this.max));
    this.show(run === undefined ? summary : { ...summary, run });
  }
}
