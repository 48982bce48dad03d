/** The shapes of pytest's lines, and how its three names for one test (node id, heading, summary) hang together. */

/** `=== title ===`, also of `_`, `-` and `!`: its character and title. `width` is that of the session's rules, 0 if unknown. */
export interface Rule {
  char: string;
  title: string;
}

export function ruleOf(text: string, width: number): Rule | undefined {
  if (text.startsWith(' ') && width > 0 && text.length >= width - 1) return unfilled(text);
  const char = text[0] as string;
  if (text.length < 8 || !'=_!-'.includes(char) || !text.endsWith(char)) return undefined;
  let run = 1;
  while (text[run] === char) run++;
  if (text[run] !== ' ') return undefined;
  let end = text.length - 1;
  while (end > run && text[end] === char) end--;
  const tail = text.length - 1 - end;
  const title = text.slice(run + 1, end);
  if (text[end] !== ' ' || (tail !== run && tail !== run + 1) || title.startsWith(`${char} `)) return undefined;
  // Rules fill the width of the terminal; a title that leaves no room for that has one character on each side.
  const fits =
    width === 0 ? run > 2 || text.length >= 60 : text.length === width || run === 1 || /[^\0-\x7f]/.test(title);
  return fits ? { char, title } : undefined;
}

/** Before pytest 5.4 a heading without room for `_` on both sides had none. */
function unfilled(text: string): Rule | undefined {
  const title = /^ ((?:ERROR (?:at setup of|at teardown of|collecting) )?[A-Za-z_][\w.]*(?:\[.*\])?) ?_?$/.exec(
    text,
  )?.[1];
  return title === undefined ? undefined : { char: '_', title };
}

const DURATION = / in \d+(?:\.\d+)? ?s(?:econds)?(?: \([\w:, ]{1,40}\))?$/;
const COUNT =
  /^(\d+) (failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests? (?:passed|failed|skipped))$/;

/** `2 failed, 3 passed in 0.12s`: the counts by name; an empty map where no test ran. */
export function tallyOf(title: string): Map<string, number> | undefined {
  const end = title.search(DURATION);
  if (end < 0 || end > 400) return undefined;
  const counts = new Map<string, number>();
  for (const item of title.slice(0, end).split(', ')) {
    if (/^(?:no tests ran|no tests collected|\d+(?:\/\d+)? tests? collected)(?: \(\d+ deselected\))?$/.test(item)) {
      counts.set('collected', 0);
      continue;
    }
    const [, n, what] = COUNT.exec(item) ?? [];
    if (what === undefined) return undefined;
    counts.set(what.replace(/^(warning|error)s?$/, '$1s'), Number(n));
  }
  return counts;
}

