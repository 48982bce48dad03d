/**
 * Where jest ran. A report names files by their absolute paths, everything else that jest prints by the path from the
 * folder it was started in: ids must not differ. The report does not tell that folder, but what failed may.
 */
import { plainText } from '../../controls.js';
import { isAbsolute } from '../../paths.js';
import { excerpt } from '../shared/excerpt.js';
import { type Fields, list, object, string, strings } from '../shared/json.js';

/** `at f (test/a.test.js:3:5)` */
const FRAME = /^ +at (?:.*\()?([^()\s:][^():]*):\d+:\d+\)?$/gm;
const INSTALLED =
  /(?:\(|file:\/\/|at (?:async )?)(\/[^\n()]{0,400}?|[A-Za-z]:[/\\][^\n()]{0,400}?)[/\\]node_modules[/\\]/;
/** With slashes, as jest prints paths on every system. */
export const slashed = (path: string): string => (/^[A-Za-z]:\\|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path);

/**
 * The folder that jest was started in, where it can be told from one file's results: traces in `message` name the file from
 * the root of the project; and when jest is installed there, nothing but that folder can be where it was started.
 */
export function rootOf(name: string, file: Fields): string | undefined {
  const message = plainText(excerpt(string(file.message)));
  const frames = [...message.matchAll(FRAME)].map(([, path = '']) => slashed(path));
  const own = frames.find(path => !isAbsolute(path) && name.endsWith(`/${path}`));
  if (own === undefined) return undefined;
  const root = name.slice(0, -own.length - 1);
  const installed = frames.some(path => path.startsWith('node_modules/')) ? root : installedIn(file);
  return installed === root && root !== '' ? root : undefined;
}

/** The same for vitest: only tests of types stand in a suite that is named by their file, as vitest prints it. */
export function typesRoot(name: string, file: Fields): string | undefined {
  const path = strings(object(list(file.assertionResults)[0]).ancestorTitles)[0] ?? '';
  return /\.test-d\.[cm]?tsx?$/.test(path) && name.endsWith(`/${path}`) ? name.slice(0, -path.length - 1) : undefined;
}

/** Traces as they were thrown are absolute and go through jest itself. */
function installedIn(file: Fields): string | undefined {
  for (const test of list(file.assertionResults)) {
    for (const trace of strings(object(test).failureMessages)) {
      const folder = INSTALLED.exec(plainText(excerpt(trace)))?.[1];
      if (folder !== undefined) return slashed(folder);
    }
  }
  return undefined;
}
