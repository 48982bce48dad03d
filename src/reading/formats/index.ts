/**
 * All formats, in the order in which they are offered a line: most specific first, the plain `FAILED name` reader last.
 * To add one: a file beside this one, a line here, a folder of fixtures under `fixtures/`.
 */
import type { Format } from '../format.js';
import { plain } from './plain.js';

export const FORMATS: readonly Format[] = [plain];
