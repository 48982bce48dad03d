/** vitest, jest-junit, mocha (its own xunit reporter, and mocha-junit-reporter), node:test, Playwright. */
import { isAbsolute } from '../../paths.js';
import type { Case, Identity, Suite } from './case.js';
import { jest as explainJest, mocha as explainMocha, javascript, plainly } from './explain.js';
import type { Producer } from './producer.js';

const FILE = /\.[cm]?[jt]sx?$/;
const SEPARATOR = / [›>] /;

export const vitest: Producer = {
  tool: 'vitest',
  identify({ name, classname }, _suite, path) {
    const suite = path(classname);
    // A file that could not be loaded.
    if (name === classname) return { id: suite, suite, name: suite };
    return { id: `${suite} > ${name}`, suite, name };
  },
  explain: javascript,
  suite: ({ name }) => name,
};

/** Titles apart, as in the log, where nothing tells a title's own separator from the runner's. */
const trimmed = (titles: string): string[] => titles.split(' › ').map(title => title.trim());

const fileOf = (...names: (string | undefined)[]): string | undefined => names.find(name => name && FILE.test(name));

/**
 * jest-junit writes what its templates say. By default class and name are both the full title, and neither the file nor
 * where one title ends is known; with a suite or file named by its path, and titles apart, everything is.
 */
function titles({ name, classname }: Case, suite: Suite): { titles: string[]; sure: boolean } {
  if (name !== classname && !FILE.test(classname)) {
    if (classname === '') return { titles: [name], sure: true };
    const sure = SEPARATOR.test(classname) || classname === suite.name || !/\s/.test(classname);
    return { titles: [...classname.split(SEPARATOR), name], sure };
  }
  if (name.startsWith(' ')) return { titles: [name.trim()], sure: true };
  if (SEPARATOR.test(name)) return { titles: name.split(SEPARATOR), sure: true };
  const outer = name.startsWith(`${suite.name} `) ? suite.name : undefined;
  return { titles: outer === undefined ? [name] : [outer, name.slice(outer.length + 1)], sure: false };
}

const UNLOADED = 'Test suite failed to run';
const OUTSIDE = /^ ?Test execution failure: could be caused by test hooks/;

function identifyJest(test: Case, suite: Suite, path: (path: string) => string): Identity {
  const { name, classname, attributes } = test;
  const found = fileOf(attributes.file, attributes.filepath, suite.attributes.file, suite.name, classname);
  const file = found === undefined ? undefined : path(found);
  const placed = file === undefined || isAbsolute(file) ? { weakId: true as const } : {};
  const outside = OUTSIDE.test(name) && { uncounted: true as const };
  if (file !== undefined && (classname === UNLOADED || outside))
    return { id: file, suite: file, name: file, ...placed, ...outside };
  const { titles: parts, sure } = titles(test, suite);
  const joined = parts.join(' › ');
  return {
    id: [...(file === undefined ? [] : [file]), ...trimmed(joined)].join(' > '),
    name: joined.trim(),
    ...(file !== undefined && { suite: file }),
    ...placed,
    ...(!sure && { weakId: true }),
    ...outside,
  };
}

export const jest: Producer = {
  tool: 'jest',
  identify: identifyJest,
  explain: explainJest,
  suite: ({ held }) => held[0]?.identity.suite,
};

export const mocha: Producer = {
  tool: 'mocha',
  identify({ name, classname }, suite) {
    // mocha's own xunit reporter: the suites' titles, and the test's. mocha-junit-reporter: the full title, and the test's
    // own, in either order.
    const [long, short] = classname.length > name.length ? [classname, name] : [name, classname];
    const whole = suite.parent !== undefined && short !== '' && long.endsWith(short);
    const above = (whole ? long.slice(0, long.length - short.length) : classname).trim();
    const full = `${above} ${(whole ? short : name).trim()}`.trim();
    return { id: full, name: full, ...(above !== '' && { suite: above }) };
  },
  explain: explainMocha,
  // mocha-junit-reporter counts what is pending, or did not run for a hook's failure.
  partial: true,
  suite: ({ name, parent }) => (name === 'Mocha Tests' && parent === undefined ? '' : undefined),
};

const ENTITIES: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' };
/** Node escapes what stands in an attribute twice. */
const unescaped = (text: string): string => text.replace(/&(?:quot|lt|gt|amp);/g, entity => ENTITIES[entity] as string);

function identifyNode({ name, attributes }: Case, suite: Suite, path: (path: string) => string): Identity {
  const parts = [unescaped(name)];
  for (let outer: Suite | undefined = suite; outer?.parent !== undefined; outer = outer.parent)
    parts.unshift(unescaped(outer.name));
  const title = parts.join(' > ');
  const file = attributes.file === undefined ? undefined : path(attributes.file);
  // A file that could not be loaded is a test of its name.
  if (parts.length === 1 && FILE.test(title)) {
    const own = path(file?.endsWith(`/${title}`) ? title : title);
    return { id: own, suite: own, name: own, ...(isAbsolute(own) && { weakId: true }) };
  }
  if (file === undefined) return { id: title, name: title, weakId: true };
  return { id: `${file} > ${title}`, suite: file, name: title, ...(isAbsolute(file) && { weakId: true }) };
}

export const nodeTest: Producer = {
  tool: 'node-test',
  identify: identifyNode,
  explain: (draft, problem, identity, test) => {
    javascript(draft, problem, identity, test);
    const message = unescaped(problem.message).trim();
    if (message !== '') draft.fields.message = message;
  },
  judge: ({ skipped }) => (skipped === undefined ? undefined : 'skipped'),
  suite: () => undefined,
};

/** `[project] file > suite > test`; the project stands where others name the host. */
export const playwright: Producer = {
  tool: 'playwright',
  identify({ name, classname }, suite) {
    const project = suite.attributes.hostname;
    const file = `${project ? `[${project}] ` : ''}${classname}`;
    const title = trimmed(name).join(' > ');
    return { id: `${file} > ${title}`, suite: file, name: title };
  },
  explain: (draft, problem, identity, test) => {
    plainly(draft, problem, identity, test);
    const [, line, column] = new RegExp(`${escaped(test.classname)}:(\\d+):(\\d+)`).exec(problem.text) ?? [];
    draft.fields.file = test.classname;
    if (line !== undefined) Object.assign(draft.fields, { line: Number(line), column: Number(column) });
  },
  suite: () => undefined,
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
