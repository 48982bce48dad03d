/** The executables, from the one list there is: `bin` in package.json. `aido-x` lives in `src/x/main.ts`. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const version = manifest.version;

export const tools = Object.keys(manifest.bin).map(name => ({
  name,
  main: `src/${name.replace(/^aido-/, '')}/main.ts`,
}));
