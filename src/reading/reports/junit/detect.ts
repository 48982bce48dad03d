/** Which runner wrote a report: by the names it gives, the properties it adds, and which attributes it writes. */
import type { Case, Suite } from './case.js';
import { ctest, exunit, goTest, gtest, nextest, swift } from './compiled.js';
import { plainly } from './explain.js';
import { ant, gradle, surefire } from './java.js';
import { jest, mocha, nodeTest, playwright, vitest } from './javascript.js';
import type { Producer } from './producer.js';
import { pytest, unittest } from './python.js';

/** How some tell what others have an element for. */
const STATUS: Record<string, 'failed' | 'skipped'> = {
  failed: 'failed',
  fail: 'failed',
  failure: 'failed',
  error: 'failed',
  errored: 'failed',
  skipped: 'skipped',
  notrun: 'skipped',
  disabled: 'skipped',
  ignored: 'skipped',
  pending: 'skipped',
};

/** Nobody known. */
const unknown: Producer = {
  tool: 'junit',
  identify({ name, classname }, { name: suite }) {
    const outer = classname || suite;
    const id = classname === '' || classname === name ? name : `${classname}.${name}`;
    return { id, name, ...(outer !== '' && { suite: outer }) };
  },
  explain: plainly,
  repeated: 'attempts',
  judge({ attributes, problems, skipped }) {
    const status = attributes.status?.toLowerCase() ?? '';
    const told = problems.length > 0 || skipped !== undefined;
    return !told && Object.hasOwn(STATUS, status) ? STATUS[status] : undefined;
  },
  suite: ({ name }) => name,
};

/** Names of the outermost element that are a runner's own. */
const ROOTS: Record<string, Producer> = {
  'pytest tests': pytest,
  'vitest tests': vitest,
  'jest tests': jest,
  'Mocha Tests': mocha,
  'nextest-run': nextest,
  AllTests: gtest,
};

const rootOf = (suite: Suite): Suite => (suite.parent === undefined ? suite : rootOf(suite.parent));
const GO_TEST = /^(?:(?:Test|Example|Fuzz|Benchmark)(?![a-z])|\[(?:build|setup) failed\]$)/;

/** The rules, most certain first. */
const RULES: [Producer, (suite: Suite, test: Case, root: Suite) => boolean][] = [
  [goTest, ({ marks }) => marks.has('go.version')],
  [pytest, ({ name, attributes }) => name === 'pytest' && 'tests' in attributes && 'errors' in attributes],
  [
    surefire,
    ({ attributes, marks }) =>
      /surefire/.test(attributes['xsi:noNamespaceSchemaLocation'] ?? '') ||
      marks.has('surefire.test.class.path') ||
      // Before 2.13 it had Maven's own properties.
      marks.has('maven.home'),
  ],
  [ant, ({ marks }) => marks.has('ant.version')],
  [mocha, ({ name }) => name === 'Mocha Tests'],
  [unittest, ({ name, attributes }) => /-\d{14}$/.test(name) && 'file' in attributes],
  [exunit, ({ name }) => name.startsWith('Elixir.')],
  [
    playwright,
    ({ attributes }, test, { attributes: all }) =>
      all.id === '' && all.name === '' && test.classname === attributes.name,
  ],
  [swift, ({ name }) => name === 'TestResults'],
  [
    ctest,
    ({ attributes }, { name, classname, attributes: { status } }) =>
      name === classname && status !== undefined && 'disabled' in attributes,
  ],
  [gtest, (_suite, { attributes }) => attributes.status !== undefined && attributes.result !== undefined],
  [
    goTest,
    ({ name, attributes }, test) =>
      GO_TEST.test(test.name) &&
      (test.classname === name || test.name.startsWith('[')) &&
      'id' in attributes &&
      !('package' in attributes),
  ],
  [
    gradle,
    ({ attributes, marks }, { classname }) =>
      marks.has('no properties') && 'timestamp' in attributes && 'hostname' in attributes && classname !== '',
  ],
  [
    nodeTest,
    ({ attributes }, _test, { attributes: all }) =>
      Object.keys(all).length === 0 && (attributes.disabled === '0' || Object.keys(attributes).length === 0),
  ],
];

/**
 * Asked when the first test of a suite is read.
 * @param before who wrote the suite before it
 */
export function producerOf(suite: Suite, test: Case, before?: Producer): Producer {
  const root = rootOf(suite);
  const named = root.parent === undefined && Object.hasOwn(ROOTS, root.name) ? ROOTS[root.name] : undefined;
  const found = named ?? RULES.find(([, tells]) => tells(suite, test, root))?.[0];
  // A package that could not be built looks like nothing.
  return found ?? (before === goTest ? goTest : unknown);
}
