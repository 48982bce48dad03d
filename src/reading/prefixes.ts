/**
 * The prefixes of multiplexers, which look like many other things: `name | ` is rustc's gutter and every table, `[name] `
 * a level, `name: ` half of all lines. They are taken off where there is evidence: the multiplexer said so in a heading,
 * a format took a line of that stream before, or the lines just before bear the same prefix.
 */
import { plainText } from './controls.js';
import { type Back, type Peeled, stamp } from './stamps.js';

interface Shape {
  kind: string;
  /** Every line of this shape has one of these. */
  signs: string[];
  /** The first group is the name. */
  pattern: RegExp;
  /** Names that something else gives its lines. */
  never?: RegExp;
  /** Needed in any case: a heading of the multiplexer. */
  headed?: boolean;
  /** An input all of whose lines look like this is one. */
  first?: boolean;
}

const LEVEL =
  /^(?:err(?:or)?|warn(?:ing)?|info|debug|trace|fatal|notice|note|help|success|ok|fail(?:ed|ure)?|pass(?:ed)?|skip(?:ped)?)$/i;

const SHAPES: Shape[] = [
  // docker compose, docker service logs, moon, tilt; rustc's own tests print LL for a line number
  { kind: '|', signs: [' |', ' │'], pattern: /^([\w@][\w@./:-]{0,80}) {1,80}[|│](?: |$)/, never: /^LL$/, first: true },
  // concurrently, npm-run-all, yarn workspaces foreach (with a colon), Jenkins' branches, skaffold
  {
    kind: '[]',
    signs: ['['],
    pattern:
      /^\[([\w@./:-]{1,80}(?: [\w@./:-]{1,80}){0,4}) {0,80}\]:?(?: (?!\$ |(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|SEVERE)\b)|$)/,
    never:
      /^(?:gw\d+|[\d.,:]+\/\d+.*|\d+:\d\d.*|\d+%|Pipeline|stdout|stderr|chromium|firefox|webkit|build failed|setup failed|no test files)$/i,
    first: true,
  },
  // turbo
  { kind: ':', signs: [':'], pattern: /^([\w@][\w./-]{0,80}:[A-Za-z][\w:-]{0,80}):(?: |$)/ },
  // pnpm -r, bun --filter
  {
    kind: 'x y:',
    signs: [': ', '$ '],
    pattern: /^([\w@.][\w@./-]{0,80} [A-Za-z][\w:.-]{0,80})[:$] /,
    never: /^(?:fatal|error|warning|note|internal|npm|make|test|CMake|Traceback|FAIL|ERROR|During|In|go) /i,
    headed: true,
  },
  // nx, lerna
  {
    kind: 'x:',
    signs: [': '],
    pattern: /^([\w@][\w@./-]{0,80}): /,
    never:
      /(?:^(?:make|gmake|ld|npm|go|ninja|collect2|cc1|gcc|clang|rustc|node|sh|bash|Caused by|E)|Error|Exception|\.(?:[ch]|[cm]?[jt]sx?|cc|cpp|cxx|hpp|py|go|rs|java|kt|rb|sh|o|a|so))$/,
    headed: true,
  },
  // GNU parallel --tag
  { kind: '\t', signs: ['\t'], pattern: /^([\w@][\w@./:=+-]{0,80})\t/, never: /^(?:FAIL|PASS|ok|SKIP)$/, first: true },
];

/** By what a line begins with: most lines have none. */
const BRACKET = SHAPES.filter(({ kind }) => kind === '[]');
const NAMED = SHAPES.filter(({ kind }) => kind !== '[]');
const NONE: Shape[] = [];
const BEGINS = /^[\w@.]/;
/** Maven's lines, so many of them that they are told apart before anything else. */
const LEVELLED = /^\[(?:INFO|ERROR|WARNING|DEBUG)\]/;

function hasOne(text: string, signs: readonly string[]): boolean {
  for (const sign of signs) if (text.includes(sign)) return true;
  return false;
}

