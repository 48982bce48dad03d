/** Text for people: colours where they are wanted, and nothing in it that a terminal or a CI system obeys. */
import { printable } from './text.js';
import { isTerminal, type World } from './world.js';

export type Paint = (style: keyof typeof CODES, text: string) => string;

const CODES = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 };

/** Colours on a terminal; elsewhere, or with NO_COLOR set to something, text as it is. */
export const painter = (colours: boolean): Paint =>
  colours ? (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m` : (_style, text) => text;

/** The one for standard output. */
export const painterOf = ({ env, stdout }: Pick<World, 'env' | 'stdout'>): Paint =>
  painter(!env.NO_COLOR && isTerminal(stdout));

/**
 * Nothing in it moves the cursor or hides text, and a CI system finds no command of its own in it (`::error`, `##[error]`,
 * `##vso[…]`, `##teamcity[…]`).
 */
export const safe = (text: string): string =>
  printable(text.replaceAll('\t', '    '))
    .replace(/##(?=[a-z]*\[)/gi, '## ')
    .replace(/^(\s*):(?=:)/, '$1: ');
