/** Where the output of runs is kept: in a folder that the user names, or in one that goes when it was read. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AidoError, systemReason } from '../base/error.js';

const LOG = /^run-\d+\.log$/;

export interface Logs {
  /** The file of the n-th run, from 1. */
  path(run: number): string;
  /** Nothing is to be left of a run that did not end, or, where nothing is kept, of any. May be called twice. */
  clear(unfinished?: number): void;
}

/**
 * @param keep the folder that the user names
 * @param runs how many there will be at most
 * @throws AidoError BAD_INVOCATION: the folder cannot be used, or holds logs already; UNAVAILABLE: there is no other one
 */
export async function openLogs(keep: string | undefined, runs: number, cwd: string): Promise<Logs> {
  const folder = keep === undefined ? await temporary() : await kept(resolve(cwd, keep));
  const path = (run: number) => join(folder, `run-${String(run).padStart(String(runs).length, '0')}.log`);
  return {
    path,
    clear(unfinished) {
      if (keep === undefined) rmSync(folder, { recursive: true, force: true });
      else if (unfinished !== undefined) rmSync(path(unfinished), { force: true });
    },
  };
}

async function temporary(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'aido-flaky-'));
  } catch (error) {
    throw new AidoError('UNAVAILABLE', `cannot write to ${tmpdir()} (TMPDIR): ${systemReason(error)}`);
  }
}

async function kept(folder: string): Promise<string> {
  let old = false;
  try {
    await makeFolder(folder);
    old = (await readdir(folder)).some(file => LOG.test(file));
  } catch (error) {
    throw new AidoError('BAD_INVOCATION', `cannot keep the output in ${folder}: ${systemReason(error)}`);
  }
  if (!old) return folder;
  throw new AidoError('BAD_INVOCATION', `${folder} holds the output of earlier runs; name another folder`);
}

/** As `mkdir -p`. Node's own never ends in `/proc`, where what is missing cannot be made. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}
