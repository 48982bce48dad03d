/**
 * Bytes to lines, where every line matters: NDJSON, lists, diffs. split2 splits, behind a cutter: split2 is quadratic on
 * a line without end, and the bound it offers drops such a line without a word. Ours keeps the head and says so.
 */
import split2 from 'split2';

const LF = 10;

export class Lines {
  private readonly splitter;
  /** What `onLine` threw: split2 would swallow it. */
  private failure: { error: unknown } | undefined;
  /** Bytes of the line that is being read. */
  private length = 0;
  private cut = false;

  /**
   * @param onLine called with each line, without its end, before `write` returns; `cut`: it was longer than `cap`
   * @param cap in bytes
   */
  constructor(
    onLine: (text: string, cut: boolean) => void,
    private readonly cap = 1 << 20,
  ) {
    // Nothing is pushed, so split2 never waits for a reader and calls back at once.
    this.splitter = split2('\n', (text: string) => {
      if (this.failure) return;
      const cut = this.cut;
      this.cut = false;
      try {
        onLine(text.endsWith('\r') ? text.slice(0, -1) : text, cut);
      } catch (error) {
        this.failure = { error };
      }
    });
  }

  /** @throws what `onLine` throws */
  write(chunk: Uint8Array): void {
    const first = chunk.indexOf(LF);
    const last = chunk.lastIndexOf(LF);
    if (chunk.length <= this.cap && this.length + (first < 0 ? chunk.length : first) <= this.cap) {
      this.length = first < 0 ? this.length + chunk.length : chunk.length - last - 1;
      this.split(chunk);
      return;
    }
    for (let at = 0; at < chunk.length; ) {
      const lf = chunk.indexOf(LF, at);
      const end = lf < 0 ? chunk.length : lf;
      this.part(chunk.subarray(at, end));
      if (lf >= 0) this.endLine();
      at = end + 1;
    }
  }

  /** A piece of one line. */
  private part(bytes: Uint8Array): void {
    const room = this.cap - this.length;
    if (bytes.length > room) this.cut = true;
    if (room > 0) this.split(bytes.subarray(0, room));
    this.length = Math.min(this.cap, this.length + bytes.length);
  }

  private endLine(): void {
    this.length = 0;
    this.split('\n');
  }

  private split(text: Uint8Array | string): void {
    this.splitter.write(text);
    if (this.failure) throw this.failure.error;
  }

  /** The input is over: its last line may lack an end. */
  end(): void {
    if (this.length > 0) this.endLine();
  }
}
