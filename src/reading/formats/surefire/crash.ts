/** Surefire when the virtual machine that ran the tests ended by itself, or took too long. */
import type { Block, Line, Out } from '../../format.js';

const DIED = /^(?:\[ERROR\] )?(?:.*: )?(The forked VM terminated without .*?)(?: ->.*)?$/;
const TIMEOUT = /^(?:\[ERROR\] )?Failed to execute goal .*: (There was a timeout (?:or other error )?in the fork)/;
const ERROR = /^\[ERROR\] ?(.*)$/;
const CRASHED = /^([\w$]+(?:\.[\w$]+)+)$/;

export function crash(out: Out, line: Line): undefined | Block {
  const [message] = [DIED.exec(line.text)?.[1] ?? TIMEOUT.exec(line.text)?.[1]];
  if (message === undefined) return undefined;
  out.early('crash');
  const draft = out.failure({ kind: 'crash', severity: 'error', message }, line);
  draft.add(line);
  let listed = false;
  let done = line.text.includes('-> [Help');
  return {
    line(next) {
      const text = ERROR.exec(next.text)?.[1];
      if (
        done ||
        (text === undefined &&
          !/^\S*Exception: |^(?:Command was|Error occurred|Process Exit|Crashed tests)/.test(next.text))
      )
        return undefined;
      done = text?.startsWith('-> [Help') ?? false;
      if (text === 'Crashed tests:') listed = true;
      const suite = listed ? CRASHED.exec(text ?? '')?.[1] : undefined;
      if (suite !== undefined && draft.fields.suite === undefined)
        Object.assign(draft.fields, { suite, id: `${suite}: ${message}` });
      const code = /^Process Exit Code: (\d+)/.exec(text ?? '')?.[1];
      if (code !== undefined && draft.fields.code === undefined) draft.fields.code = code;
      draft.add(next);
      return 'more';
    },
  };
}