/** Headings: the shape that follows them, and the names they give. */
const HEADINGS: { hint: string; pattern: RegExp; kind: string; names?: RegExp }[] = [
  { hint: 'Attaching', pattern: /^Attaching to (\S.*)$/, kind: '|', names: /[\w@./-]+/g },
  { hint: '(Branch', pattern: /^\[Pipeline\] \{ \(Branch: (.+)\)$/, kind: '[]', names: /.+/g },
  { hint: 'concurrently', pattern: /\bconcurrently (?=["'-])/, kind: '[]' },
  { hint: 'Packages in scope', pattern: /Packages in scope: \S/, kind: ':' },
  { hint: 'cache bypass, force', pattern: /^(\S{3,160}): cache bypass, force /, kind: ':', names: /\S+/g },
  { hint: 'cache miss, executing', pattern: /^(\S{3,160}): cache miss, executing /, kind: ':', names: /\S+/g },
  { hint: 'cache hit, ', pattern: /^(\S{3,160}): cache hit, /, kind: ':', names: /\S+/g },
  { hint: 'workspace projects', pattern: /^Scope: (?:all )?\d+.* workspace projects$/, kind: 'x y:' },
  { hint: 'lerna notice', pattern: /^lerna notice /, kind: 'x:' },
  { hint: 'lerna info', pattern: /^lerna info /, kind: 'x:' },
  { hint: 'Lerna (powered', pattern: /^ *Lerna \(powered by Nx\)/, kind: 'x:' },
  { hint: 'nx run ', pattern: /^> nx run ([\w@./-]+):\S+$/, kind: 'x:', names: /.+/g },
  { hint: 'Running target', pattern: /^ *NX +Running target/, kind: 'x:' },
];
export const HINTS = HEADINGS.map(({ hint }) => hint);
/** Names are remembered up to this many. */
const NAMES = 512;
/** How far back the same prefix is looked for, and how many lines without any may be among them. */
const NEAR = 12;
const GAPS = 3;
/** Another name that often says that this is a multiplexed log. */
const OTHERS = 3;
/** So far back at most, where lines of other streams stand between. */
const REACH = 48;
/** Prefixes before a prefix. */
const DEPTH = 5;

export class Prefixes {
  #headed = new Set<string>();
  #known = new Set<string>();

  /** A heading makes what follows it evident. */
  heading(text: string): void {
    for (const { hint, pattern, kind, names } of HEADINGS) {
      if (!text.includes(hint)) continue;
      const found = pattern.exec(text);
      if (found === null) continue;
      this.#headed.add(kind);
      for (const name of (names && found[1]?.match(names)) ?? []) {
        this.know(`${kind} ${name}`);
        // docker-compose 1 lists `project_web_1` and prints `web_1`.
        if (kind === '|') this.know(`${kind} ${name.replace(/^[^_]*_/, '')}`);
      }
    }
  }

  get evidence(): number {
    return this.#headed.size + this.#known.size;
  }

  /** @param stream as `peel` names it */
  know(stream: string): void {
    if (this.#known.size < NAMES) this.#known.add(stream);
  }

  /**
   * Takes the foremost prefix off; undefined where there is none, or no evidence that it is one.
   * @param streams what was taken off this line before: a multiplexer prints its prefix once
   */
  peel(text: string, back: Back, streams: readonly string[]): Peeled | undefined {
    const shapes = text[0] === '[' ? (LEVELLED.test(text) ? NONE : BRACKET) : BEGINS.test(text) ? NAMED : NONE;
    for (const shape of shapes) {
      if (shape.headed && !this.#headed.has(shape.kind)) continue;
      const found = hasOne(text, shape.signs) ? shape.pattern.exec(text) : null;
      if (found === null || !isName(shape, found[1] as string)) continue;
      if (streams.some(stream => stream.startsWith(`${shape.kind} `))) continue;
      const stream = `${shape.kind} ${found[1]}`;
      if (this.#evident(shape, stream, back, streams)) return { text: text.slice(found[0].length), stream };
    }
    return undefined;
  }

  #evident(shape: Shape, stream: string, back: Back, streams: readonly string[]): boolean {
    if (this.#known.has(stream)) return true;
    return this.#near(shape, stream, back, streams, this.#headed.has(shape.kind) ? 1 : 2);
  }

  /**
   * Whether lines just before bear this shape: with the same name `times`, with another one that often or known, or all
   * of them since the input began. Lines of other streams are not looked at.
   */
  #near(shape: Shape, stream: string, back: Back, streams: readonly string[], times: number): boolean {
    const seen = new Map<string, number>();
    let gaps = 0;
    for (let n = 1, left = NEAR; n <= REACH && left > 0; n++) {
      const raw = back(n);
      if (raw === undefined) return gaps === 0 && shape.first === true;
      const text = this.#within(streams, raw, k => back(n + k));
      if (text === undefined) continue;
      left--;
      const name = nameIn(shape, text);
      if (name === undefined) {
        if (++gaps > GAPS) return false;
        continue;
      }
      const other = `${shape.kind} ${name}`;
      const count = (seen.get(other) ?? 0) + 1;
      seen.set(other, count);
      if (count >= (other === stream ? times : OTHERS) || this.#known.has(other)) return true;
    }
    return false;
  }

  /** What a line says within these streams; undefined where it is of another one. */
  #within(streams: readonly string[], raw: string, back: Back): string | undefined {
    let text = plainText(raw);
    let depth = 0;
    for (let n = 0; n < DEPTH; n++) {
      const rest = stamp(text, back) ?? (depth < streams.length ? outer(text, streams[depth] as string) : undefined);
      if (rest === undefined) break;
      if (rest.stream !== undefined && rest.stream !== streams[depth++]) return undefined;
      text = rest.text;
    }
    return depth === streams.length ? text : undefined;
  }
}

/** Takes this very prefix off. */
function outer(text: string, stream: string): Peeled | undefined {
  for (const shape of SHAPES) {
    if (!stream.startsWith(`${shape.kind} `)) continue;
    const found = shape.pattern.exec(text);
    if (found !== null && stream === `${shape.kind} ${found[1]}`) return { text: text.slice(found[0].length), stream };
  }
  return undefined;
}

/** A word, or the number that concurrently gives. */
const NAME = /[A-Za-z]|^\d{1,2}$/;

const isName = (shape: Shape, name: string): boolean =>
  NAME.test(name) && !shape.never?.test(name) && !LEVEL.test(name);

function nameIn(shape: Shape, text: string): string | undefined {
  const name = shape.pattern.exec(text)?.[1];
  return name !== undefined && isName(shape, name) ? name : undefined;
}
