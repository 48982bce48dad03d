/** What a Python traceback says, line by line: its frames, and the last exception of the chain. */
export interface Frame {
  file: string;
  line: number;
  /** Absent for a syntax error's place. */
  within?: string;
}

/** Also glued to what was printed before it. */
export const TRACEBACK = /Traceback \(most recent call last\):$/;
const HEAD = /^(?: {2}\+ Exception Group )?Traceback \(most recent call last\):$/;
export const CHAIN =
  /^(?:The above exception was the direct cause of the following exception:|During handling of the above exception, another exception occurred:)$/;
const FRAME = /^[ |]*File "([^"]{1,1000})", line (\d+)(?:, in (.*))?$/;
const GROUP_LINE = /^ +[|+]/;
const GROUP_MESSAGE = /^ +\| ([A-Za-z_][\w.<>]*(?:: .*)?)$/;
/** An exception as the interpreter prints it: its class, and perhaps a message. */
const EXCEPTION = /^([A-Za-z_][\w.<>]*)(?:: .*)?$/;
const MESSAGE_LINES = 30;
const FRAMES = 60;

export class Trace {
  frames: Frame[] = [];
  #message: string[] = [];
  /** The next line may be the exception. */
  #inFrames = false;
  /** Another traceback of the same chain may follow. */
  #chained = true;
  #grouped = false;

  get message(): string | undefined {
    return this.#message.join('\n').trimEnd() || undefined;
  }

  /** Without stopping at an odd line: for a report whose end is known otherwise. */
  add(text: string): void {
    if (HEAD.test(text)) this.#chained = true;
    const begun = this.#message.length > 0 && !this.#inFrames && !this.#grouped;
    if ((!begun || this.#chained || CHAIN.test(text)) && this.take(text)) return;
    if (this.#inFrames && this.frames.length > 0) return;
    if (this.#message.length < MESSAGE_LINES && (text !== '' || begun)) this.#message.push(text);
  }

  /** @returns whether the line can belong to a traceback; what follows an exception cannot, unless a chain goes on */
  take(text: string): boolean {
    if (HEAD.test(text)) {
      if (!this.#chained) return false;
      this.#chained = false;
      this.#inFrames = true;
      this.#grouped = text.includes('+ Exception Group ');
      this.#message = [];
      this.frames = [];
      return true;
    }
    const [, file, line, within] = FRAME.exec(text) ?? [];
    if (file !== undefined) {
      if (!this.#inFrames && this.#message.length > 0) return false;
      this.#inFrames = true;
      if (this.frames.length >= FRAMES) this.frames.splice(FRAMES / 2, 1);
      this.frames.push({ file, line: Number(line), ...(within !== undefined && { within }) });
      return true;
    }
    if (this.#grouped && GROUP_LINE.test(text)) return this.#group(text);
    if (CHAIN.test(text)) this.#chained = true;
    if (!this.#inFrames) return text === '' || text === '"""' || CHAIN.test(text);
    if (/^ {2}/.test(text)) return true;
    if (!EXCEPTION.test(text)) return false;
    this.#message = [text];
    this.#inFrames = false;
    return true;
  }

  #group(text: string): true {
    const message = GROUP_MESSAGE.exec(text)?.[1];
    if (message !== undefined && this.#message.length === 0) this.#message = [message];
    if (this.#message.length > 0) this.#inFrames = false;
    return true;
  }

  /** Outermost frame: where the interpreter began, if nobody caught the exception. */
  get uncaught(): boolean {
    const within = this.frames[0]?.within;
    return within === undefined || /^(?:<module>|_run_module_as_main|_bootstrap)$/.test(within);
  }

  /** The place that says most: in the function named, else the innermost frame outside of Python's own library. */
  place(within?: string): { file?: string; line?: number } {
    const own = this.frames.filter(frame => !isLibrary(frame.file));
    const frame = own.findLast(f => within !== undefined && f.within === within) ?? own.at(-1) ?? this.frames.at(-1);
    return frame === undefined ? {} : { file: frame.file, line: frame.line };
  }
}

export const isLibrary = (file: string): boolean =>
  /(?:^|[/\\])(?:site-packages|dist-packages|lib(?:64)?[/\\]python[\d.]+)[/\\]|^</.test(file);
