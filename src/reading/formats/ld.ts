/**
 * Linkers: GNU ld and gold, lld, mold, Apple's ld, Microsoft's link; and the compiler drivers, which only say that the
 * linker failed. One failure per symbol and file that misses it: where else it is missed stands in `detail`.
 */
import type { Block, Draft, Fields, Format, Line, Out } from '../format.js';

/** `/usr/bin/ld: `, `x86_64-linux-gnu-ld.gold: `, `ld.lld-14: `; French sets a blank before the colon. */
const LINKER =
  /^(?:\S*[\\/-])?(?:ld|ld\.bfd|ld\.gold|ld\.lld|ld\.mold|ld64|ld64\.lld|lld|lld-link|mold|wasm-ld)(?:-[\d.]+)?(?:\.exe)?\s?: ?/;
/** `main.c:(.text+0xa): `, `/src/main.c:3: `, `lib.a(x.o):x.c:(.text+0x4): `, `(.text+0x17): `. */
const PLACE = /^([^\s:`'][^:`']*:|[^\s:`'][^:`']*:[^\s:`'][^:`']*:)?(?:(\d+)|\([^)\s]*\))\s?: /;
const SYMBOL: [RegExp, string][] = [
  [
    /^(?:error: )?(?:more )?(?:undefined references? to|référence indéfinie vers|Nicht definierter Verweis auf) ?[`'«»]/,
    'undefined',
  ],
  [/^(?:error: )?(?:multiple definition of|définitions multiples de|Mehrfachdefinition von) ?[`'«»]/, 'duplicate'],
  [/^relocation truncated to fit: /, 'relocation'],
];
/** What the linker itself says, after its name. */
const OWN =
  /^(?:cannot |can't |unable to |unrecogni[sz]ed |unknown |library not found |library '.*' not found|framework not found |framework '.*' not found|\S*: syntax error|(?:\S+: )?(?:relocation \S+ against |file not recognized|file format not recognized$|error adding symbols|hidden symbol |undefined symbol: |in function .*: undefined)|.* is incompatible with |.* architecture of input file |building for .* but )/;
const LLD = /^(?:fatal )?error: (.+)$/;
const LLD_PLACE = /^>>> (?:referenced by|defined (?:at|in)) ([^\s:][^:]*?)(?::(\d+)(?=[ )]|$)| \(|:\(|$)/;
const IN_FUNCTION = /^(\S[^`'«]*?)\s?: (?:in function|In function|dans la fonction|in Funktion) [`'«»]/;
const FIRST = /^[^`'«]*: (?:first defined here|défini pour la première fois ici|previous definition here)$/;
const REMARK =
  /^(?:the vtable symbol may be undefined|use the --help option|\S+: previous definition here|skipping incompatible )/;
const APPLE_HEADING = /^Undefined symbols?(?: for architecture [^:\s]+)?:$/;
const APPLE_SYMBOL = /^ {2}"?(\S.*?)"?, referenced from:$/;
const APPLE_DUPLICATE = /^duplicate symbol '?(\S.*?)'? in:$/;
const APPLE_PLACE = /^ {4,}(?:.* in )?([^\s(][^\s]*\.(?:o|a|dylib|tbd)\b.*)$/;
const MICROSOFT = /^\s*(\S[^:]*?)(?:\((\d+)\))? : (?:fatal )?error (LNK\d+): (.+)$/;
const KILLED = /^collect2: fatal error: (ld terminated with signal .*)$/;
const CONSEQUENCE =
  /^(?:collect2\S*\s?: .*\bld\b|\S*(?:clang|clang\+\+|swiftc?|emcc)(?:-[\d.]+)?: error: (?:linker|link) command failed|error: link command failed|ld: (?:error: )?(?:symbol\(s\) not found|\d+ duplicate symbols? )|\S+ : (?:fatal )?error LNK(?:1120|1319):|(?:\S*[\\/-])?ld\S*: final link failed)/;
const WARNING = /(?:^|: )(?:warning|attention|Warnung): (.+)$/;
const LIMIT = /^error: too many errors emitted, stopping now/;

/** One run of a linker: from its first line to the first that is not its own. */
class Link implements Block {
  #out: Out;
  #seen = new Map<string, Draft>();
  #object: string | undefined;
  /** What the next lines explain. */
  #open: Draft | undefined;
  #apple = false;

  constructor(out: Out) {
    this.#out = out;
  }

  line(line: Line): 'more' | undefined {
    return this.take(line) ? 'more' : undefined;
  }

  /** A first line must say something by itself. */
  begin(line: Line): boolean {
    if (CONSEQUENCE.test(line.text)) return this.#consequence(line.text, line);
    return this.#says(line.text, line);
  }

  take(line: Line): boolean {
    const { text } = line;
    if (CONSEQUENCE.test(text)) return this.#consequence(text, line);
    return this.#explains(text, text.replace(LINKER, ''), line) || this.#says(text, line);
  }

  #says(text: string, line: Line): boolean {
    const rest = text.replace(LINKER, '');
    const own = rest !== text;
    return this.#symbol(rest, line) || (own && this.#said(rest, line)) || this.#foreign(text, line);
  }

  #consequence(text: string, line: Line): true {
    const killed = KILLED.exec(text)?.[1];
    if (killed !== undefined) this.#out.failure({ kind: 'crash', severity: 'fatal error', message: killed }, line);
    else this.#out.consequence({ kind: 'build', severity: 'error', message: text.replace(LINKER, '') }, line);
    return true;
  }

  /** Lines that belong to the message above them. */
  #explains(text: string, rest: string, line: Line): boolean {
    const open = this.#open;
    if (text === '') return open !== undefined;
    const object = IN_FUNCTION.exec(rest)?.[1];
    if (object !== undefined) {
      this.#object = object;
      return true;
    }
    const apple = /^ {4,}\S/.test(text) && this.#apple;
    if (open === undefined || !(apple || text.startsWith('>>> ') || FIRST.test(text) || REMARK.test(rest)))
      return false;
    open.add(line);
    const [, file, no] = LLD_PLACE.exec(text) ?? (apple ? (APPLE_PLACE.exec(text) ?? []) : []);
    if (file !== undefined && open.fields.file === undefined)
      Object.assign(open.fields, { file, ...(no !== undefined && { line: Number(no) }) });
    return true;
  }

  /** GNU: a place, and what is wrong with a symbol there. */
  #symbol(rest: string, line: Line): boolean {
    const place = PLACE.exec(rest);
    const said = rest.slice(place?.[0].length ?? 0).replace(/^\S+: (?=multiple definition of)/, '');
    if (!SYMBOL.some(([pattern]) => pattern.test(said))) return false;
    const source = place?.[1]?.slice(0, -1).split(':').at(-1);
    const file = source === undefined || source.startsWith('<') ? (this.#object ?? this.#heading()) : source;
    const message = said.replace(/^error: /, '').replace(/;.*$/, '');
    this.#say({ file, message, ...(place?.[2] !== undefined && { line: Number(place[2]) }) }, line);
    return true;
  }

  /** The object that the line above names. */
  #heading(): string | undefined {
    return IN_FUNCTION.exec((this.#out.back(1)?.text ?? '').replace(LINKER, ''))?.[1];
  }

  /** What follows the linker's own name. */
  #said(rest: string, line: Line): boolean {
    if (LIMIT.test(rest)) {
      this.#out.early('failFast');
      return true;
    }
    const warning = WARNING.exec(rest)?.[1];
    const message = LLD.exec(rest)?.[1];
    if (warning !== undefined) this.#open = this.#out.warning({ message: warning }, line);
    else if (message !== undefined) this.#say({ message }, line);
    else if (OWN.test(rest)) this.#say({ message: rest }, line);
    else return false;
    return true;
  }

  /** Apple's ld heads a list, Microsoft's link names the object first. */
  #foreign(text: string, line: Line): boolean {
    const symbol = this.#apple ? APPLE_SYMBOL.exec(text)?.[1] : undefined;
    const duplicate = APPLE_DUPLICATE.exec(text)?.[1];
    if (APPLE_HEADING.test(text) || duplicate !== undefined) this.#apple = true;
    const [, file, no, code, message] = MICROSOFT.exec(text) ?? [];
    if (symbol !== undefined) this.#say({ message: `undefined symbol: ${symbol}` }, line);
    else if (duplicate !== undefined) this.#say({ message: `duplicate symbol: ${duplicate}` }, line);
    else if (code !== undefined)
      this.#say({ file, code, message, ...(no !== undefined && { line: Number(no) }) }, line);
    else return APPLE_HEADING.test(text);
    return true;
  }

  #say(fields: Fields, line: Line): void {
    const key = `${fields.file}: ${fields.message}`
      .replace('more undefined references', 'undefined reference')
      .replace(/ follow$/, '');
    const known = this.#seen.get(key);
    const draft = known ?? this.#out.failure({ kind: 'build', severity: 'error', ...fields }, line);
    if (known !== undefined) known.add(line);
    // lld says the same symbol once, with its places; GNU once a place
    else if (this.#seen.size < 1000 && fields.file !== undefined) this.#seen.set(key, draft);
    this.#open = draft;
  }
}

export const ld: Format = {
  name: 'ld',
  url: 'https://sourceware.org/binutils/docs/ld/',
  hints: [
    'undefined',
    'finie',
    'definierter',
    'definition',
    'finitions',
    'truncated',
    'duplicate',
    'collect2',
    'linker',
    ': error: ',
    ': fatal error: ',
    'error LNK',
    'syntax error',
    'error: linker',
    'error: link ',
    'error: too many',
    'failed',
    'cannot',
    'unable',
    'unrecogni',
    'unknown',
    'library not found',
    "library '",
    'framework not found',
    "framework '",
    'relocation',
    'recognized',
    'hidden',
    'incompatible',
    'architecture',
    ': warning: ',
    'attention',
  ],
  reader: out => ({
    line(line) {
      const link = new Link(out);
      return link.begin(line) ? link : undefined;
    },
    excuse: ({ text }) => LINKER.test(text) && WARNING.test(text),
  }),
};
