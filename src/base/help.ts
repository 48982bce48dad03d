/** `--help`: fits a screen of 80 columns and 24 lines (a test measures every tool's). */
import { type Flag, type FlagTable, flagName } from './flags.js';

export interface HelpParts {
  about: string;
  usage: readonly string[];
  notes: readonly string[];
}

export function helpText(name: string, { about, usage, notes }: HelpParts, flags: FlagTable): string {
  const rows = Object.entries(flags).map(([key, flag]) => {
    const short = flag.short ? `-${flag.short}, ` : '    ';
    return [`  ${short}${flagName(key)}${flag.arg ? ` ${flag.arg}` : ''}`, belongs(flag) + flag.help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return `${[
    ...usage.map((line, i) => `${i ? '      ' : 'usage:'} ${name} ${line}`),
    about,
    '',
    ...rows.map(([left, right]) => left.padEnd(width) + right),
    '',
    ...notes,
  ].join('\n')}\n`;
}

/** A flag that not every subcommand takes says which do. */
function belongs({ of }: Flag): string {
  return of ? `${of.join(', ')}: ` : '';
}
