/** Runs a command as this process. The bundle of each executable calls it; nothing else does. */
import { setFlagsFromString } from 'node:v8';
import { type Command, errorLine, run } from './command.js';
import type { FlagTable } from './flags.js';
import type { World } from './world.js';

export function main<T extends FlagTable>(command: Command<T>): void {
  // Left to itself V8 lets garbage pile up to four times what is alive before it looks: memory would grow with the log.
  if (!command.holdsInput) setFlagsFromString('--heap-growing-percent=50');
  // Node would print a stack and exit with 1, which is a verdict here.
  process.on('uncaughtException', error => {
    process.stderr.write(errorLine(command.name, error));
    process.exitCode = 2;
    process.stdin.destroy();
  });
  // `exitCode`, never `exit()`, which would lose what a slow reader has not taken yet.
  run(command, world).then(status => {
    process.exitCode = status;
  });
}

/** The streams are made when they are asked for: each costs start-up time. */
const world: World = {
  argv: process.argv.slice(2),
  stdin: 0,
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  cwd: process.cwd(),
  signals: {
    on: (name, listener) => process.on(name, listener),
    off: (name, listener) => process.off(name, listener),
    raise: name => process.kill(process.pid, name),
  },
};