const PROGRESS = /^\[(?: *\d{1,3}%| *\d+\/\d+| *\d[\w. ]{0,12})\]$/;
const WORKER = /^\[gw\d+\] (?:\[ *\d{1,3}%\] )?/;
const NODE = /^([^\s:]+\.\w+)::\S/;
/** A node id without blanks outside its brackets: what may be told apart from a test's output on the same line. */
const STRICT = /^[^\s:]+\.\w+::[^\s[(]+(?: ?[[(].*[\])])?$/;
const AFTER =
  /^(.*\S) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|xfail|XPASS\(strict\)|RERUN|SUBFAIL|SUBPASS|SUBSKIP)(?: \(.*\))?$/;
const SUBTEST = /^([^\s:]+\.\w+::.*?) SUB(FAILED|PASSED|SKIPPED)([[(].*)$/;
const BEFORE = /^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|xfail|RERUN|SUBFAIL|SUBPASS|SUBFAILED|SUBPASSED) (\S.*)$/;
const BARE = /^(PASSED|FAILED|ERROR|XPASS|XFAIL|SKIPPED)(?: \(.*\))?$/;

export interface Status {
  word: string;
  /** Undefined where the test's own output stood between its id and the status. */
  id?: string;
}

/** What stands before ` [ 50%]`. */
function beforeProgress(text: string): { said: string; progress: boolean } {
  const at = text.endsWith(']') ? text.lastIndexOf(' [') : -1;
  const progress = at >= 0 && PROGRESS.test(text.slice(at + 1));
  return { said: progress ? text.slice(0, at).trimEnd() : text, progress };
}

/** `a.py::t FAILED [ 50%]`, `[gw0] [ 50%] FAILED a.py::t`, `FAILED [ 50%]`. */
export function statusOf(text: string): Status | undefined {
  const worker = WORKER.exec(text)?.[0] ?? '';
  const { said, progress } = beforeProgress(text.slice(worker.length).trimEnd());
  if (worker !== '') {
    const [, word, id = ''] = BEFORE.exec(said) ?? [];
    return word !== undefined && NODE.test(id) ? { word, id } : undefined;
  }
  const [, node, sub, what] = SUBTEST.exec(said) ?? [];
  if (node !== undefined) return { word: `SUB${sub}`, id: `${node} ${what}` };
  const [, id = '', word] = AFTER.exec(said) ?? [];
  if (word !== undefined && (progress ? NODE : STRICT).test(id)) return { word, id };
  const bare = BARE.exec(said)?.[1];
  return bare === undefined ? undefined : { word: bare };
}

/** The node id at the start of a line, which the test's output follows. */
export const startedBy = (text: string): string | undefined =>
  /^([^\s:]+\.\w+::[^\s[]+(?:\[.*\])?)(?: |$)/.exec(text)?.[1];

const DOTS = /^(?:([^\s:]+\.\w+) )?([.FEsxXRpu,-]+)(?: +\[ *\d{1,3}%\])?$/;

/** `a.py ..F.E [ 50%]` or the rest of such a line. */
export function dotsOf(text: string): { file?: string; letters: string } | undefined {
  const [, file, letters] = DOTS.exec(text.trimEnd()) ?? [];
  return letters === undefined ? undefined : { ...(file !== undefined && { file }), letters };
}

/** The first letter is one that the hints know. */
const PROGRESS_OF_FILE = /^([^\s:]+\.py) ([.FEsxXR][.FEsxXRu,-]*)(?:( +)\[ *(\d+)(%|\/\d+)\])?$/;
const PROGRESS_GOES_ON = /^([.FEsxXRu,-]*)( +)\[ *(\d+)(%|\/\d+)\]$/;

export interface Progress {
  letters: string;
  /** closed: no more letters of the file follow; full: perhaps they do, on the next line; open: nothing tells. */
  end: 'closed' | 'full' | 'open';
}

/** `a.py ..F.E    [ 50%]` */
export function progressOf(text: string): (Progress & { file: string }) | undefined {
  if (!text.includes('.py ')) return undefined;
  const [, file, letters = '', ...end] = PROGRESS_OF_FILE.exec(text.trimEnd()) ?? [];
  return file === undefined ? undefined : { file, letters, end: endOf(end) };
}

/** What follows a full line. */
export function restOf(text: string): Progress | undefined {
  const [, letters, ...end] = PROGRESS_GOES_ON.exec(text.trimEnd()) ?? [];
  return letters === undefined ? undefined : { letters, end: endOf(end) };
}

/** The progress of a file's last line is filled up with blanks to the right edge, unless it fits exactly. */
function endOf([gap, n, of]: (string | undefined)[]): Progress['end'] {
  if (gap === undefined) return 'open';
  const last = of === '%' ? n === '100' : `/${n}` === of;
  return gap.length > 1 || last ? 'closed' : 'full';
}

const COLLECTED = /^(?:collecting \.\.\. )?collected (\d{1,9}) items?(?: \/|$)/;

/** How many tests were found. */
export function collectedOf(text: string): number | undefined {
  const n = text.startsWith('collect') ? COLLECTED.exec(text.trimEnd())?.[1] : undefined;
  return n === undefined ? undefined : Number(n);
}

/** With --lf the tests that did not fail before may be left out without being counted as deselected. */
export const isRerun = (text: string): boolean =>
  text.startsWith('run-last-failure: rerun previous ') && !/ failures? first/.test(text);

const SUMMARY = /^(FAILED|ERROR|PASSED|XFAIL|XPASS|SUBFAIL|SUBFAILED)(?: at \w+ of)? (.*)$/;
const SUB_SUMMARY = /^SUBFAILED([[(].*?) ([^\s:]+\.\w+::.*)$/;
/** As pytest-subtests wrote it. */
const SUB_SUMMARY_OLD = /^([[(].{1,400}?|\(<subtest>\)) SUBFAIL ([^\s:]+\.\w+::.*)$/;

export interface Summary {
  word: string;
  /** The id, and after it perhaps ` - ` and a message that may be cut. */
  rest: string;
  /** What names a subtest: `[message] (n=1)`. */
  sub?: string;
}

export function summaryOf(text: string): Summary | undefined {
  const [, sub, node] = SUB_SUMMARY.exec(text) ?? SUB_SUMMARY_OLD.exec(text) ?? [];
  if (sub !== undefined && node !== undefined) return { word: 'FAILED', rest: node, sub };
  const [, word, rest] = SUMMARY.exec(text) ?? [];
  if (word === undefined || rest === undefined) return undefined;
  return { word: word.startsWith('SUBFAIL') ? 'FAILED' : word, rest };
}

/** All ways to split `id - message`: ids may hold ` - ` themselves. Longest id last. */
export function splits(rest: string): { id: string; message?: string }[] {
  const ways: { id: string; message?: string }[] = [];
  for (let at = rest.indexOf(' - '); at >= 0 && ways.length < 50; at = rest.indexOf(' - ', at + 1))
    ways.push({ id: rest.slice(0, at), message: rest.slice(at + 3) });
  ways.push({ id: rest });
  return ways;
}

/** The likeliest of these where nothing else tells: the first in which brackets are closed. */
export function likeliest(ways: { id: string; message?: string }[]): { id: string; message?: string } {
  return ways.find(({ id }) => !id.includes('[') || id.endsWith(']')) ?? (ways.at(-1) as { id: string });
}

export const fileOf = (id: string): string => id.split('::', 1)[0] as string;

/** `a.py::TestX::test_y[p::q]` -> `TestX::test_y[p::q]` */
export const nameOf = (id: string): string => (id.includes('::') ? id.slice(id.indexOf('::') + 2) : id);

/** The name under which a report's heading speaks of it: `TestX.test_y[p::q]`. */
export function headingOf(id: string): string {
  const name = nameOf(id);
  const at = name.search(/[[(]/);
  return at < 0 ? name.replaceAll('::', '.') : name.slice(0, at).replaceAll('::', '.') + name.slice(at);
}

/** The other way round; dots in a doctest's name stay. */
export function nameFromHeading(heading: string): string {
  const at = heading.search(/[[(]/);
  const head = at < 0 ? heading : heading.slice(0, at);
  return head.replaceAll('.', '::') + (at < 0 ? '' : heading.slice(at));
}

export interface Place {
  file: string;
  line: number;
  /** What stands behind it: the exception's class, `in function`, or with --tb=line the message. */
  rest: string;
}

const PLACE = /^((?:[A-Za-z]:)?[^\s:]+|[^:]{1,300}\.py):(\d+)(?:: ?(.*))?$/;
const NATIVE = /^ {2}File "([^"]{1,1000})", line (\d+), in (.*)$/;

export function placeOf(text: string): Place | undefined {
  const [, file, line, rest = ''] = PLACE.exec(text) ?? NATIVE.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), rest };
}
