/** Commands that run just some tests again, for each runner that can be told so. */
import { groupBy } from '../base/group.js';
import { command, either, escaped, path } from '../base/shell.js';
import { groupOfHook } from './hooks.js';

/** What of a test its runner is told. */
export interface Named {
  tool: string;
  id: string;
  /** Its suite is not known, or not for sure. */
  weakId?: boolean | undefined;
  /** Others are in it: a group, whose hook failed. */
  isGroup?: boolean | undefined;
  suite?: string | undefined;
  name?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
}

/** Tests of one command; a command line has an end. */
const TOGETHER = 50;

/**
 * As few commands for a POSIX shell as run these tests, and no others where the runner allows it: by runner, in the order
 * of the tests. Tests of runners that cannot be told are left out.
 */
export function rerun(tests: readonly Named[]): string[] {
  const commands: string[] = [];
  for (const [tool, all] of groupBy(tests, test => test.tool)) {
    const runner = RUNNERS[tool];
    if (runner === undefined) continue;
    for (const together of groupBy(all, runner.apart ?? (() => '')).values()) {
      for (let at = 0; at < together.length; at += TOGETHER) {
        commands.push(...[runner.run(together.slice(at, at + TOGETHER) as [Named, ...Named[]])].flat());
      }
    }
  }
  return commands;
}

interface Runner {
  /** Tests for which it differs cannot share a command. */
  apart?: (test: Named) => string;
  run: (tests: [Named, ...Named[]]) => string | readonly string[];
}

const suiteOf = ({ suite = '' }: Named): string => suite;
const nameOf = ({ name, id }: Named): string => name ?? id;
const unique = (words: readonly string[]): string[] => [...new Set(words)];
/** The part of `file > suite > test` behind the file. */
const behind = ({ id, suite }: Named): string =>
  suite !== undefined && id.startsWith(`${suite} > `) ? id.slice(suite.length + 3) : id;
/** Runners of JavaScript match against the titles joined by a blank; a title may itself hold the mark that joins ours. */
const titles = (test: Named): string => joined(behind(test).split(' > ')) + (test.isGroup ? ' .*' : '');
const joined = (parts: readonly string[]): string => parts.map(pattern).join('( [>›])? ');
/** In names an address that changes from run to run stands as `0x…`. */
const pattern = (text: string): string => escaped(text.replace(ADDRESS, '0x…')).replaceAll('0x…', '0x[0-9a-f]+');
const ADDRESS = /0x[0-9a-f]{4,}(?![0-9a-z])/gi;

/** node runs all of a test whose own title matches: of one within another, the outermost; ` > ` may be part of a title. */
function outermost(test: Named): string[] {
  const parts = behind(test).split(' > ');
  return parts.map((_, n) => pattern(parts.slice(0, n + 1).join(' > ')));
}

/** A file that could not be loaded, a class whose set-up failed. */
const isWhole = ({ id, suite }: Named): boolean => id === suite;

/** The flag that picks tests by title; of a file as a whole, all of them. */
function only(flag: string, tests: readonly Named[], title: (test: Named) => string | string[]): string[] {
  if (tests.some(isWhole)) return [];
  const wanted = either(unique(tests.flatMap(title)));
  return flag.endsWith('=') ? [flag + wanted] : [flag, wanted];
}

