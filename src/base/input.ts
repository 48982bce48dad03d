/** The input: FILE operands and standard input, read piece by piece. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AidoError, systemReason } from './error.js';
import { send } from './output.js';
import type { Interrupts } from './signals.js';
import type { World } from './world.js';

const fstat = promisify(fs.fstat);
const stat = promisify(fs.stat);
const open = promisify(fs.open);
const close = promisify(fs.close);
/** So many pieces of a file, of up to a mebibyte, are read before signals are looked for. */
const TURN = 8;

/** Where the bytes go. A regular file is read straight into `room()`; what comes through a pipe is handed to `write`. */
export interface Sink {
  /** Free space to read into. */
  room(): Uint8Array;
  /** So many bytes were put there. */
  filled(bytes: number): void;
  /** The chunk is the sink's to keep. */
  write(chunk: Uint8Array): void;
}

export interface InputOptions {
  /** Copy the raw input to standard error. */
  tee?: boolean | undefined;
}

/**
 * The inputs that the operands name; none is standard input, and so is `-`.
 * @throws AidoError BAD_INVOCATION: a file that is missing or a folder; standard input named twice
 */
export async function openInputs(
  operands: readonly string[],
  world: World,
  interrupts: Interrupts,
  options: InputOptions = {},
): Promise<Input[]> {
  const names = operands.length ? operands : ['-'];
  if (names.filter(name => name === '-').length > 1)
    throw new AidoError('BAD_INVOCATION', 'standard input (-) is named twice');
  const inputs = names.map(name => new Input(name, world, interrupts, options));
  // All are looked at before the first is read: half an answer and then an error helps nobody.
  for (const input of inputs) await input.check();
  return inputs;
}

/** An input's name, for people. */
export const shownName = (name: string): string => (name === '-' ? 'standard input' : name);

export class Input {
  private readonly path: string;

  constructor(
    /** As the user gave it; `-` is standard input. */
    readonly name: string,
    private readonly world: World,
    private readonly interrupts: Interrupts,
    private readonly options: InputOptions,
  ) {
    this.path = resolve(world.cwd, name);
  }

  /** Refuses what cannot be read, and finds out whether a program writes it. */
  async check(): Promise<void> {
    const { name, world, path } = this;
    if (name === '-' && world.stdin !== 0) {
      this.interrupts.producer = true;
      return;
    }
    const stats = await this.try(() => (name === '-' ? fstat(0) : stat(path)));
    if (stats.isDirectory()) throw new AidoError('BAD_INVOCATION', `cannot read ${this.shown}: it is a folder`);
    if (isPipe(stats)) this.interrupts.producer = true;
  }

  private get shown(): string {
    return shownName(this.name);
  }

  /**
   * Reads all of it into a sink. `between` is called after every piece, and what it returns is awaited: the place to
   * write what that piece gave.
   * @throws AidoError BAD_INVOCATION when it cannot be opened or read
   */
  async read(sink: Sink, between: () => Promise<void> | undefined): Promise<void> {
    const source = await this.open();
    try {
      if (typeof source === 'number') await this.readFile(source, sink, between);
      else await this.readStream(source, sink, between);
    } finally {
      if (typeof source !== 'number') this.interrupts.producer = false;
      else if (source !== 0) await close(source);
    }
  }

  private async readFile(fd: number, sink: Sink, between: () => Promise<void> | undefined): Promise<void> {
    // What lies on a disk is there: to wait for it costs more than to read it. Now and then signals get their turn.
    const there = (await fstat(fd)).isFile();
    for (let piece = 1; !this.interrupts.stopped; piece++) {
      const room = sink.room();
      const bytes = await this.try(async () => (there ? fs.readSync(fd, room) : await readInto(fd, room)));
      if (bytes === 0) return;
      if (there && piece % TURN === 0) await new Promise(resolve => setImmediate(resolve));
      if (this.options.tee) await this.tee(room.subarray(0, bytes));
      sink.filled(bytes);
      await between();
    }
  }

  private async readStream(stream: Readable, sink: Sink, between: () => Promise<void> | undefined): Promise<void> {
    this.interrupts.onStop = () => stream.destroy();
    if (this.interrupts.stopped) stream.destroy();
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const chunk = await this.next(chunks);
        if (!chunk) break;
        if (this.options.tee) await this.tee(chunk);
        sink.write(chunk);
        await between();
      }
      // A Ctrl-C that ended the producer has reached us as well, but its turn may come after that of the closed pipe.
      for (let turn = 0; turn < 2; turn++) await new Promise(done => setImmediate(done));
    } finally {
      stream.destroy();
    }
  }

  /** undefined: there is no more. */
  private async next(chunks: AsyncIterator<Uint8Array | string>): Promise<Uint8Array | undefined> {
    const { value } = await this.try(() => chunks.next()).catch(error => {
      // Being stopped looks like a stream that broke off.
      if (this.interrupts.stopped) return { value: undefined };
      throw error;
    });
    return typeof value === 'string' ? Buffer.from(value) : value;
  }

  /** A descriptor of a regular file (or of a device), or a stream where reading can take as long as it likes. */
  private async open(): Promise<number | Readable> {
    if (this.name === '-') {
      if (this.world.stdin !== 0) return this.world.stdin;
      return (await fstat(0)).isFile() ? 0 : process.stdin;
    }
    const fd = await this.try(() => open(this.path, 'r'));
    const stats = await fstat(fd);
    if (!isPipe(stats)) return fd;
    // Loaded when it is needed: it costs start-up time.
    const { Socket } = await import('node:net');
    return new Socket({ fd, readable: true, writable: false });
  }

  /** A reader of standard error that has gone does not stop the tool. */
  private async tee(chunk: Uint8Array): Promise<void> {
    await send(this.world.stderr, chunk).catch(() => {
      this.options.tee = false;
    });
  }

  private async try<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw new AidoError('BAD_INVOCATION', `cannot read ${this.shown}: ${systemReason(error)}`);
    }
  }
}

function isPipe(stats: fs.Stats): boolean {
  return stats.isFIFO() || stats.isSocket();
}

/** Reads from where the descriptor stands. */
function readInto(fd: number, room: Uint8Array): Promise<number> {
  return new Promise((done, failed) => {
    fs.read(fd, room, 0, room.length, null, (error, bytes) => (error ? failed(error) : done(bytes)));
  });
}
