/**
 * What a tool sees of the machine. Tests make one of strings and run a whole tool in-process; `main.ts` makes the real
 * one.
 */
import type { Readable, Writable } from 'node:stream';

export interface World {
  /** The arguments after the program's name. */
  argv: readonly string[];
  /** 0 is the process's own standard input, opened only when a tool reads it: opening costs start-up time. */
  stdin: Readable | 0;
  stdout: Writable;
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  /** Relative paths are relative to it. */
  cwd: string;
  signals: Signals;
}

/** Whether what is written there is seen by a person. */
export const isTerminal = (stream: Writable): boolean => (stream as { isTTY?: boolean }).isTTY === true;

export type SignalName = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

/** The part of `process` that signals.ts needs. */
export interface Signals {
  on(name: SignalName, listener: (name: SignalName) => void): unknown;
  off(name: SignalName, listener: (name: SignalName) => void): unknown;
  /** Ends this process as the signal would if nobody listened. */
  raise(name: SignalName): void;
}
