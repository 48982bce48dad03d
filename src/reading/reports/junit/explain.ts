/** Where and why a test failed, by what the report quotes: read with the same eyes as the runner's own log. */
import type { Draft } from '../../format.js';
import { reason } from '../../formats/go-test/output.js';
import { DEATH, place } from '../../formats/go-test/stack.js';
import { Report } from '../../formats/pytest/report.js';
import { Trace as JavaTrace, methodOf } from '../../formats/shared/java-stack.js';
import { messageOf, placeOf } from '../../formats/shared/js-stack.js';
import { Trace as PythonTrace } from '../../formats/shared/python-trace.js';
import { addToPanic, panicFields, panicOf } from '../../formats/shared/rust-panic.js';
import { addText, at } from '../../report.js';
import type { Case, Identity, Problem } from './case.js';

/** Says message and place, and puts the text into `detail`. */
export type Explain = (draft: Draft, problem: Problem, identity: Identity, test: Case) => void;

const linesOf = (text: string): string[] => text.split('\n').map(line => line.replace(/\r$/, ''));

const set = (draft: Draft, message: string | undefined): void => {
  const said = message?.trim();
  if (said) draft.fields.message = said;
};

const quote = (draft: Draft, { text, message, no }: Problem): void =>
  addText(draft, text.trim() === '' ? message : text, no);

export const plainly: Explain = (draft, problem, _identity, { attributes }) => {
  set(draft, problem.message || problem.text.trim() || problem.type);
  if (attributes.file) draft.fields.file = attributes.file;
  const line = Number(attributes.line);
  if (line > 0) draft.fields.line = line;
  quote(draft, problem);
};

export const pytest: Explain = (draft, problem, { suite }) => {
  const report = new Report();
  for (const text of linesOf(problem.text)) report.add({ text, no: problem.no, off: 0 });
  const { exact, text } = report.message;
  set(draft, exact ?? text ?? problem.message);
  Object.assign(draft.fields, report.place(suite));
  quote(draft, problem);
};

export const python: Explain = (draft, problem, { name }, { attributes }) => {
  const trace = new PythonTrace();
  for (const line of linesOf(problem.text)) trace.add(line);
  set(draft, trace.message ?? problem.message);
  Object.assign(draft.fields, attributes.file ? { file: attributes.file } : {}, trace.place(name.split(' ', 1)[0]));
  quote(draft, problem);
};

export const java: Explain = (draft, problem, { suite = '', name }) => {
  const lines = linesOf(problem.text.trim() === '' ? problem.message : problem.text);
  const trace = new JavaTrace(draft, suite, methodOf(name));
  for (const line of lines) if (!trace.add(at(problem.no, line))) break;
};

export const go: Explain = (draft, problem, { kind }) => {
  const text = problem.text.replace(/^=== RUN .*\n/, '');
  const lines = linesOf(text);
  const died = lines.findIndex(line => DEATH.test(line));
  if (kind === 'build') set(draft, lines[0] || problem.message);
  else if (died < 0) Object.assign(draft.fields, reason(lines));
  else {
    Object.assign(draft.fields, place(lines.slice(died)));
    set(draft, lines[died]?.replace(/ \[recovered.*$/, ''));
  }
  addText(draft, text, problem.no);
};

export const javascript: Explain = (draft, problem, { suite }) => {
  const lines = linesOf(problem.text).map(line => at(problem.no, line));
  set(draft, messageOf(lines, 0) || problem.message);
  Object.assign(draft.fields, placeOf(lines, suite) ?? (suite === undefined ? {} : { file: suite }));
  quote(draft, problem);
};

const UNLOADED = /^\s*● Test suite failed to run\s*\n/;

/** jest-junit: an error of the runner's own class is shown without it. */
export const jest: Explain = (draft, problem, { suite }) => {
  const text = problem.text.replace(UNLOADED, '');
  const margin = text === problem.text ? 0 : 4;
  const lines = linesOf(text.replace(/^\s*\n/, '')).map(line => at(problem.no, line));
  set(draft, (messageOf(lines, margin) || problem.message).replace(/^Error: /, ''));
  Object.assign(draft.fields, placeOf(lines, suite) ?? (suite === undefined ? {} : { file: suite }));
  quote(draft, problem);
};

/** Its own xunit reporter writes the message, a diff, and the message again with its class, above the stack. */
export const mocha: Explain = (draft, problem, identity, test) => {
  const lines = linesOf(problem.text);
  const first = lines[0] ?? '';
  const again = lines.findIndex((line, i) => i > 0 && first !== '' && line.endsWith(`: ${first}`));
  const text = again < 0 ? problem.text : lines.slice(again).join('\n');
  javascript(draft, { ...problem, text }, { ...identity, suite: undefined }, test);
  if (test.attributes.file) draft.fields.file ??= test.attributes.file;
};

export const rust: Explain = (draft, problem) => {
  set(draft, problem.message || problem.text.trim() || problem.type);
  const lines = linesOf(problem.text);
  const from = lines.findIndex(line => panicOf(line) !== undefined);
  const panic = panicOf(lines[from] ?? '');
  if (panic !== undefined) {
    for (const line of lines.slice(from + 1)) if (!addToPanic(panic, line)) break;
    Object.assign(draft.fields, panicFields(panic));
  }
  quote(draft, problem);
};

/** googletest: `till_test.cc:13`, then what was expected. */
export const gtest: Explain = (draft, problem, _identity, test) => {
  plainly(draft, problem, _identity, test);
  const [, file, line, said = ''] =
    /^(?:(\S.*):(\d+)|unknown file)\n([\s\S]*)$/.exec(problem.message || problem.text) ?? [];
  if (said !== '') set(draft, said);
  if (file !== undefined) Object.assign(draft.fields, { file, line: Number(line) });
  else if (said !== '') {
    draft.fields.file = undefined;
    draft.fields.line = undefined;
  }
};
