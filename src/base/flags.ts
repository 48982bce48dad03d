/**
 * Flags: one table per tool, which feeds the parser, `--help` and the test of the man page.
 *
 * mri does the parsing, on arguments put right before: mri drops a lone `-`, knows no `-fX`, takes the operand after a
 * boolean for its value, and makes an empty string of a value that is missing.
 */
import mri from 'mri';
import { AidoError } from './error.js';
import { nearest } from './nearest.js';

export interface Flag {
  /** One letter: `a` for `-a`. */
  short?: string;
  /** The name of its value in help, `N` or `DIR`. A flag without one is a boolean. */
  arg?: string;
  /** What the value must be: `count` is a whole number from 0, `integer` any whole number. Default: any text. */
  as?: 'count' | 'integer';
  /** May be given several times; the value is a list. Otherwise the last one counts. */
  many?: true;
  /** The subcommands that take it; default: all. */
  of?: readonly string[];
  help: string;
}

/** Keys are in camelCase: `maxFailures` is `--max-failures`. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** What the parser makes of a table: `{ outcomes?: boolean, status?: number, from?: string }`. */
export type Values<T extends FlagTable> = {
  [K in keyof T]?: T[K] extends { many: true } ? Value<T[K]>[] : Value<T[K]>;
};
type Value<F extends Flag> = F extends { as: string } ? number : F extends { arg: string } ? string : boolean;

export interface Parsed<T extends FlagTable> {
  flags: Values<T>;
  operands: string[];
}

/** `maxFailures` -> `--max-failures`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/**
 * @param argv the arguments after the program's name
 * @throws AidoError BAD_INVOCATION: an unknown flag, a missing value, a value where none belongs
 */
export function parseFlags<T extends FlagTable>(table: T, argv: readonly string[]): Parsed<T> {
  const { options, operands } = separate(table, argv);
  const keys = Object.keys(table);
  const parsed = mri(options, {
    string: keys.filter(key => table[key]?.arg),
    boolean: keys.filter(key => !table[key]?.arg),
  });
  const flags: Record<string, unknown> = {};
  for (const [key, flag] of Object.entries(table)) {
    if (parsed[key] === undefined) continue;
    const values = [parsed[key]].flat().map(value => convert(key, flag, value));
    flags[key] = flag.many ? values : values.at(-1);
  }
  return { flags: flags as Values<T>, operands };
}

/** Splits the arguments into operands and options, each option in the one form that mri reads as we do: `--key=value`. */
function separate(table: FlagTable, argv: readonly string[]): { options: string[]; operands: string[] } {
  const options: string[] = [];
  const operands: string[] = [];
  const rest = [...argv];
  const take = (key: string, name: string, attached: string | undefined) => {
    if (!table[key]?.arg) {
      if (attached !== undefined) throw new AidoError('BAD_INVOCATION', `${name} takes no value`);
      options.push(`--${key}`);
      return;
    }
    const value = attached ?? (isValue(rest[0]) ? rest.shift() : undefined);
    if (!value) throw new AidoError('BAD_INVOCATION', `${name} needs a value: ${name} ${table[key]?.arg}`);
    options.push(`--${key}=${value}`);
  };

  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') return { options, operands: [...operands, ...rest] };
    if (arg === '-' || !arg.startsWith('-')) operands.push(arg);
    else if (arg.startsWith('--')) {
      const [, name = '', value] = /^(--[^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
      take(keyOf(table, name), name, value);
    } else {
      for (let at = 1; at < arg.length; at++) {
        const name = `-${arg[at]}`;
        const key = keyOf(table, name);
        const attached = table[key]?.arg && at + 1 < arg.length ? arg.slice(at + 1) : undefined;
        take(key, name, attached);
        if (attached !== undefined) break;
      }
    }
  }
  return { options, operands };
}

/** Whether an argument may be the value of the flag before it: not if it looks like a flag itself. */
function isValue(arg: string | undefined): boolean {
  return arg !== undefined && (arg === '-' || !arg.startsWith('-') || /^-\d+$/.test(arg));
}

function keyOf(table: FlagTable, name: string): string {
  for (const [key, flag] of Object.entries(table)) {
    if (name === flagName(key) || (flag.short && name === `-${flag.short}`)) return key;
  }
  const close = name.startsWith('--') && nearest(name, Object.keys(table).map(flagName));
  throw new AidoError('BAD_INVOCATION', `unknown flag ${name}${close ? `; did you mean ${close}?` : '; see --help'}`);
}

function convert(key: string, flag: Flag, value: unknown): unknown {
  if (!flag.as) return value;
  const pattern = flag.as === 'count' ? /^\d{1,15}$/ : /^-?\d{1,15}$/;
  if (pattern.test(String(value))) return Number(value);
  const what = flag.as === 'count' ? 'a whole number, 0 or more' : 'a whole number';
  throw new AidoError('BAD_INVOCATION', `${flagName(key)} ${value}: not ${what}`);
}
