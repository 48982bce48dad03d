/**
 * Prefixes that nothing else looks like: they are taken off wherever they stand at the beginning of a line. Stamps say
 * when; some prefixes also say whose line it is, and that names a stream. In all patterns the first group is the stream.
 */

/** The raw text of the n-th line before, 1 being the one just before. */
export type Back = (n: number) => string | undefined;

export interface Peeled {
  text: string;
  /** Whose line it is. */
  stream?: string;
}

const DATE = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
const OFFSET = String.raw`[+-]\d\d:?\d\d`;
/** GitLab with FF_TIMESTAMPS: stream number, O or E, + for a line that goes on; a container's log on its node (CRI). */
const MARK = '(?:[0-9a-f]{2}[OE][ +]|std(?:out|err) [FP] ?)';
/** journalctl -o short-iso; heroku: `2024-05-01T10:00:00.123456+00:00 app[web.1]: text`. */
const PROGRAM = String.raw`(?:[\w.-]{1,64} )?(?!g?make\[)([\w@.-]{1,64}\[[\w.]{1,32}\]): `;
/** GitHub, Azure, docker logs -t, ts and the above. */
const INSTANT = new RegExp(`^${DATE}(?:Z(?: ${MARK}?)?|${OFFSET} (?:${PROGRAM})?| |$)`);
/** Of docker: one space or, in docker compose, none follows. */
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z(?! std(?:out|err) [FP])/;
const NO_SPACE = /\.\d{9}Z\S/;

const TIMES: RegExp[] = [
  // foreman and its like: 20:41:53 api.1    | text
  /^\d\d:\d\d:\d\d ([\w.-]{1,64}) {1,64}\| ?/,
  /^\d{1,2}:\d\d:\d\d [AP]M ([\w.-]{1,64}) {1,64}\| {0,2}/,
  // Netlify
  /^\d{1,2}:\d\d:\d\d [AP]M: /,
];
/** Jenkins puts two spaces behind the time of day, ts one. */
const TIME = /^\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?![AP]M\b)/;
const ONE_SPACE = /^\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?! )/;
/** Where text that begins with spaces leaves it open how many belong to the stamp, so many lines before tell. */
const NEAR = 8;

