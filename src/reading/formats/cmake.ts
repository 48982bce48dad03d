/** CMake: `CMake Error at f:L (command):`, the message indented under it, and the call stack. */
import type { Block, Draft, Format } from '../format.js';

const HEADING =
  /^CMake (?:(?:Deprecation|Internal) )?(Error|Warning)(?: \([\w ]+\))?(?: (?:at|in) (\S.*?)(?::(\d+))?(?: \((\S+)\))?)?:(?: (\S.*))?$/;
const STACK = /^Call Stack \(most recent call first\):$/;
const CONSEQUENCE = /^(?:-- Configuring incomplete, errors occurred!|CMake (?:Generate|Configure) step failed\.)/;
/** Progress: what is looked for and built may be called error. */
const STEP =
  /^-- |^\[ *\d+%\] (?:Building|Linking|Built|Generating|Automatic|Running|Creating|Completed|Performing)|^See also ".*"\.$|^This warning is for project developers/;

function block(draft: Draft): Block {
  const message: string[] = draft.fields.message === undefined ? [] : [draft.fields.message];
  const inline = message.length > 0;
  let stack = false;
  let blanks = 0;
  return {
    line(next) {
      const { text } = next;
      // Between paragraphs there may be several blank lines.
      if (text === '' && (blanks === 3 || stack)) return 'last';
      stack ||= STACK.test(text);
      if (text !== '' && !text.startsWith('  ') && !STACK.test(text)) return undefined;
      if (inline && text === '') return undefined;
      blanks = text === '' ? blanks + 1 : 0;
      draft.add(next);
      if (!stack) {
        message.push(text.replace(/^ {2}/, ''));
        draft.fields.message = message.join('\n').trim();
      }
      return 'more';
    },
  };
}

export const cmake: Format = {
  name: 'cmake',
  url: 'https://cmake.org/cmake/help/latest/command/message.html',
  hints: [
    'CMake Error',
    'CMake Warning',
    'CMake Deprecation',
    'CMake Internal',
    'CMake Generate',
    'Configuring incomplete',
  ],
  reader: out => ({
    line(line) {
      const { text } = line;
      if (CONSEQUENCE.test(text)) {
        out.consequence({ kind: 'build', severity: 'error', message: text.replace(/^-- /, '') }, line);
        return 'mine';
      }
      const [, level, file, no, command, said] = HEADING.exec(text) ?? [];
      if (level === undefined) return undefined;
      const fields = {
        ...(file && { file }),
        ...(no && { line: Number(no) }),
        ...(command && command !== 'message' && { code: command }),
        ...(said && { message: said }),
      };
      const draft =
        level === 'Error'
          ? out.failure({ kind: 'build', severity: 'error', ...fields }, line)
          : out.warning(fields, line);
      return block(draft);
    },
    excuse: ({ text }) => STEP.test(text),
  }),
};
