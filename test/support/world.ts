/** Runs a tool in-process, in a world made of strings. */
import { EventEmitter } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { type Command, run } from '../../src/base/command.js';
import type { FlagTable } from '../../src/base/flags.js';
import type { SignalName, Signals, World } from '../../src/base/world.js';

export interface Answer {
  status: number;
  out: string;
  err: string;
}

export interface Given {
  /** Standard input: its chunks, or a stream. Default: empty. */
  input?: string | readonly (string | Buffer)[] | Readable;
  env?: Record<string, string>;
  cwd?: string;
  signals?: FakeSignals;
  stdout?: Writable;
}

/** Signals that a test sends with `emit`. */
export class FakeSignals extends EventEmitter implements Signals {
  raised: SignalName[] = [];

  raise(name: SignalName): void {
    this.raised.push(name);
  }
}

/** Gathers what is written; `fail` makes every write an error of that code. */
export class Sheet extends Writable {
  text = '';

  constructor(private readonly fail?: string) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const error = this.fail && Object.assign(new Error(`${this.fail}: no way, write`), { code: this.fail });
    if (!error) this.text += chunk;
    done(error || undefined);
  }
}

export async function call<T extends FlagTable>(
  command: Command<T>,
  argv: readonly string[],
  { input = [], env = {}, cwd = process.cwd(), signals = new FakeSignals(), stdout = new Sheet() }: Given = {},
): Promise<Answer> {
  const stderr = new Sheet();
  const stdin = input instanceof Readable ? input : source(typeof input === 'string' ? [input] : input);
  const world: World = { argv, stdin, stdout, stderr, env, cwd, signals };
  const status = await run(command, world);
  return { status, out: stdout instanceof Sheet ? stdout.text : '', err: stderr.text };
}

function source(chunks: readonly (string | Buffer)[]): Readable {
  const stream = new PassThrough();
  for (const chunk of chunks) if (chunk.length) stream.write(chunk);
  stream.end();
  return stream;
}