const RUNNERS: Record<string, Runner> = {
  cargo: {
    apart: cargoCommand,
    run: cargoTest,
  },
  nextest: {
    run: tests => command('cargo', 'nextest', 'run', '-E', tests.map(filterset).join(' + ')),
  },
  pytest: { run: tests => command('pytest', ...unique(tests.map(pytestName))) },
  unittest: { run: tests => command('python', '-m', 'unittest', ...tests.map(unittestName)) },
  'go-test': {
    apart: suiteOf,
    run: goTest,
  },
  jest: {
    apart: suiteOf,
    run: tests => command('jest', ...only('-t', tests, titles), ...files(tests, '--runTestsByPath')),
  },
  vitest: { apart: suiteOf, run: tests => command('vitest', 'run', ...only('-t', tests, titles), ...files(tests)) },
  mocha: { run: tests => command('mocha', '-g', either(unique(tests.map(mochaTitle)))) },
  'node-test': {
    apart: suiteOf,
    run: tests => command('node', '--test', ...only('--test-name-pattern=', tests, outermost), ...files(tests)),
  },
  playwright: {
    run: tests => command('playwright', 'test', '-g', `(${unique(tests.map(playwrightTitle)).join('|')})$`),
  },
  surefire: { run: tests => command('mvn', 'test', `-Dtest=${unique(tests.map(surefireName)).join()}`) },
  gradle: {
    run: tests => command('gradle', 'test', ...tests.flatMap(({ id }) => ['--tests', id.replace(/\[.*|\(.*/, '')])),
  },
  exunit: {
    run: tests => {
      const places = tests.flatMap(({ file, line }) => (file && line ? [`${path(file)}:${line}`] : []));
      return places.length === tests.length ? command('mix', 'test', ...places) : [];
    },
  },
  ctest: { run: tests => command('ctest', '-R', either(tests.map(test => escaped(nameOf(test))))) },
  'swift-testing': {
    run: tests => command('swift', 'test', `--filter=${tests.map(test => escaped(nameOf(test))).join('|')}`),
  },
  xctest: { run: tests => command('swift', 'test', `--filter=${tests.map(xctestName).join('|')}`) },
  bazel: { run: tests => command('bazel', 'test', ...unique(tests.map(({ id }) => id))) },
};

/** pytest takes an id as it is: of one that changes from run to run, all parameters; of a part of a test, the test. */
function pytestName({ id }: Named): string {
  const whole = id.replace(/(::\w+(?:\[.*?\])?) (?:\[.*\]|\(.*\)|\[.*\] \(.*\))$/s, '$1');
  return path(whole.includes('0x…') ? whole.replace(/\[.*/s, '') : whole);
}

/** Harnesses of their own, whose names are no paths, may take one name at a time. */
function cargoCommand(test: Named): string {
  const target = cargoTarget(test);
  return target === '--doc' || /^[\w:]*$/.test(nameOf(test)) ? target : `${target}\n${nameOf(test)}`;
}

/** Of a workspace cargo would only look at the package at hand, and stop at the first binary in which something fails. */
function cargoTest(tests: [Named, ...Named[]]): string {
  const target = cargoTarget(tests[0]);
  const all = ['cargo', 'test', '--workspace', '--no-fail-fast', ...words(target), '--'];
  if (target === '--doc') return command(...all, ...unique(tests.map(doctest)));
  const names = tests.map(nameOf);
  const address = names[0]?.search(ADDRESS) ?? -1;
  // Of a name that changes from run to run, what stands before.
  if (address >= 0) return command(...all, (names[0] as string).slice(0, address).trim());
  return command(...all, '--exact', ...(names.some(name => name.startsWith('-')) ? ['--'] : []), ...names);
}

/** `crate` is its library, `crate::bin/tool` a binary, `crate::it` a test of its own, `crate::doc` the documentation. */
function cargoTarget(test: Named): string {
  const { suite, weakId } = test;
  if (/^\S+ - .*\(line \d+\)/.test(nameOf(test))) return '--doc';
  if (suite === undefined || weakId) return '';
  const [, kind, name] = /::(?:(bin|example|bench)\/)?(.+)$/.exec(suite) ?? [];
  if (name === undefined) return '--lib';
  if (name === 'doc' && kind === undefined) return '--doc';
  // Cargo prints underscores where the target may have dashes, and takes a pattern.
  return `--${kind ?? 'test'} ${name.replaceAll('_', '[-_]')}`;
}

/** `src/lib.rs - money::sum (line 5)`: what has blanks in it does not get through to rustdoc, part of a name does. */
function doctest(test: Named): string {
  const [, file = '', item = ''] = /^(\S+) - (\S*)/.exec(nameOf(test)) ?? [];
  return item.startsWith('(') || item === '' ? file : item;
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);

function filterset(test: Named): string {
  const is = (text: string) => `=${text.replace(/[\\),]/g, '\\$&')}`;
  const name = `test(${is(nameOf(test))})`;
  return test.suite === undefined ? name : `(binary_id(${is(test.suite)}) & ${name})`;
}

/** `test_x (mod.C.test_x)`, before Python 3.11 `test_x (mod.C)`. */
function unittestName({ id }: Named): string {
  const [, name = id, within = ''] = /^(\S+) \((.*)\)/.exec(id) ?? [];
  if (within === '') return name;
  return within.endsWith(`.${name}`) ? within : `${within}.${name}`;
}

/** Without `-count=1` go would show what it remembers of an earlier run. */
function goTest(tests: [Named, ...Named[]]): string[] {
  const all = unique(tests.map(nameOf));
  // With a test all of its subtests run.
  const names = all.filter(name => !all.some(other => name.startsWith(`${other}/`)));
  const parentOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf('/')));
  const where = tests[0].suite === undefined ? [] : [goPackage(tests[0])];
  // A pattern of several levels for tests of several parents would match their product.
  return [...groupBy(names, parentOf)].map(([parent, children]) => {
    const last = either(children.map(name => pattern(name.slice(parent === '' ? 0 : parent.length + 1))));
    const above = parent === '' ? [] : parent.split('/').map(level => `^${pattern(level)}$`);
    return command('go', 'test', '-count=1', '-run', [...above, last].join('/'), ...where);
  });
}

/** What prints paths without their module prints them as folders. */
const goPackage = ({ suite = '', weakId }: Named): string =>
  weakId && suite !== '.' && !/^\.|^[^/]*\./.test(suite) ? `./${suite}` : path(suite);

function files([{ suite }]: [Named, ...Named[]], flag?: string): string[] {
  return suite === undefined ? [] : [...(flag ? [flag] : []), path(suite)];
}

/** A hook that failed is told of with the test that it was for: all of its group is to run. */
function mochaTitle({ id }: Named): string {
  const group = groupOfHook(id);
  return group === undefined ? pattern(id) : `${pattern(group)} .*`;
}

/** `[chromium] tests/a.spec.ts > suite > test`: in its own full title the path begins at `testDir`, which is not told. */
function playwrightTitle({ id }: Named): string {
  const [file = '', ...parts] = id.replace(/^\[.*?\] /, '').split(' > ');
  return joined([file.replace(/.*\//, ''), ...parts]);
}

/** `a.b.CTest#method`; of what stands in brackets behind it nothing can be said. */
function surefireName(test: Named): string {
  const { suite, name, id } = test;
  if (isWhole(test)) return id;
  if (suite === undefined || name === undefined) return id.replace(/[[({].*/, '');
  const method = name.replace(/[[({].*/, '');
  return `${suite}#${method}${method === name ? '' : '*'}`;
}

function xctestName(test: Named): string {
  const [group = '', method] = nameOf(test).split('.');
  return method === undefined ? escaped(group) : `${escaped(group)}/${escaped(method)}$`;
}
