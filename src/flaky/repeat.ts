/** Runs a command again and again, and reads what each run printed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { AidoError } from '../base/error.js';
import { openInputs } from '../base/input.js';
import type { Interrupts } from '../base/signals.js';
import { isTerminal, type SignalName, type World } from '../base/world.js';
import type { ReadOptions } from '../reading/engine.js';
import { type Histories, isReadable } from './histories.js';
import { openLogs } from './logs.js';
import type { Progress } from './progress.js';
import { SourceReader } from './reading.js';

export interface Repeat {
  /** The program and its arguments: no shell sees them. */
  words: readonly [string, ...string[]];
  /** How often. */
  runs: number;
  /** Stop as soon as something is flaky. */
  untilFlaky: boolean;
  /** The folder that the output is left in; undefined: it is removed. */
  keep: string | undefined;
}

/** How long an interrupted command may take to end, in ms. */
const GRACE = 2000;

/**
 * Runs it, reads the output of each run into the histories, one after the other.
 * @throws AidoError BAD_INVOCATION: the command cannot be started; BAD_INPUT: the first run told of no test
 */
export async function repeat(
  { words, runs, untilFlaky, keep }: Repeat,
  histories: Histories,
  options: ReadOptions,
  progress: Progress,
  world: World,
  interrupts: Interrupts,
): Promise<void> {
  const logs = await openLogs(keep, runs, world.cwd);
  if (isTerminal(world.stderr)) interrupts.hangUp();
  try {
    for (let no = 1; no <= runs && !interrupts.stopped; no++) {
      progress.begin(no, runs, histories.failing);
      interrupts.onEnd = () => logs.clear(no);
      const status = await once(words, logs.path(no), world, interrupts);
      progress.end();
      if (interrupts.stopped) {
        // Of a run that was stopped nothing is told.
        logs.clear(no);
        break;
      }
      const reader = new SourceReader(histories, `run ${no}`);
      const [input] = await openInputs([logs.path(no)], world, interrupts);
      if (input !== undefined) {
        const totals = await reader.read(input, options, { status: status || undefined });
        // That all is well is the command's word for an end that it does not print, not for a plan that it did not keep.
        reader.end(status === 0 && totals.reason === 'noRun' ? { complete: true } : totals);
      }
      if (no === 1) requireTests(histories, words[0], keep);
      if (untilFlaky && histories.isFlaky) break;
    }
  } finally {
    progress.close();
    logs.clear();
  }
}

/** What tells nothing the first time tells nothing the tenth time. */
function requireTests({ runs }: Histories, program: string, keep: string | undefined): void {
  if (runs.some(isReadable)) return;
  const look = keep === undefined ? 'look at it with --keep DIR' : `it is in ${keep}`;
  throw new AidoError('BAD_INPUT', `run 1: no test result could be read in what ${program} printed; ${look}`);
}

/**
 * One run, both of its streams into one file, as `>log 2>&1` does. In a process group of its own: so all that it started
 * can be stopped with it, and a Ctrl-C reaches it through us.
 * @returns what it exited with; 128 and the signal's number where one ended it
 */
async function once(
  [program, ...args]: readonly [string, ...string[]],
  log: string,
  { cwd, env }: World,
  interrupts: Interrupts,
): Promise<number> {
  const file = await open(log, 'w');
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', file.fd, file.fd] });
    return await ended(child, program, interrupts);
  } finally {
    interrupts.onStop = () => {};
    await file.close();
  }
}

function ended(child: ChildProcess, program: string, interrupts: Interrupts): Promise<number> {
  return new Promise((done, failed) => {
    let timer: NodeJS.Timeout | undefined;
    interrupts.onStop = () => {
      stop(child, interrupts.signal ?? 'SIGTERM');
      timer = setTimeout(() => stop(child, 'SIGKILL'), GRACE);
    };
    const { onEnd } = interrupts;
    interrupts.onEnd = () => {
      stop(child, 'SIGKILL');
      onEnd?.();
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no such program' : getSystemErrorMap().get(error.errno ?? 0)?.[1];
      failed(new AidoError('BAD_INVOCATION', `cannot run ${program}: ${why}`));
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      // What it started and did not wait for.
      if (interrupts.stopped) stop(child, 'SIGKILL');
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
    if (interrupts.stopped) interrupts.onStop();
  });
}

/** Sends a signal to the command and all that it started. */
function stop({ pid }: ChildProcess, signal: SignalName | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
