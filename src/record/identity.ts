/** What makes two runs' words for the same failure equal. */

/** What varies from run to run or from machine to machine, and what stands for it. Each is linear in the text. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b0x[0-9a-f]+\b/gi, '0x…'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/(?<![\w.:/\\])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>'],
  [/\bpid[ :=]\s?\d+\b/gi, 'pid <n>'],
  // `file:12:5`.
  [/:\d+:\d+\b/g, ':…'],
  [/(?<=\.\w{1,8})\(\d+,\d+\)/g, '(…)'],
  // The folder or file that was made up for this run; what lies in it keeps its name. `src/tmp/` is a folder like any.
  [/(?<![\w.-])(?:\/private)?\/(?:tmp|var\/tmp|var\/folders\/[^\s/]+\/[^\s/]+\/\w)\/[^\s/:'"`)]+/g, '<tmp>'],
  [/(?<=\\Temp\\)[^\s\\:'"`)]+/gi, '<tmp>'],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,64}\b/g, '<hash>'],
  [/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|min|minutes?)\b/g, '<duration>'],
];

/** Replaces what is volatile in a diagnostic's id: addresses, positions, times, hashes, temporary paths. Plain numbers stay. */
export function normalise(text: string): string {
  return volatile.reduce((out, [pattern, mark]) => out.replace(pattern, mark), text);
}
