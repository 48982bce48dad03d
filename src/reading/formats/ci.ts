/**
 * What CI systems and container builds say of a step that failed: consequences, unless the step was stopped for the time
 * or the memory it took.
 */
import type { Format } from '../format.js';

/** Of which program, whether the words say that the step was stopped, and what they look like. */
const ENDINGS: [RegExp, string, 'build' | 'crash'][] = [
  [/^(?:##\[error\]|::error::|Error: )?(Process completed with exit code [1-9]\d*)\.?$/, 'github-actions', 'build'],
  [
    /^(?:##\[error\]|::error::|Error: )?(The operation was canceled|The runner has received a shutdown signal.*|.*has exceeded the maximum execution time of \d+.*)$/,
    'github-actions',
    'crash',
  ],
  [
    /^(?:##\[error\])?((?:Bash|PowerShell|Cmd\.exe|Script) (?:exited|failed) with (?:code|exit code|error):? '?[1-9]\d*'?)\.?$/,
    'azure-pipelines',
    'build',
  ],
  [/^ERROR: (Job failed: (?:command terminated with )?exit (?:code|status) [1-9]\d*)$/, 'gitlab-runner', 'build'],
  [/^ERROR: (Job failed(?: \(system failure\))?: .*)$/, 'gitlab-runner', 'crash'],
  [/^(Build step '.*' (?:marked build as failure|changed build result to FAILURE))$/, 'jenkins', 'build'],
  [/^ERROR: (script returned exit code [1-9]\d*)$/, 'jenkins', 'build'],
  [/^(?:Build timed out \(after .*|Timeout has been exceeded)$/, 'jenkins', 'crash'],
  [/^(The command ".*" (?:exited with|failed and exited with) [1-9]\d*)(?: during .*)?\.$/, 'travis', 'build'],
  [
    /^(No output has been received in the last .*|The job exceeded the maximum time limit for jobs.*)$/,
    'travis',
    'crash',
  ],
  [/^(?:🚨 )?(?:Error: )?(The command exited with status [1-9]\d*)$/, 'buildkite', 'build'],
  [/^(Exited with code exit status [1-9]\d*)$/, 'circleci', 'build'],
  [
    /^(?:ERROR: |error: )?failed to solve: .*(process ".*" did not complete successfully: exit code: \d+)/,
    'docker',
    'build',
  ],
  [/^(The command '.*' returned a non-zero code: \d+)$/, 'docker', 'build'],
];
/** Repeats of the same, and results of a whole pipeline. */
const REMARK =
  /^(?:Finished: FAILURE|Done\. Your build exited with [1-9]\d*\.|.*\bexit code: \d+$|ERROR: process ".*" did not complete successfully.*|.*ERROR: process "\/bin\/sh -c .*|Cleaning up project directory.*|.*after_failure.*|##\[(?:group|endgroup|section|command)\].*)$/;

export const ci: Format = {
  name: 'ci',
  url: 'https://docs.github.com/en/actions/creating-actions/setting-exit-codes-for-actions',
  hints: [
    'completed',
    'canceled',
    'shutdown',
    'exceeded',
    'exited',
    'failed',
    'failure',
    'returned',
    'timed',
    'timeout',
    'received',
    'maximum',
  ],
  reader: out => ({
    line(line) {
      for (const [pattern, tool, kind] of ENDINGS) {
        const found = pattern.exec(line.text);
        if (found === null) continue;
        if (kind === 'crash') out.early('crash');
        out.consequence({ kind, tool, severity: 'error', message: found[1] ?? found[0] }, line);
        return 'mine';
      }
      return undefined;
    },
    excuse: ({ text }) => REMARK.test(text),
  }),
};
