/**
 * What a tool may complain about, by a stable code. `BAD_INVOCATION`: flags, missing files, a missing baseline.
 * `BAD_INPUT`: the input is not what the tool reads. `BAD_STATE`: a state file is damaged or newer than the program.
 * `UNAVAILABLE`: something outside, such as a network peer or a full disk.
 */
export type ErrorCode = 'BAD_INVOCATION' | 'BAD_INPUT' | 'BAD_STATE' | 'UNAVAILABLE';

/** An error that the user is to read: one line that says what was wrong and what to do. The tool exits with 2. */
export class AidoError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The reader of our output has gone, as `head -1` goes: the tool ends quietly, with 141. */
export class ClosedPipe extends Error {}

/** What the system says about a failed call, in words: `no such file or directory`. */
export function systemReason(error: unknown): string {
  const { message = String(error) } = error as NodeJS.ErrnoException;
  return /^[A-Z0-9]+: (.*?)(?:, \w+(?: '.*')?)?$/s.exec(message)?.[1] ?? message;
}
