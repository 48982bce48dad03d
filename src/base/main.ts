/** Runs a command as this process. The bundle of each executable calls it; nothing else does. */
import { type Command, errorLine, run } from './command.js';
import type { FlagTable } from './flags.js';
import type { Signals } from './world.js';

const signals: Signals = {
  on: (name, listener) => process.on(name, listener),
  off: (name, listener) => process.off(name, listener),
  raise: name => process.kill(process.pid, name),
};

export function main<T extends FlagTable>(command: Command<T>): void {
  // Node would print a stack and exit with 1, which is a verdict here.
  process.on('uncaughtException', error => {
    process.stderr.write(errorLine(command.name, error));
    process.exitCode = 2;
    process.stdin.destroy();
  });
  process.stderr.on('error', () => {});
  const { argv, stdout, stderr, env } = process;
  // `exitCode`, never `exit()`, which would lose what a slow reader has not taken yet.
  run(command, { argv: argv.slice(2), stdin: 0, stdout, stderr, env, cwd: process.cwd(), signals }).then(status => {
    process.exitCode = status;
  });
}
