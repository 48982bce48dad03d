/**
 * What a program that runs others side by side says of one that failed: turbo, nx, lerna, pnpm, yarn, concurrently,
 * npm-run-all, docker compose, honcho, GNU parallel, systemd. Consequences of what the other printed.
 */
import type { Block, Format, Line, Out } from '../format.js';

/** Who says it, and what: the groups are the task and how it ended. */
const ENDINGS: [string, RegExp][] = [
  ['turbo', /^(\S+#\S+): (?: ?ERROR {2})?command \(.*\) .*(exited \([1-9]\d*\))$/],
  ['pnpm', /^[ \u2009]ERROR[ \u2009] ((?:@[^\s@]+\/)?[^\s@]+)@\S+ (\S+: `.*`)$/],
  ['yarn', /^The command failed in workspace (\S+)@workspace:\S+ with (exit code [1-9]\d*)$/],
  ['concurrently', /^(\S.*) (exited with code (?:[1-9]\d*|SIG(?!TERM|INT)[A-Z]+))$/],
  ['npm-run-all', /^ERROR: "(.+)" (exited with [1-9]\d*)\.$/],
  ['honcho', /^([\w-]+\.\d+) (stopped \(rc=[1-9]\d*\))$/],
  ['systemd', /^(\S+): (Main process exited, code=\w+, status=[1-9]\S*)$/],
  ['cloud-build', /^ERROR: (build step \d+ ".*" failed): (.*exit(?:ed with non-zero)? status: [1-9]\d*)$/],
];
/** docker compose says it like concurrently, of a container. */
const CONTAINER = /^[\w.-]+[-_]\d+$/;
/** Killed, out of memory, a segmentation fault. */
const CRASH = /\bSIG(?:KILL|SEGV|ABRT|BUS|ILL|FPE)\b|\bcode=(?:killed|dumped)\b|\bcode 1(?:3[1-9]|4\d)$/;
/** The same once more, and headings. */
const REMARK =
  /^(?:(?:\S+#\S+: +WARNING +)?command finished with error, but continuing\.\.\.$|::error::command \(|[ ]?ERROR {2}run failed: |[ ]?Failed: {1,8}\S+#|Summary: \d+ fails, \d+ passes|(?:\S+ [\w:.-]+: )?Failed$|Failed with errors in |Failed in branch |\S+: Failed with result '| *(?:NX|Lerna \(powered by Nx\)) +\S)/;
/** nx and lerna list the tasks that failed. */
const LIST = /^Failed tasks:$/;
const TASK = /^- (\S+:\S+)$/;
/** The command stands on the next line. */
const JOB = /^parallel: This job failed:$/;

function list(out: Out): Block {
  return {
    line(line) {
      const task = TASK.exec(line.text)?.[1];
      if (task !== undefined) say(out, 'nx', `${task}: failed`, line);
      return task !== undefined || line.text === '' ? 'more' : undefined;
    },
  };
}

function job(out: Out): Block {
  return {
    line(line) {
      say(out, 'parallel', `${line.text}: failed`, line);
      return 'last';
    },
  };
}

function say(out: Out, tool: string, message: string, line: Line): void {
  const kind = CRASH.test(message) ? 'crash' : 'build';
  out.consequence({ kind, tool, severity: 'error', message }, line);
}

export const multiplexer: Format = {
  name: 'multiplexer',
  url: 'https://turborepo.com/docs/reference/run',
  hints: ['exited', 'ERROR', 'failed', 'stopped'],
  reader: out => ({
    line(line) {
      const { text } = line;
      if (LIST.test(text)) return list(out);
      if (JOB.test(text)) return job(out);
      for (const [tool, pattern] of ENDINGS) {
        const [, task, end] = pattern.exec(text) ?? [];
        if (task === undefined) continue;
        const who = tool === 'concurrently' && CONTAINER.test(task) ? 'docker-compose' : tool;
        say(out, who, `${task}: ${end}`, line);
        return 'mine';
      }
      return undefined;
    },
    excuse: ({ text }) => REMARK.test(text),
  }),
};
