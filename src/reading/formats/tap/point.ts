/** One test point: `not ok 4 - name # TODO reason`. */

export interface Point {
  indent: number;
  ok: boolean;
  number: number | undefined;
  name: string;
  /** `# TODO` or `# SKIP`: whatever its result, it does not count. */
  directive: boolean;
  /** Its children follow, in braces. */
  brace: boolean;
  /** What the producer says behind the name. */
  remark: string | undefined;
}

const POINT = /^( *)(not ok|ok)(?: +(\d{1,9}))?(?= |$)(.*)$/;
/** A program's output without a newline glues itself to the status. */
const GLUED = /(not ok|\Sok) (\d{1,9})(?: -? ?(.*))?$/;
const DIRECTIVE = /(?:^|\s)#\s*(?:todo|skip\w*)(?=\W|$)(.*)$/i;
const TIME = /\s# time=[\d.]+m?s$/;
/** What some producers say behind the name: bats, kernel self tests, pytest-tap. */
const REMARK = /\s# (timeout after .*|exit=\d+.*|TIMEOUT .*|unexpected success: .*)$/;
const BATS_TIME = / (?:in \d+ms|# in \d+ ms)$/;

export function pointOf(text: string): Point | undefined {
  const found = POINT.exec(text);
  if (found === null) return undefined;
  const [, indent = '', status, number, rest = ''] = found;
  // Subtests are indented by fours: others quote.
  if (indent.length % 4 !== 0) return undefined;
  // Without a number or a dash, a passing point bears no hint: it cannot be told from prose.
  if (status === 'ok' && number === undefined && !rest.startsWith(' - ')) return undefined;
  return described(indent.length, status === 'ok', number, rest);
}

/** `half a linenot ok 4 - after output`: believed when its number is the next one. */
export function glued(text: string, last: number): Point | undefined {
  if (text.trimStart().startsWith('#')) return undefined;
  const found = GLUED.exec(text);
  if (found === null || Number(found[2]) !== last + 1 || found.index === 0) return undefined;
  return described(0, found[1] !== 'not ok', found[2], found[3] ?? '');
}

function described(indent: number, ok: boolean, number: string | undefined, rest: string): Point {
  const brace = rest.endsWith(' {');
  let text = (brace ? rest.slice(0, -2) : rest).trim();
  if (text.startsWith('-')) text = text.slice(1).trim();
  text = text.replace(TIME, '');
  const directive = DIRECTIVE.exec(text);
  if (directive !== null) text = text.slice(0, directive.index);
  const remark = REMARK.exec(text);
  if (remark !== null) text = text.slice(0, remark.index);
  const name = unescaped(text.trim()).replace(BATS_TIME, '') || number || 'unnamed';
  return {
    indent,
    ok,
    number: number === undefined ? undefined : Number(number),
    name,
    directive: directive !== null,
    brace,
    remark: remark?.[1],
  };
}

export const unescaped = (text: string): string => text.replace(/\\([\\#])/g, '$1');
