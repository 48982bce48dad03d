/** What is given to read, as runs: each file is one, each folder of reports, and each name that records bear. */
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AidoError } from '../base/error.js';
import { type Input, openInputs, shownName } from '../base/input.js';
import type { Interrupts } from '../base/signals.js';
import { byCodePoint } from '../base/text.js';
import type { World } from '../base/world.js';
import { decoderOf } from '../reading/encoding.js';
import type { ReadOptions } from '../reading/engine.js';
import { Facts } from '../reading/facts.js';
import { reportOf, TELLING } from '../reading/reports/index.js';
import { CUT, joinTotals, type Totals } from '../reading/totals.js';
import type { AidoRecord } from '../record/types.js';
import type { Histories, Run } from './histories.js';

/** What an operand names: one input, or all the reports in a folder. */
export interface Source {
  name: string;
  inputs: Input[];
}

/**
 * @throws AidoError BAD_INVOCATION: a file that is missing; a folder without reports
 */
export async function openSources(
  operands: readonly string[],
  world: World,
  interrupts: Interrupts,
): Promise<Source[]> {
  const names = operands.length > 0 ? operands : ['-'];
  const files = await Promise.all(names.map(name => filesOf(name, world.cwd)));
  const inputs = await openInputs(files.flat(), world, interrupts);
  return names.map((name, i) => ({ name, inputs: inputs.splice(0, files[i]?.length) }));
}

const OTHER_XML = /^\ufeff?\s*<[?!a-z]/i;

/** A folder's reports, in any depth; of everything else the name itself. */
async function filesOf(name: string, cwd: string): Promise<string[]> {
  const isFolder = name !== '-' && (await stat(resolve(cwd, name)).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [name];
  const all = await readdir(resolve(cwd, name), { recursive: true });
  const reports: string[] = [];
  for (const file of all.filter(file => file.endsWith('.xml')).sort(byCodePoint)) {
    const head = await headOf(resolve(cwd, name, file));
    // Build files and the reports of linters are XML, too. What is none at all, or nothing, was to be a report.
    if (!OTHER_XML.test(head) || reportOf(head)) reports.push(join(name, file));
  }
  if (reports.length > 0) return reports;
  throw new AidoError('BAD_INVOCATION', `${name}: a folder without reports (.xml); name the files of a run one by one`);
}

/** How a file begins. */
async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(TELLING);
    const { bytesRead } = await file.read(head);
    return decoderOf(head.subarray(0, bytesRead)).decode(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Reads one source into the histories, as the run or runs that it holds. */
export class SourceReader {
  /** Runs that records name. */
  readonly #named = new Map<string, Run>();
  /** The run that everything else belongs to, until a summary ends it. */
  #own: Run | undefined;
  #owns = 0;
  readonly #open = new Set<Run>();
  #last: Run | undefined;
  #lastName: string | undefined;

  constructor(
    private readonly histories: Histories,
    private readonly name: string,
  ) {}

  /**
   * Reads one input of it.
   * @throws AidoError BAD_INPUT: not what it began as; what was read before it counts
   */
  async read(
    input: Input,
    options: ReadOptions,
    how: { interrupted?: () => boolean; status?: number | undefined } = {},
  ): Promise<Totals> {
    const facts = new Facts(
      { ...options, outcomes: true },
      record => this.#record(record),
      (totals, run) => this.#summary(totals, run),
    );
    await input.read(facts, () => undefined);
    if (facts.isReport) this.#of(undefined).namesAll = true;
    return facts.end({ interrupted: how.interrupted?.() === true, status: how.status });
  }

  /** All of it is read. */
  end(totals: Pick<Totals, 'complete' | 'reason'>): void {
    if (this.#owns === 0 && this.#named.size === 0) this.#of(undefined);
    for (const run of this.#open) this.histories.end(run, totals);
    this.#open.clear();
  }

  #record(record: AidoRecord): void {
    if (record.type !== 'outcome' && record.type !== 'failure' && record.type !== 'suite') return;
    this.histories.add(this.#of(record.run ?? record.from), record);
  }

  #summary(totals: Totals, name: string | undefined): void {
    if (name !== undefined) {
      const run = this.#of(name);
      this.histories.end(run, totals);
      this.#open.delete(run);
      return;
    }
    // Whatever was read since the last one, unless its own summary is still to come.
    if (this.#open.size === 0) this.#of(undefined);
    for (const run of this.#open) this.histories.end(run, totals);
    this.#open.clear();
    this.#own = undefined;
    this.#last = undefined;
  }

  #of(name: string | undefined): Run {
    // Mostly it is the one that the record before was of.
    if (name === this.#lastName && this.#last !== undefined) return this.#last;
    this.#lastName = name;
    this.#last = this.#find(name);
    return this.#last;
  }

  #find(name: string | undefined): Run {
    const known = name === undefined ? this.#own : this.#named.get(name);
    if (known !== undefined) return known;
    const run = this.histories.run(name ?? (++this.#owns === 1 ? this.name : `${this.name} (${this.#owns})`));
    if (name === undefined) this.#own = run;
    else this.#named.set(name, run);
    this.#open.add(run);
    return run;
  }
}

/** Reads all sources. @returns the first thing that was wrong with one, when all were read */
export async function readSources(
  sources: readonly Source[],
  histories: Histories,
  options: ReadOptions,
  interrupts: Interrupts,
): Promise<AidoError | undefined> {
  let wrong: AidoError | undefined;
  for (const { name, inputs } of sources) {
    const reader = new SourceReader(histories, name);
    const all: Totals[] = [];
    for (const input of inputs) {
      try {
        all.push(await reader.read(input, options, { interrupted: () => interrupts.signal !== undefined }));
      } catch (error) {
        if (!(error instanceof AidoError) || error.code !== 'BAD_INPUT') throw error;
        const shown = shownName(input.name);
        wrong ??= new AidoError('BAD_INPUT', `${shown}: ${error.message}`);
        all.push(CUT);
      }
    }
    reader.end(joinTotals(all));
    if (interrupts.stopped) break;
  }
  return wrong;
}
