/** Words of a command for a POSIX shell. */

/** The word as it is where the shell leaves it alone, else in quotes. */
export function quoted(word: string): string {
  return /^[\w%+,./:@-][\w%+,./:@=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The words as a command. */
export const command = (...words: readonly string[]): string => words.map(quoted).join(' ');

/** A path that no program takes for a flag. */
export const path = (name: string): string => (name.startsWith('-') ? `./${name}` : name);

/** The text as a regular expression that matches just it: what JavaScript's, Go's, Rust's and CMake's have in common. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** One pattern that matches each of the texts and nothing else; they are patterns already. */
export const either = (patterns: readonly string[]): string =>
  patterns.length === 1 ? `^${patterns[0]}$` : `^(${patterns.join('|')})$`;
