/** What makes a jest run red and is no test's: thresholds, settings, set-up, a test that ends the process. */
import type { Block, Line, Out } from '../../format.js';
import { placeOf } from '../shared/js-stack.js';

const THRESHOLD =
  /^Jest: (?:Coverage for (\w+) \(.*\) does not meet (?:"(.+)" )?threshold|"(.+)" coverage threshold for (\w+) )/;
/** The run ended before it began, or in the middle of it. */
const FATAL: RegExp[] = [
  /^No tests found, exiting with code 1/,
  /^(?:Error: )?Jest: Got error running global(?:Setup|Teardown)/,
];
const VALIDATION = /^● Validation Error/;

export function outside(line: Line, out: Out): 'mine' | Block | undefined {
  const { text } = line;
  const threshold = THRESHOLD.exec(text);
  if (threshold !== null) {
    const [, metric = threshold[4], scope = threshold[3] ?? 'global'] = threshold;
    const id = `jest: coverage of ${metric} is below the ${scope} threshold`;
    out.failure({ kind: 'build', id, code: 'coverageThreshold', message: text }, line);
    return 'mine';
  }
  const validation = VALIDATION.exec(text);
  if (validation === null && !FATAL.some(pattern => pattern.test(text))) return undefined;
  const draft = out.failure({ kind: 'build', message: text }, line);
  let told = validation === null;
  return {
    line: below => {
      if (below.text !== '' && !/^ {2}|^\t/.test(below.text)) return undefined;
      if (!told && below.text.trim() !== '') {
        told = true;
        draft.fields.message = below.text.trim();
      }
      draft.add(below);
      return 'more';
    },
  };
}

/** `●  process.exit called with "3"` and where. */
export function died(message: string, line: Line, out: Out): Block {
  const draft = out.failure({ kind: 'crash', message }, line);
  const lines: Line[] = [];
  return {
    line: below => {
      if (below.text !== '' && !/^ {4}/.test(below.text)) return undefined;
      lines.push(below);
      draft.add(below);
      return 'more';
    },
    end: () => void Object.assign(draft.fields, placeOf(lines)),
  };
}
