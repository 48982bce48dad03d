/** What a suite says of itself, held against what was read of it. */
import type { Tally } from '../../format.js';
import type { Suite } from './case.js';
import { goTest } from './compiled.js';

type Numbers = Pick<Tally, 'passed' | 'failed' | 'skipped'>;

export const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** What the suite says of itself. */
function numbers({ attributes, said }: Suite): Numbers {
  if (said.size > 0) {
    const [pass = 0, fail = 0, cancelled = 0, skip = 0, todo = 0] = [
      'pass',
      'fail',
      'cancelled',
      'skipped',
      'todo',
    ].map(what => said.get(what));
    return { passed: pass, failed: fail + cancelled, skipped: skip + todo };
  }
  const [tests, failures, errors] = ['tests', 'failures', 'errors'].map(name => wholeNumber(attributes[name]));
  const skipped =
    wholeNumber(attributes.skipped) ?? wholeNumber(attributes.ignored) ?? wholeNumber(attributes.disabled);
  const failed = failures === undefined && errors === undefined ? undefined : (failures ?? 0) + (errors ?? 0);
  const passed = tests === undefined ? undefined : Math.max(0, tests - (failed ?? 0) - (skipped ?? 0));
  return { passed, failed, skipped };
}

/** What it says passed, failed and was skipped. gotestsum counts as errors at the outermost what else was printed. */
export function counted(suite: Suite, tool: string): Numbers {
  const all = numbers(suite);
  const failures = wholeNumber(suite.attributes.failures);
  if (tool !== goTest.tool || failures === undefined || isExplained(suite, all.failed) || !isExplained(suite, failures))
    return all;
  const { errors: _errors, ...attributes } = suite.attributes;
  return numbers({ ...suite, attributes });
}

/** Whether what the suite says failed is what was read: runners count tests, attempts, or failures; with or without what is inside. */
export function isExplained({ all, own, said }: Suite, failed: number | undefined): boolean {
  if (failed === undefined) return true;
  if (said.size > 0 && failed > all.red && failed <= all.red + all.groups) return true;
  return [all, own].some(({ tests, red, attempts, elements }) => [tests, red, attempts, elements].includes(failed));
}

/** What the suite says was skipped, which may be among its tests or not. */
export const skippedOf = ({ attributes, said }: Suite): number =>
  ['skipped', 'disabled', 'ignored', 'todo'].reduce(
    (sum, what) => sum + (said.get(what) ?? wholeNumber(attributes[what]) ?? 0),
    0,
  );

/** Whether fewer tests were read than the suite counts, be it tests or attempts, with what was skipped or without. */
export function listsFewer({ attributes, said, all }: Suite): boolean {
  const tests = said.get('tests') ?? wholeNumber(attributes.tests) ?? 0;
  // node:test writes a test with others inside as a suite.
  const read = all.cases + all.attempts - all.elements + (said.size > 0 ? all.suites : 0);
  return read < tests && read - all.skipped < tests - all.unlisted;
}
