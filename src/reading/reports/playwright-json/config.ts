/** What a report says of the run it is of: from where logs name files, and what they print behind titles. */
import { posix } from 'node:path';
import { count, type Fields, string, strings } from '../shared/json.js';

/** Until then logs named files from `rootDir`; since then from where it was started. */
const FROM_CWD = [1, 50];

const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Whether `1.65.1` is at least `1.50`. */
function since(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

export interface Place {
  file: string;
  line?: number;
  column?: number;
}

export class Config {
  readonly #said = new Map<string, unknown>();

  say(name: string, value: unknown): void {
    this.#said.set(name, value);
  }

  get maxFailures(): number {
    return count(this.#said.get('maxFailures')) ?? 0;
  }

  /** The folder that logs name files from, and that which the report does. */
  get #folders(): { shown: string; root: string } {
    const root = slashed(string(this.#said.get('rootDir')));
    const config = slashed(string(this.#said.get('configFile')));
    const version = string(this.#said.get('version'));
    return { root, shown: config !== '' && since(version, FROM_CWD) ? posix.dirname(config) : root };
  }

  #shown(file: string): string {
    const { shown, root } = this.#folders;
    return posix.isAbsolute(shown) ? posix.relative(shown, posix.resolve(root, slashed(file))) : slashed(file);
  }

  /** A place as logs name it; without a file where there is none. */
  place({ file, line, column }: Fields): Place {
    const [row, col] = [count(line), count(column)];
    const shown = string(file) === '' ? '' : this.#shown(string(file));
    return { file: shown, ...(row !== undefined && { line: row }), ...(col !== undefined && { column: col }) };
  }

  /** Those of a spec that logs print behind its title, since that does not hold them. */
  tags(spec: Fields, title: string): string {
    const all = strings(this.#said.get('tags'));
    const tags = strings(spec.tags).map(tag => (tag.startsWith('@') ? tag : `@${tag}`));
    return tags.filter(tag => !title.includes(tag) && !all.includes(tag)).join(' ');
  }
}
