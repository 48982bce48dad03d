/**
 * npm, yarn, pnpm and lerna on a script that failed: consequences of what the script printed. A script that is
 * missing or a package that cannot be had is a cause.
 */
import type { Block, Format, Line, Out } from '../format.js';

const NPM = /^npm (?:ERR!|error)(?: (.*))?$/;
const NPM_KEY = /^(code|command|workspace) ((?!failed$)\S.*)$/;
/** Before the message stands the code again: `enoent Could not`, `404 Not Found`. */
const NPM_TAG = /^(?:\d{3}|E[A-Z]+|enoent|enotfound|network|notsup|notarget|peer) (?=\S)/;
const NPM_NO_MESSAGE =
  /^(?:code|errno|path|syscall|file|dest|spawn|signal|cwd|argv|node|npm|workspace|location|command (?!failed)|Exit status|To see a list|Did you mean|A complete log|This is |Failed at |Error: command failed)|^\s*$|^ {2}/;
const NPM_SCRIPT = /^(?:\S+@\S+ \S+: `.*`|Lifecycle script `.*` failed|command failed$|Test failed\. )/;
/** With what an error of npm begins. */
const NPM_BEGIN =
  /^npm (?:ERR!|error) (?:code \S|[Mm]issing script: |Lifecycle script |Test failed\. |command failed$)/;
const NPM_MISSING = /^[Mm]issing script: /;
const PNPM = /^[\s\u2009]*(ERR_PNPM_[A-Z_]+|ELIFECYCLE)[\s\u2009]+(\S.*)$/;
const PNPM_SCRIPT = /^(?:ELIFECYCLE|ERR_PNPM_RECURSIVE_\w+)$/;
const YARN =
  /^(?:error|Usage Error:|Internal Error:) (Command failed with (?:exit code|signal) .*|Command ".*" not found\.|Couldn't find a script named .*|An unexpected error occurred: .*|Couldn't find package .*|Your lockfile needs .*)$/;
const YARN_SCRIPT = /^Command failed/;
const OTHERS: [RegExp, string][] = [
  [/^lerna ERR! (\S.*exited \S+ in .*)$/, 'lerna'],
  [/^➤ YN0000: .*(Failed with errors) in .*$/, 'yarn'],
];
/** Headings and lists that follow. */
const REMARK =
  /^(?:(?:\S+ [\w:-]+: )?Failed$| Failed: +\S+#| Tasks: +\d+ successful|lerna ERR! |info Visit https:\/\/yarnpkg)/;

/** One error of npm: all lines that bear its mark. */
function npmError(out: Out, first: Line): Block {
  const said: Record<string, string> = {};
  let message: string | undefined;
  let script = false;
  let last = first;
  const read = (line: Line): boolean => {
    const found = NPM.exec(line.text);
    if (found === null) return line.text === '' || /^npm (?:WARN|warn)\b/.test(line.text);
    const text = found[1] ?? '';
    last = line;
    const [, key, value] = NPM_KEY.exec(text) ?? [];
    if (key !== undefined && value !== undefined) said[key] ??= value;
    script ||= NPM_SCRIPT.test(text);
    if (message === undefined && !NPM_NO_MESSAGE.test(text))
      message = text.replace(NPM_TAG, '').replace(/ with error:$/, '');
    return true;
  };
  read(first);
  return {
    line: line => (read(line) ? 'more' : undefined),
    end() {
      const { code, command, workspace } = said;
      const where = workspace === undefined ? '' : `${workspace}: `;
      const what = message === 'command failed' && command !== undefined ? `command failed: ${command}` : message;
      const fields = { kind: 'build' as const, severity: 'error', ...(what && { message: where + what }) };
      if (script) out.consequence(fields, first);
      else if (code !== undefined) out.failure({ ...fields, code }, first, last);
      else if (NPM_MISSING.test(message ?? '')) out.failure(fields, first, last);
    },
  };
}

export const npm: Format = {
  name: 'npm',
  url: 'https://docs.npmjs.com/common-errors',
  hints: [
    'npm error',
    'npm \x1b',
    'Command failed with',
    'Command "',
    "Couldn't find",
    'unexpected error occurred',
    'Your lockfile needs',
    'failed',
    'exit code',
    'ERR! ',
    'missing',
    'lifecycle',
    'ERR_PNPM_',
    'lerna ERR',
  ],
  reader: out => ({
    line(line) {
      const { text } = line;
      if (NPM_BEGIN.test(text)) return npmError(out, line);
      const [, code, said = ''] = PNPM.exec(text) ?? [];
      const yarn = YARN.exec(text)?.[1];
      const other = OTHERS.find(([pattern]) => pattern.test(text));
      if (code !== undefined) {
        if (PNPM_SCRIPT.test(code))
          out.consequence({ kind: 'build', tool: 'pnpm', severity: 'error', message: said }, line);
        else out.failure({ kind: 'build', tool: 'pnpm', severity: 'error', code, message: said }, line);
      } else if (yarn !== undefined) {
        if (YARN_SCRIPT.test(yarn))
          out.consequence({ kind: 'build', tool: 'yarn', severity: 'error', message: yarn }, line);
        else out.failure({ kind: 'build', tool: 'yarn', severity: 'error', message: yarn }, line);
      } else if (other !== undefined) {
        const message = other[0].exec(text)?.[1] ?? text;
        out.consequence({ kind: 'build', tool: other[1], severity: 'error', message }, line);
      } else return undefined;
      return 'mine';
    },
    excuse: ({ text }) => REMARK.test(text),
  }),
};
