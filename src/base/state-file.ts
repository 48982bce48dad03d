/**
 * State files: JSON in `.aidokit/` of the working folder. Read with suspicion, written whole or not at all, and locked
 * while a tool reads and then writes.
 */
import fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AidoError, systemReason } from './error.js';
import type { World } from './world.js';

/** The folder that state lives in: `--dir`, else `AIDO_DIR`, else `.aidokit`. Never searched for further up. */
export function stateFolder(dir: string | undefined, { env, cwd }: Pick<World, 'env' | 'cwd'>): string {
  return resolve(cwd, dir || env.AIDO_DIR || '.aidokit');
}

export interface Shape {
  /** The newest version of the file that the program knows; a file without one is of version 1. */
  version: number;
  /** What is wrong with its content, if anything. */
  invalid(value: unknown): string | undefined;
}

/**
 * The content of a state file; undefined when there is none.
 * @throws AidoError BAD_STATE: not JSON, not of the shape, or newer than the program
 */
export async function readState<T>(path: string, shape: Shape): Promise<T | undefined> {
  const text = await fs.readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw new AidoError('BAD_STATE', `cannot read ${path}: ${systemReason(error)}`);
  });
  if (text === undefined) return undefined;
  const value = parse(text, path);
  const { version = 1 } = Object(value) as { version?: unknown };
  if (typeof version === 'number' && version > shape.version) {
    throw new AidoError('BAD_STATE', `${path} is of version ${version}, newer than this program; update the program`);
  }
  const wrong = shape.invalid(value);
  if (wrong) throw new AidoError('BAD_STATE', `${path} is damaged: ${wrong}; restore it or delete it`);
  return value as T;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new AidoError('BAD_STATE', `${path} is damaged: ${(error as Error).message}; restore it or delete it`);
  }
}

/**
 * Replaces a state file in one step: at any moment, even if the machine stops, it is the old one or the new one.
 * @throws AidoError UNAVAILABLE when it cannot be written
 */
export async function writeState(path: string, text: string): Promise<void> {
  try {
    await fs.mkdir(dirname(path), { recursive: true });
    // A link stays a link: what it points to is replaced.
    await replace(await fs.realpath(path).catch(() => path), text);
  } catch (error) {
    throw new AidoError('UNAVAILABLE', `cannot write ${path}: ${systemReason(error)}`);
  }
}

async function replace(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${Date.now().toString(36)}`);
  const mode = await fs.stat(path).then(
    stats => stats.mode & 0o777,
    () => 0o666,
  );
  const file = await fs.open(temporary, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await fs.rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => {});
    await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** How long to wait for another tool that holds the lock, in ms. */
const PATIENCE = 10_000;
/** From when on a lock of another machine counts as forgotten, in ms. */
const FORGOTTEN = 60_000;

/**
 * Does `work` while no other tool changes the file.
 * @throws AidoError UNAVAILABLE when another holds it for too long
 */
export async function locked<T>(path: string, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const lock = `${path}.lock`;
  const ours = JSON.stringify({ pid: process.pid, host: hostname() });
  const deadline = Date.now() + patience;
  while (!(await take(lock, ours))) {
    if (await isStale(lock)) await removeStale(lock);
    else if (Date.now() > deadline) {
      throw new AidoError('UNAVAILABLE', `${path} is in use; if no other aido runs, delete ${lock}`);
    } else await new Promise(done => setTimeout(done, 20 + Math.random() * 30));
  }
  try {
    return await work();
  } finally {
    await fs.rm(lock, { force: true });
  }
}

async function take(lock: string, ours: string): Promise<boolean> {
  try {
    await fs.mkdir(dirname(lock), { recursive: true });
    await fs.writeFile(lock, ours, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new AidoError('UNAVAILABLE', `cannot lock ${lock}: ${systemReason(error)}`);
  }
}

/** Whether whoever made the lock is gone: killed on this machine, or silent for long on another. */
async function isStale(lock: string): Promise<boolean> {
  try {
    const { pid, host } = owner(await fs.readFile(lock, 'utf8'));
    if (host === hostname()) return !isAlive(pid);
    return Date.now() - (await fs.stat(lock)).mtimeMs > FORGOTTEN;
  } catch {
    // It went away meanwhile.
    return false;
  }
}

/** Whoever was killed between making the lock and writing into it is nobody. */
function owner(text: string): { pid: number; host?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return { pid: 0 };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of several that find the same stale lock only one removes it, and none removes the fresh lock of another. */
async function removeStale(lock: string): Promise<void> {
  const aside = `${lock}.${process.pid}`;
  try {
    await fs.rename(lock, aside);
    if (!(await isStale(aside))) await fs.link(aside, lock);
  } catch {
    // Another was faster.
  }
  await fs.rm(aside, { force: true });
}
