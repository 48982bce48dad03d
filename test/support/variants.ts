/** The same log in other clothes. A variant that a log cannot wear (it wears its own already) is undefined. */

const lines = (log: Buffer): string[] => {
  const all = log.toString('utf8').split('\n');
  if (all.at(-1) === '') all.pop();
  return all;
};

/** A last line without a line end stays without: it may be cut. */
const join = (all: string[], log: Buffer): Buffer =>
  Buffer.from(all.join('\n') + (log.length === 0 || log.at(-1) === 10 ? '\n' : ''));

/** Whether the log has stamps, redraws, colours or streams of its own. */
const dressed = (log: Buffer): boolean =>
  /\x1b|\r|^\ufeff|^(?:\S+ *\| |\[\w+\] |\d{4}-\d\d-\d\dT|##\[|\{"|#\d+ |\S+ \S+: )/m.test(log.toString('utf8')) ||
  log[0] === 0xff;

const eachLine =
  (change: (line: string, i: number) => string) =>
  (log: Buffer): Buffer | undefined =>
    dressed(log) ? undefined : join(lines(log).map(change), log);

export const VARIANTS: Record<string, (log: Buffer) => Buffer | undefined> = {
  plain: log => log,
  crlf: eachLine(line => `${line}\r`),
  coloured: eachLine(line => (line === '' ? '' : `\x1b[1m\x1b[31m${line}\x1b[0m\x1b[K`)),
  'github stamps': eachLine((line, i) => `2024-05-01T10:00:${String(i % 60).padStart(2, '0')}.1234567Z ${line}`),
  'gh run view': eachLine(line => `test\tRun the tests\t2024-05-01T10:00:00.1234567Z ${line}`),
  'compose, interleaved': log => {
    if (dressed(log)) return undefined;
    const web = lines(log).flatMap((line, i) => [`db-1   | checkpoint ${i} written`, `web-1  | ${line}`]);
    return join(['Attaching to db-1, web-1', ...web], log);
  },
};
