/**
 * What go build, go vet and the go command say before anything runs:
 *
 *     # example.com/shop/cart [example.com/shop/cart.test]
 *     cart/cart.go:6:2: undefined: x
 *         have (string)
 */
import type { Block, Fields, Line, Out } from '../../format.js';

const AT = /^(?:vet: )?([^\s:]+\.go):(\d+):(?:(\d+):)? (.+)$/;
/** What a C compiler adds, by way of cgo; and linters', which name themselves at the end. */
const ELSE = /^(?:warning|note): | \([a-z][\w-]+\)$/;
const HEADING = /^# (?:\[?[\w./~@%+-]+\]?)(?: \[[\w./~@%+-]+\])?$/;
const CONTINUED = /^(?:\t| {4})[\t ]*\S/;
/** cgo, before what the C compiler says. */
const CGO = /^(?:cgo: ?|gcc errors for preamble:|\S+\.go: In function .*)$/;
const SEVERITY = /^(?:fatal error|error): /;
const COLUMN = /\.go:\d+:\d+: /;
const VET =
  /\b(?:missing argument for|formatting directive|Printf format|format reads arg|passes lock by value|unreachable code)/;
const LINKER = /\/link: running \S+ failed: exit status \d+$/;
const MANY = /^too many errors$/;

/** One of these is in every message that may open a block. */
const WORDS = [
  ...['undefined', 'declared', 'imported', 'cannot', 'missing', 'argument', 'mismatched', 'invalid', 'implement'],
  ...['assignment', 'expected', 'package', 'duplicate', 'unknown', 'overflows', 'impossible', 'syntax', 'pattern'],
  ...['unreachable', 'unused', 'format', 'passes', 'copies', 'identifier', 'signature', 'determine'],
];
const WORD = new RegExp(WORDS.join('|'), 'i');

