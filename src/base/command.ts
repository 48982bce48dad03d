/**
 * The command frame: what every tool's command line has in common. A wing's `main.ts` says what the tool is called,
 * which flags it has and what it does; help, versions, errors and exit statuses are made here.
 */
import { AidoError, ClosedPipe, systemReason } from './error.js';
import { type FlagTable, flagName, type Parsed, parseFlags } from './flags.js';
import { version } from './generated/version.js';
import { helpText } from './help.js';
import { nearest } from './nearest.js';
import { Output, send } from './output.js';
import { Interrupts } from './signals.js';
import { printable } from './text.js';
import type { World } from './world.js';

export interface Command<T extends FlagTable = FlagTable> {
  /** The executable's name. */
  name: string;
  /** What it does, in a line or two of at most 80 characters. */
  about: string;
  /** Each way to call it, without the name: `[flags] [FILE…]`. */
  usage: readonly string[];
  /** The subcommands, if it has any: then one of them is the first operand. */
  commands?: readonly string[];
  /** It does something without a subcommand, too. */
  commandOptional?: true;
  flags: T;
  /** It holds its input as a whole, so that there is little garbage to look for. */
  holdsInput?: true;
  /** What else help says: exit statuses, an example. */
  notes: readonly string[];
  /** Does the work; the exit status. May throw AidoError. */
  run(call: Call<T>): Promise<number>;
}

/** One call of a tool. */
export interface Call<T extends FlagTable> extends Parsed<T> {
  /** The subcommand; empty for a tool without. */
  command: string;
  world: World;
  /** Standard output; flushed at the end, whatever happens. */
  out: Output;
  interrupts: Interrupts;
}

/** What every tool understands. */
const common = {
  help: { short: 'h', help: 'show this help' },
  version: { short: 'V', help: 'show the version' },
} as const;

/** Gives a command's flags their exact types. */
export function defineCommand<const T extends FlagTable>(command: Command<T>): Command<T> {
  return command;
}

/** All flags of a command, `--help` and `--version` included. */
export function allFlags(command: Command): FlagTable {
  return { ...command.flags, ...common };
}

/**
 * Runs a tool; the exit status. Never throws: an error is one line on stderr and exit 2, a reader that has gone is 141,
 * an interruption 130 or 143.
 */
export async function run<T extends FlagTable>(command: Command<T>, world: World): Promise<number> {
  const out = new Output(world);
  const interrupts = new Interrupts(world.signals);
  try {
    const status = await start(command, world, out, interrupts);
    await out.flush();
    return interrupts.status(status);
  } catch (error) {
    return interrupts.status(await fail(command.name, error, world, out));
  } finally {
    interrupts.dispose();
  }
}

async function start<T extends FlagTable>(
  command: Command<T>,
  world: World,
  out: Output,
  interrupts: Interrupts,
): Promise<number> {
  const table = allFlags(command as unknown as Command);
  const { flags, operands } = parseFlags(table, world.argv);
  if (flags.help || flags.version) {
    out.write(flags.help ? helpText(command.name, command, table) : `${command.name} ${version}\n`);
    return 0;
  }
  const name = subcommand(command, operands);
  for (const key of Object.keys(flags)) {
    const of = table[key]?.of;
    if (of && !of.includes(name))
      throw new AidoError('BAD_INVOCATION', `${flagName(key)} is for ${of.join(' and ')} only`);
  }
  const call = { flags, operands, command: name, world, out, interrupts };
  return command.run(call as unknown as Call<T>);
}

/** Takes the subcommand off the operands. */
function subcommand<T extends FlagTable>({ commands, commandOptional }: Command<T>, operands: string[]): string {
  if (!commands || (commandOptional && !commands.includes(operands[0] ?? ''))) return '';
  const name = operands.shift();
  if (name && commands.includes(name)) return name;
  const known = `the commands are ${commands.join(', ')}`;
  if (!name) throw new AidoError('BAD_INVOCATION', `a command is missing; ${known}`);
  const close = nearest(name, commands);
  throw new AidoError('BAD_INVOCATION', `unknown command ${name}; ${close ? `did you mean ${close}?` : known}`);
}

/** Writes what was already found, then the error. */
async function fail(name: string, error: unknown, world: World, out: Output): Promise<number> {
  try {
    if (!(error instanceof ClosedPipe)) await out.flush();
  } catch (later) {
    error = later;
  }
  if (error instanceof ClosedPipe) return 141;
  await send(world.stderr, errorLine(name, error)).catch(() => {});
  return 2;
}

/** The one line that an error becomes. What is not an AidoError is a fault of ours. */
export function errorLine(name: string, error: unknown): string {
  const text =
    error instanceof AidoError ? `${error.code}: ${error.message}` : `internal error: ${systemReason(error)}`;
  return `${name}: ${printable(text)}\n`;
}
