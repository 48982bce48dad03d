/**
 * Prefixes that nothing else looks like: they are taken off wherever they stand at the beginning of a line. Stamps say
 * when; some prefixes also say whose line it is, and that names a stream.
 */

/** The raw text of the n-th line before, 1 being the one just before. */
export type Back = (n: number) => string | undefined;

export interface Peeled {
  text: string;
  /** Whose line it is. */
  stream?: string;
}

const DATE = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
const NANO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z`;
const OFFSET = String.raw`[+-]\d\d:?\d\d`;
const ZONE = `(?:Z|${OFFSET})`;

/** The first group is the stream. A pattern is tried on lines that begin with one of its characters. */
const STAMPS: Record<string, RegExp[]> = {
  digit: [
    // GitLab with FF_TIMESTAMPS: stream number, O or E, + for a line that goes on; a container's log on its node (CRI)
    new RegExp(`^${DATE}Z (?:[0-9a-f]{2}[OE][ +]|std(?:out|err) [FP] ?)`),
    // journalctl -o short-iso; heroku: 2024-05-01T10:00:00.123456+00:00 app[web.1]: text
    new RegExp(`^${DATE}${OFFSET} (?:[\\w.-]{1,64} )?(?!g?make\\[)([\\w@.-]{1,64}\\[[\\w.]{1,32}\\]): `),
    // GitHub, Azure, ts
    new RegExp(`^(?!${NANO})${DATE}(?:Z ?|${OFFSET} | |$)`),
    // foreman and its like: 20:41:53 api.1    | text
    /^\d\d:\d\d:\d\d ([\w.-]{1,64}) {1,64}\| ?/,
    /^\d{1,2}:\d\d:\d\d [AP]M ([\w.-]{1,64}) {1,64}\| {0,2}/,
    // Netlify
    /^\d{1,2}:\d\d:\d\d [AP]M: /,
  ],
  '[': [
    // Jenkins with timestamps(), Buildkite with timestamp-lines
    new RegExp(`^\\[${DATE}${ZONE}?\\] ?`),
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
  r: [/^remote: {8}/, /^remote: /], // git push to what builds
  s: [/^section_(?:start|end):\d{1,12}:[\w.-]{1,128}(?:\[[\w=,-]{1,128}\])?(?=\r|$)/], // GitLab
  t: [/^travis_(?:fold|time):[\w.:=,-]{1,256}(?:\[0K)?/],
  month: [
    // journalctl, syslog, ts
    /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d (?:[\w.-]{1,64} ([\w@.:-]{1,64}\[\d{1,7}\]): )?/,
  ],
};

/** Where text that begins with spaces leaves it open how many belong to the stamp, the lines before tell. */
const NEAR = 8;
/** Jenkins puts two spaces behind the time of day, ts one. */
const TIME = /^\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?![AP]M\b)/;
const ONE_SPACE = /^\d\d:\d\d:\d\d(?:[.,]\d{1,6})? (?! )/;
/** docker logs -t puts one, docker compose none. */
const NANO_STAMP = new RegExp(`^${NANO}`);
const NO_SPACE = /\.\d{9}Z\S/;
/** Who runs the others speaks for the whole log. */
const MANAGER = /^(?:system|systemd\[1\])$/;
/** gh run view --log: job, step, and a line of the job's log. */
const COLUMNS = /^([^\t]{1,200}\t[^\t]{1,200})\t\ufeff?/;
const STAMPED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /;

/** Takes the foremost stamp off; undefined where there is none. */
export function stamp(text: string, back: Back): Peeled | undefined {
  const first = text[0];
  if (first === undefined) return undefined;
  const digit = first >= '0' && first <= '9';
  for (const pattern of STAMPS[digit ? 'digit' : first] ?? []) {
    const found = pattern.exec(text);
    if (found !== null) return peeled(text, found);
  }
  const nano = digit ? NANO_STAMP.exec(text) : null;
  if (nano !== null) {
    const rest = text.slice(nano[0].length);
    return { text: rest.startsWith(' ') && !(/^\s\s/.test(rest) && anyBefore(NO_SPACE, back)) ? rest.slice(1) : rest };
  }
  const time = digit ? TIME.exec(text) : null;
  if (time !== null) {
    const one = ONE_SPACE.test(text) || anyBefore(ONE_SPACE, back);
    return { text: text.slice(time[0].length + (one ? 0 : 1)) };
  }
  const month = /^[JFMASOND][aepuco]/.test(text) ? STAMPS.month?.[0]?.exec(text) : undefined;
  if (month) return peeled(text, month);
  return text.includes('\t') ? columns(text, back) : undefined;
}

function peeled(text: string, found: RegExpExecArray): Peeled {
  const rest = text.slice(found[0].length);
  return {
    text: rest.charCodeAt(0) === 0xfeff ? rest.slice(1) : rest,
    ...(found[1] && !MANAGER.test(found[1]) && { stream: found[1] }),
  };
}

function anyBefore(pattern: RegExp, back: Back): boolean {
  for (let n = 1; n <= NEAR; n++) {
    const before = back(n);
    if (before === undefined) return false;
    if (pattern.test(before)) return true;
  }
  return false;
}

/** A line of the log without a stamp is one that goes on; the line before has the same columns. */
function columns(text: string, back: Back): Peeled | undefined {
  const found = COLUMNS.exec(text);
  if (found === null) return undefined;
  const rest = text.slice(found[0].length);
  if (!STAMPED.test(rest)) {
    const before = back(1);
    if (!before?.startsWith(found[0]) || !STAMPED.test(before.slice(found[0].length))) return undefined;
  }
  return { text: rest, stream: (found[1] as string).replace('\t', ' / ') };
}
