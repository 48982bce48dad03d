import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'tap';
import { defineCommand } from '../../src/base/command.js';
import { AidoError } from '../../src/base/error.js';
import { openInputs } from '../../src/base/input.js';
import { Lines } from '../../src/base/lines.js';
import { temporary } from '../support/folder.js';
import { call, FakeSignals, Sheet } from '../support/world.js';

/** Numbers its input's lines, and fails when told to. */
const count = defineCommand({
  name: 'aido-count',
  about: 'Numbers lines.',
  usage: ['[flags] [FILE…]'],
  flags: {
    tee: { help: 'copy the input to standard error' },
    room: { arg: 'N', as: 'count', help: 'how much to read at once' },
    fail: { arg: 'HOW', help: 'fail after the first line' },
  },
  notes: ['exit status: 0'],
  async run({ flags, operands, world, out, interrupts }) {
    let no = 0;
    const lines = new Lines(text => {
      out.write(`${++no} ${text}\n`);
      if (flags.fail === 'known') throw new AidoError('BAD_INPUT', `line ${no} is\x1b[31m bad\nreally`);
      if (flags.fail === 'unknown') throw new TypeError('x is not a function');
    });
    const buffer = Buffer.alloc(flags.room ?? 65536);
    const sink = {
      room: () => buffer,
      filled: (n: number) => lines.write(buffer.subarray(0, n)),
      write: (chunk: Uint8Array) => lines.write(chunk),
    };
    for (const input of await openInputs(operands, world, interrupts, flags)) {
      await input.read(sink, () => out.flush());
    }
    lines.end();
    if (interrupts.signal) out.write(`interrupted: ${interrupts.signal}\n`);
    return 0;
  },
});

const folder = temporary();
writeFileSync(join(folder, 'abc'), 'a\nb\nc');

test('input: stdin, operands, tee', async t => {
  const cases: [argv: string[], input: string[], out: string, err?: string][] = [
    [[], ['x\ny\n'], '1 x\n2 y\n'],
    [['-'], ['x', 'y\n', 'z'], '1 xy\n2 z\n'],
    [[], [], ''],
    [['abc'], ['x'], '1 a\n2 b\n3 c\n'],
    [['--room', '1', 'abc'], ['x'], '1 a\n2 b\n3 c\n'],
    [['-', join(folder, 'abc')], ['x\n'], '1 x\n2 a\n3 b\n4 c\n'],
    [['--tee'], ['x\ny\n'], '1 x\n2 y\n', 'x\ny\n'],
    [['--tee', '--room=2', 'abc'], [], '1 a\n2 b\n3 c\n', 'a\nb\nc'],
    [['/dev/null'], ['x'], ''],
  ];
  for (const [argv, input, out, err = ''] of cases) {
    t.strictSame(await call(count, argv, { input, cwd: folder }), { status: 0, out, err }, argv.join(' '));
  }
});

test('help and version go to stdout, errors to stderr in one line', async t => {
  const help = await call(count, ['--help', 'x']);
  t.match(help.out, /^usage: aido-count \[flags\] \[FILE…\]\nNumbers lines\.\n\n {6}--tee {7}copy the input/);
  t.match(help.out, /\n {2}-h, --help {6}show this help\n {2}-V, --version {3}show the version\n\nexit status: 0\n$/);
  t.strictSame([help.status, help.err], [0, '']);
  t.equal((await call(count, ['-h'])).out, help.out);
  t.match(await call(count, ['-V']), { status: 0, out: /^aido-count \d+\.\d+\.\d+\n$/, err: '' });

  const errors: [argv: string[], out: string, err: string][] = [
    [['--te'], '', 'aido-count: BAD_INVOCATION: unknown flag --te; did you mean --tee?\n'],
    [['-', '-'], '', 'aido-count: BAD_INVOCATION: standard input (-) is named twice\n'],
    [['no\nne'], '', 'aido-count: BAD_INVOCATION: cannot read no\\u000ane: no such file or directory\n'],
    // Nothing is read when one of the files is missing.
    [['abc', 'none'], '', 'aido-count: BAD_INVOCATION: cannot read none: no such file or directory\n'],
    [['.'], '', 'aido-count: BAD_INVOCATION: cannot read .: it is a folder\n'],
    // What is complete is written before the error.
    [['--fail=known', 'abc'], '1 a\n', 'aido-count: BAD_INPUT: line 1 is\\u001b[31m bad\\u000areally\n'],
    [['--fail=unknown', 'abc'], '1 a\n', 'aido-count: internal error: x is not a function\n'],
  ];
  for (const [argv, out, err] of errors) {
    t.strictSame(await call(count, argv, { cwd: folder }), { status: 2, out, err }, argv.join(' '));
  }
  t.strictSame(readdirSync(folder), ['abc']);
});

test('output that cannot be written', async t => {
  const cases: [code: string, status: number, err: string][] = [
    ['EPIPE', 141, ''],
    ['ENOSPC', 2, 'aido-count: UNAVAILABLE: cannot write to standard output: no way\n'],
  ];
  for (const [code, status, err] of cases) {
    for (const argv of [['abc'], ['--help'], ['--fail=known', 'abc']]) {
      const answer = await call(count, argv, { cwd: folder, stdout: new Sheet(code) });
      t.strictSame(answer, { status, out: '', err }, `${code} ${argv}`);
    }
  }
});

test('signals', async t => {
  type Step = 'SIGINT' | 'SIGTERM' | 'end' | string;
  const cases: [steps: Step[], status: number, out: string, raised: string[]][] = [
    // The first Ctrl-C is the producer's: we read what it still says.
    [['a\n', 'SIGINT', 'b\n', 'end'], 130, '1 a\n2 b\ninterrupted: SIGINT\n', []],
    [['a\n', 'SIGINT', 'b\n', 'SIGINT', 'end'], 130, '1 a\n2 b\ninterrupted: SIGINT\n', ['SIGINT']],
    [['a\n', 'SIGTERM'], 143, '1 a\ninterrupted: SIGTERM\n', []],
    [['a\n', 'SIGINT', 'SIGTERM'], 143, '1 a\ninterrupted: SIGTERM\n', []],
  ];
  for (const [steps, status, out, raised] of cases) {
    const input = new PassThrough();
    const signals = new FakeSignals();
    const answer = call(count, [], { input, signals });
    for (const step of steps) {
      if (step === 'end') input.end();
      else if (step.startsWith('SIG')) signals.emit(step, step);
      else input.write(step);
      await new Promise(done => setTimeout(done, 10));
    }
    t.strictSame(await answer, { status, out, err: '' }, steps.join(' '));
    t.strictSame(signals.raised, raised);
    t.equal(signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM'), 0, 'nobody listens any more');
  }
});
