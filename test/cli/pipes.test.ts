/** Exit status and errors as a shell sees them: real processes, real pipes. */
import { test } from 'tap';
import { bash, end } from '../support/shell.js';

test('exit status through pipes', async t => {
  const cases: [script: string, code: number, out?: RegExp, err?: RegExp][] = [
    ['aido-baseline diff --plain <green', 0],
    ['aido-baseline diff --plain red', 1, /"id":"new".*"baseline":"new"/],
    ['aido-fail red | aido-baseline diff --dir state', 1, /"baseline":"new"/],
    ['cat red | aido-fail | cat | aido-fail', 0, /"id":"new"/],
    // A folder, nothing, and a producer that could not start are no green run.
    ['aido-fail <.', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read standard input: it is a folder\n$/],
    ['aido-fail .', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read \.: it is a folder\n$/],
    ['aido-fail none', 2, /^$/, /^aido-fail: BAD_INVOCATION: cannot read none: no such file or directory\n$/],
    ['aido-fail </dev/null', 0, /"complete":false,"reason":"noRun"/],
    ['aido-fail -e </dev/null', 2, /"noRun"/, /^aido-fail: BAD_INPUT: no test run in the input/],
    ['aido-fail <&-', 0, /"noRun"/],
    ['aido-baseline diff </dev/null', 2, /"noRun"/, /^aido-baseline: BAD_INPUT: no test run in the input/],
    ['no-such-tool 2>/dev/null | aido-baseline diff', 2, /"noRun"/, /^aido-baseline: BAD_INPUT: no test run/],
    ['no-such-tool 2>&1 | aido-baseline diff', 1, /no-such-tool.*"baseline":"new"/],
    [
      'no-such-tool >out 2>/dev/null; aido-baseline diff --status $? out',
      2,
      /./,
      /BAD_INPUT: the producer exited with 127/,
    ],
    // pipefail sees the producer before the diff; the form for scripts does not.
    ['set -o pipefail; (cat green; exit 1) | aido-baseline diff --plain', 1, /"new":0/],
    ['(cat red; exit 1) >out; aido-baseline diff --plain --status $? out', 1, /"new":1/],
    ['(cat green; exit 1) >out; aido-baseline diff --plain --status $? out', 2, /"new":0/, /exited with 1 and nothing/],
    ['(cat green; exit 0) >out; aido-baseline diff --plain --status $? out', 0, /"new":0/],
    // Records are ours only if the first line is.
    ['aido-baseline diff records', 1, /"id":"x".*"baseline":"new"/],
    ['aido-baseline diff log', 2, /^(?!.*"id":"x")/s, /BAD_INPUT: no test run/],
    ['aido-fail log', 0, /^(?!.*"id":"x")/s],
    // Not only files and pipes.
    ['aido-baseline diff --plain <(cat red)', 1, /"new":1/],
    ['aido-baseline diff --plain /dev/stdin <red', 1, /"new":1/],
    ['(read -r first; aido-baseline diff --plain) <red', 0, /"new":0/],
    ['aido-baseline diff --plain --tee red 2>&1 >/dev/null', 1, /^not ok 1 - new\nok 2 - fine\n$/],
    ['aido-baseline diff --plain --tee <red 2>&1 >/dev/null', 1, /^not ok 1 - new\nok 2 - fine\n$/],
    // What cannot be written.
    [
      'aido-baseline diff --plain red >/dev/full',
      2,
      /^$/,
      /^aido-baseline: UNAVAILABLE: cannot write to standard output: no space left on device\n$/,
    ],
    ['aido-baseline capture --plain --dir fresh red >/dev/full', 2, /^$/, /UNAVAILABLE: cannot write/],
    ['test -e fresh; echo $?', 0, /^1\n/],
    ['aido-fail --help >/dev/full', 2, /^$/, /UNAVAILABLE: cannot write to standard output/],
    [
      'AIDO_DIR=/dev/null/x aido-baseline capture --plain red',
      2,
      /^$/,
      /^aido-baseline: (BAD_STATE|UNAVAILABLE): cannot \w+ \/dev\/null\/x/,
    ],
  ];
  for (const [script, code, out = /./, err = /^$/] of cases) {
    const ended = await end(bash(script));
    t.match(ended, { code, out, err }, script);
    if (ended.err) t.match(ended.err, /^aido-[a-z]+: [A-Z_]+: [^\n]+\n$/, 'one line');
  }
});
