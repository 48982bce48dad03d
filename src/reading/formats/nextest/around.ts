/** What makes a run red and is no test's: setup scripts, a binary that cannot list its tests, settings, a build. */
import type { Block, Line, Out } from '../../format.js';
import { Output, outputBlock } from './output.js';

/** `SETUP [ 1/1] id: command`, what it prints, `SETUP FAIL [ 0.1s] id: command`. */
const SETUP = /^ {7}SETUP \[ *\d+\/\d+\] /;
const SETUP_ENDED = /^ {0,3}SETUP ([A-Z][\w+ ]*) \[ *[\d.]+s\] (?:\[[\d/]+\] )?(\S+): /;
const SETUP_PASSED = /^(?:PASS|LEAK)$/;
const UNLISTED = /^error: (creating test list failed)$/;
const LISTING = /^ {2}for `(\S+)`, command `.*` ((?:exited|aborted) with .*)$/;
const FATAL = /^error: (no tests to run|failed to parse nextest config at .*)$/;
/** The binaries were not built, and rustc has said why. */
const UNBUILT = /^error: command `.*` (exited with code \d+)$/;

type Own = (text: string) => boolean;

/** @param own whether nextest speaks again */
export function around(line: Line, out: Out, own: Own): undefined | 'mine' | Block {
  const { text } = line;
  const ended = SETUP_ENDED.exec(text);
  if (ended !== null) return setupEnded(ended, line, { out, own, output: new Output() });
  if (SETUP.test(text)) return setup(out, own);
  const unlisted = UNLISTED.exec(text)?.[1];
  if (unlisted !== undefined) return listing(unlisted, line, out);
  const unbuilt = UNBUILT.exec(text)?.[1];
  if (unbuilt !== undefined) {
    out.consequence({ kind: 'build', message: `cargo test --no-run ${unbuilt}` }, line);
    return 'mine';
  }
  const message = FATAL.exec(text)?.[1];
  if (message === undefined) return undefined;
  const draft = out.failure({ kind: 'build', message }, line);
  return indented(next => draft.add(next));
}

/** A script that runs, up to the line that says how it ended and what stands below that. */
function setup(out: Out, own: Own): Block {
  const output = new Output();
  let ended: Block | 'mine' | undefined;
  return {
    line: line => {
      if (ended !== undefined) return ended === 'mine' ? undefined : ended.line(line);
      const end = SETUP_ENDED.exec(line.text);
      if (end !== null) ended = setupEnded(end, line, { out, own, output });
      else if (own(line.text)) return undefined;
      else output.add(line);
      return 'more';
    },
    end: () => {
      if (ended !== 'mine') ended?.end?.();
    },
  };
}

interface Script {
  out: Out;
  own: Own;
  output: Output;
}

function setupEnded([, word = '', name = '']: RegExpExecArray, line: Line, script: Script): 'mine' | Block {
  if (SETUP_PASSED.test(word)) return 'mine';
  const { out, own, output } = script;
  const draft = out.failure({ kind: 'build' }, line);
  return outputBlock(output, own, () => {
    output.tell(draft, '', word);
    const how = draft.fields.message?.split('\n').at(-1);
    draft.fields.message = `setup script ${name} ${how}`;
  });
}

/** `Caused by:`, and what the binary said. */
function listing(message: string, line: Line, out: Out): Block {
  const draft = out.failure({ kind: 'crash', message }, line);
  const output = new Output();
  const add = (next: Line): void => {
    const [, suite, how = ''] = LISTING.exec(next.text) ?? [];
    if (suite !== undefined) Object.assign(draft.fields, { id: `${suite}: ${how}`, suite, message: how });
    output.add({ ...next, text: next.text.slice(2) });
  };
  return { ...indented(add), end: () => output.tell(draft, 'main', draft.fields.message ?? message) };
}

/** `Caused by:` and what stands below it. */
const indented = (add: (line: Line) => void): Block => ({
  line: line => {
    if (!/^(?:$| {2}|Caused by:$|\(hint: )/.test(line.text)) return undefined;
    if (line.text !== '') add(line);
    return 'more';
  },
});