/** Said without a place: [what it looks like, how many lines up it began]. */
const PLACELESS: [RegExp, RegExp | undefined][] = [
  [/^\timports \S+(?: from \S+)?: import cycle not allowed/, /^package /],
  [/^found packages \S+ \(\S+\) and \S+ \(\S+\) in /, undefined],
  [/^pattern \S+: /, undefined],
  [/^(?:\S+: )?no required module provides package \S+/, undefined],
  [/^package \S+: (?:build constraints exclude all|no Go files|cannot find|unrecognized import)/, undefined],
  [/^package \S+ is not in (?:std|GOROOT)/, undefined],
  [/^function main is undeclared in the main package/, undefined],
  [/^runtime\.main_main·f: function main is undeclared/, undefined],
  [
    /^go: (?:updates to go\.mod needed|inconsistent vendoring|cannot find |go\.mod file not found|errors parsing |module \S+: |malformed )/,
    undefined,
  ],
  [/^go: \S+@\S+: (?:.*(?:unknown revision|invalid version|missing|verifying|parsing))/, undefined],
  [/^go: \S+ \(?.*(?:missing go\.sum entry|cannot find module)/, undefined],
];

export const BUILD_HINTS = [
  // Rarer in green logs than the words are.
  ...['.go:', 'go: ', 'gcc errors for preamble', '/link: running'],
  ...[
    'import cycle not allowed',
    'found packages',
    'pattern ',
    'no required module provides',
    'build constraints exclude',
  ],
  ...[
    'no Go files',
    'cannot find package',
    'unrecognized import',
    'is not in std',
    'is not in GOROOT',
    'function main is undeclared',
    'too many errors',
  ],
];

export class Build {
  readonly #out: Out;
  /** The last line that was accounted for. */
  #done = 0;

  constructor(out: Out) {
    this.#out = out;
  }

  /** Whether the line may open a group. Without a column it must be go vet's, or stand under a heading: programs log so. */
  opens(text: string): boolean {
    if (!isDiagnostic(text)) return LINKER.test(text) || PLACELESS.some(([pattern]) => pattern.test(text));
    return WORD.test(text) && (COLUMN.test(text) || VET.test(text) || this.#headed());
  }

  /** A line that opens a group of diagnostics: those before it are read as well. */
  line(line: Line): 'mine' | Block | undefined {
    if (LINKER.test(line.text)) {
      this.#out.consequence({ ...TOOL, message: line.text }, line);
      return 'mine';
    }
    return this.#read([...this.#above(), line]);
  }

  /**
   * `FAIL pkg [build failed]`: what stands between the heading and this line is why.
   * @returns whether a reason is known
   */
  failed(pkg: string, at: Line): boolean {
    const lines: Line[] = [];
    let heading = false;
    for (let n = 1; n <= 200; n++) {
      const line = this.#out.back(n);
      if (line === undefined || line.no <= this.#done) return heading || this.#done > 0;
      if (/^(?:FAIL|ok {2}|\? {3})\t|^FAIL$|^--- |^=== /.test(line.text)) break;
      lines.unshift(line);
      heading = HEADING.test(line.text) && !line.text.startsWith('# [');
      if (heading) break;
    }
    if (!heading) return this.#done > 0;
    this.#done = at.no;
    if (lines.some(line => isDiagnostic(line.text))) this.#read(lines);
    else this.#plain(pkg, lines.slice(1));
    return lines.length > 1;
  }

  /** Whether anything was found at all. */
  get any(): boolean {
    return this.#done > 0;
  }

  /** Reports diagnostics that came some other way (`go test -json`). */
  all(lines: Line[], pkg: string): void {
    if (lines.some(line => diagnostic(line.text) !== undefined || CONTINUED.test(line.text))) this.#read(lines);
    else this.#plain(pkg, lines[0] !== undefined && HEADING.test(lines[0].text) ? lines.slice(1) : lines);
    this.#done = lines.at(-1)?.no ?? this.#done;
  }

  #plain(pkg: string, lines: Line[]): void {
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return;
    const message = lines.find(line => /not allowed|cannot|not found|no such/.test(line.text)) ?? first;
    const draft = this.#out.failure({ ...TOOL, id: pkg, suite: pkg, message: message.text.trim() }, first, last);
    for (const line of lines) this.#take(draft, line);
  }

  #take(draft: { add(line: Line): void } | undefined, line: Line): void {
    draft?.add(line);
    this.#out.claim(line);
  }

  #headed(): boolean {
    return this.#above().some(line => HEADING.test(line.text));
  }

  /** The diagnostics just above the current line that nobody asked for so far. */
  #above(): Line[] {
    const lines: Line[] = [];
    for (let n = 1; n <= 200; n++) {
      const line = this.#out.back(n);
      if (line === undefined || line.no <= this.#done) break;
      if (!HEADING.test(line.text) && !CONTINUED.test(line.text) && !isDiagnostic(line.text)) {
        if (!/^package \S+$/.test(line.text)) break;
      }
      lines.unshift(line);
    }
    const from = lines.findIndex(line => isDiagnostic(line.text) || /^(?:package|#) /.test(line.text));
    return from < 0 ? [] : lines.slice(from);
  }

  #read(lines: Line[]): Block {
    const out = this.#out;
    let open: { add(line: Line): void } | undefined;
    let held: Line[] = [];
    const block: Block = {
      line: line => {
        const found = diagnostic(line.text);
        if (found !== undefined) {
          open = found.message === '' ? undefined : out.failure({ ...TOOL, ...found }, line);
          this.#take(open, line);
        } else if (/^package \S+$/.test(line.text)) held = [line];
        else if (CONTINUED.test(line.text)) this.#continued(line, open, held);
        else if (HEADING.test(line.text)) open = undefined;
        else if (!CGO.test(line.text) && !/^\S+\.go:\d+:\d+: note: /.test(line.text)) return undefined;
        this.#done = line.no;
        return 'more';
      },
    };
    for (const line of lines) block.line(line);
    return block;
  }

  /** `\thave (string)` of a diagnostic, or a step of an import cycle. */
  #continued(line: Line, open: { add(line: Line): void } | undefined, held: Line[]): void {
    const first = held[0];
    if (first === undefined) this.#take(open, line);
    if (first === undefined) return;
    held.push(line);
    if (!/import cycle not allowed/.test(line.text)) return;
    const message = `import cycle not allowed: ${first.text}\n${held
      .slice(1)
      .map(one => one.text)
      .join('\n')}`;
    const draft = this.#out.failure({ ...TOOL, message }, first, line);
    for (const one of held.splice(0)) this.#take(draft, one);
  }
}

const TOOL = { kind: 'build', tool: 'go-build' } as const;

const isDiagnostic = (text: string): boolean => {
  const message = AT.exec(text)?.[4];
  return message !== undefined && !ELSE.test(message);
};

/** The parts of a diagnostic; an empty message for one that only says that there is more. */
function diagnostic(text: string): Fields | undefined {
  const [, file, line, column, message] = AT.exec(text) ?? [];
  if (file !== undefined && !ELSE.test(message as string)) {
    const many = MANY.test(message as string);
    return {
      file,
      line: Number(line),
      ...(column && { column: Number(column) }),
      message: many ? '' : (message as string).replace(SEVERITY, ''),
    };
  }
  return PLACELESS.some(([pattern, began]) => began === undefined && pattern.test(text))
    ? { message: text }
    : undefined;
}