/** By the character they begin with. */
const OTHERS: Record<string, RegExp[]> = {
  ' ': [
    // Ant: the name of the task ends at the twelfth column
    /^(?: {7}\[[\w:.-]{2}\]| {6}\[[\w:.-]{3}\]| {5}\[[\w:.-]{4}\]| {4}\[[\w:.-]{5}\]| {3}\[[\w:.-]{6}\]| {2}\[[\w:.-]{7}\]| \[[\w:.-]{8}\]) /,
  ],
  '[': [
    // Jenkins with timestamps(), Buildkite with timestamp-lines
    new RegExp(`^\\[${DATE}(?:Z|${OFFSET})?\\] ?`),
    // AppVeyor, TeamCity: [10:11:12]W:	 [Step 1/2] text
    /^\[\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\](?:[A-Za-z ]?:\t? ?)?(?:\[Step \d{1,4}\/\d{1,4}\])? ?/,
    // kubectl logs --prefix, tekton, woodpecker, act, mpirun --tag-output
    /^\[(pod\/[^\]\s]{1,256})\] /,
    /^\[([\w.-]{1,64} : [\w.-]{1,64})\] /,
    /^\[([\w .-]{1,64}):L\d{1,7}:\d{1,7}s\] ?/,
    /^\[([^\]\t]{1,128}\/[^\]\t]{1,128})\] {2,3}\| /,
    /^\[(\d{1,6},\d{1,6})\]<std(?:out|err)>: ?/,
  ],
  '#': [
    // BuildKit
    /^(#\d{1,5}) \d{1,6}\.\d{1,3}(?: |$)/,
    // GitHub, Azure: the text of an annotation is the text of the line
    /^##\[(?:error|warning|notice)\]/,
  ],
  S: [/^(Step #\d{1,4}(?: - "[^"\t]{1,128}")?): /], // Google Cloud Build
  r: [/^remote: (?: {7})?/], // git push to what builds
  s: [/^section_(?:start|end):\d{1,12}:[\w.-]{1,128}(?:\[[\w=,-]{1,128}\])?(?=\r|$)/], // GitLab
  t: [/^travis_(?:fold|time):[\w.:=,-]{1,256}(?:\[0K)?/],
};
/** journalctl, syslog, ts. */
const DAY =
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d (?:[\w.-]{1,64} ([\w@.:-]{1,64}\[\d{1,7}\]): )?/;
/** gh run view --log: job, step, and a line of the job's log. */
const COLUMNS = /^([^\t]{1,200}\t[^\t]{1,200})\t\ufeff?/;
const STAMPED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /;
/** Who runs the others speaks for the whole log. */
const MANAGER = /^(?:system|systemd\[1\])$/;

/** Takes the foremost stamp off; undefined where there is none. */
export function stamp(text: string, back: Back): Peeled | undefined {
  const first = text[0];
  if (first === undefined) return undefined;
  if (first >= '0' && first <= '9') {
    const found =
      text[4] === '-' ? instant(text, back) : text[2] === ':' || text[1] === ':' ? time(text, back) : undefined;
    if (found !== undefined) return found;
  } else if (text[6] === ' ' && text[9] === ':') {
    const found = DAY.exec(text);
    if (found !== null) return peeled(text, found);
  }
  // Ant's column is most lines' indent.
  if (first === ' ' && text[10] !== ']' && !text.includes('\t')) return undefined;
  return firstOf(OTHERS[first], text) ?? (text.includes('\t') ? columns(text, back) : undefined);
}

function firstOf(patterns: RegExp[] | undefined, text: string): Peeled | undefined {
  if (patterns === undefined) return undefined;
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return peeled(text, found);
  }
  return undefined;
}

function peeled(text: string, found: RegExpExecArray): Peeled {
  const rest = text.slice(found[0].length);
  const whole = rest.charCodeAt(0) === 0xfeff ? rest.slice(1) : rest;
  return found[1] === undefined || MANAGER.test(found[1]) ? { text: whole } : { text: whole, stream: found[1] };
}

function instant(text: string, back: Back): Peeled | undefined {
  if (text[29] === 'Z') {
    const nano = NANO.exec(text);
    if (nano !== null) {
      const rest = text.slice(nano[0].length);
      const none = rest[0] !== ' ' || (rest[1] === ' ' && anyBefore(NO_SPACE, back));
      return { text: none ? rest : rest.slice(1) };
    }
  }
  const found = INSTANT.exec(text);
  return found === null ? undefined : peeled(text, found);
}

function time(text: string, back: Back): Peeled | undefined {
  const known = firstOf(TIMES, text);
  const found = known === undefined ? TIME.exec(text) : null;
  if (found === null) return known;
  const one = ONE_SPACE.test(text) || anyBefore(ONE_SPACE, back);
  return { text: text.slice(found[0].length + (one ? 0 : 1)) };
}

function anyBefore(pattern: RegExp, back: Back): boolean {
  for (let n = 1; n <= NEAR; n++) {
    const before = back(n);
    if (before === undefined) return false;
    if (pattern.test(before)) return true;
  }
  return false;
}

/** Go's package lines have columns of their own, and are many. */
const GO = /^(?:ok {2}|FAIL|\? {3})\t/;

/** A line of the log without a stamp is one that goes on; the line before has the same columns. */
function columns(text: string, back: Back): Peeled | undefined {
  if (GO.test(text)) return undefined;
  const found = COLUMNS.exec(text);
  if (found === null) return undefined;
  const rest = text.slice(found[0].length);
  if (!STAMPED.test(rest)) {
    const before = back(1);
    if (!before?.startsWith(found[0]) || !STAMPED.test(before.slice(found[0].length))) return undefined;
  }
  return { text: rest, stream: (found[1] as string).replace('\t', ' / ') };
}
