/**
 * Finds, in raw bytes, the few places where a line that can matter may be. All hints of all formats sit in one table of
 * 2^18 bytes, indexed by a hash of four bytes with bit 5 cleared (so that case does not matter); every group of four
 * bytes at an even offset is looked up, and a hit is verified byte by byte. The cost depends neither on how many hints
 * there are nor on their wording.
 */

/** Clears bit 5 of four bytes: `a` and `A` become one. */
const FOLD = 0xdfdfdfdf;
/** The same, and whatever the first of the four is. */
const FOLD_THREE = 0xdfdfdf00;
/** So large that few groups fall on a hint's place by chance, so small that it stays near the processor. */
const BITS = 18;
const HASH = 0x9e3779b1;

const hash = (word: number): number => Math.imul(word & FOLD, HASH) >>> (32 - BITS);

interface Probe {
  bytes: Uint8Array;
  /** Any case will do: the hint has no upper-case letter. */
  fold: boolean;
  /** How far into the hint the looked-up group begins; -1 where it begins one byte before. */
  at: number;
  /** The group, folded, and what of it counts. */
  group: number;
  mask: number;
  owner: number;
}

/** How often a byte is met in logs of all kinds, very roughly: probes sit at the least common bytes of a hint. */
const COMMON = ' etaoinsrlcdupmgfhb.-_/:1024';
const RARITY = new Uint8Array(256).fill(COMMON.length);
for (let rank = COMMON.length - 1; rank >= 0; rank--) RARITY[COMMON.charCodeAt(rank)] = rank;
/** What green logs are full of: a probe sits in such a word only where there is no other place. */
const WORDS = Buffer.from(
  ' test tests tested testing passed passing pass example examples package packages build building built compile compiling' +
    ' compiled files file module modules src lib http https org com done with info debug download downloaded central node' +
    ' project projects version install installed installing run running step index main class object source include target' +
    ' request handled cache cached service update the that from requirements command container component response' +
    ' coverage collecting collected finished finish after before generated code task tasks date local header library task' +
    ' docker step no-cache-dir renders number children answer question stable core worker fetch registry get hit unit parser' +
    ' tokens artifact uploading upload removing remove cache objects scripts script assets images inflating java directory' +
    ' created create creating checking check loading loaded reading writing written updating using added adding changed' +
    ' resolved resolving started starting stopping connected configuration default production development environment' +
    ' inflating: uploading: removing: collecting: linking: fetching: copying: skipping: note: info: using: status: name:',
);
const OFTEN = new Set<number>();
for (let at = 0; at + 4 <= WORDS.length; at++) OFTEN.add(wordAt(WORDS, at) & FOLD);

function score(bytes: Uint8Array, at: number): number {
  let sum = OFTEN.has(wordAt(bytes, at) & FOLD) ? 0 : 1000;
  for (let i = at; i < at + 4; i++) sum += RARITY[bytes[i] as number] as number;
  return sum;
}

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

export class Sieve {
  /** By hash: whether a hint may have this group. */
  readonly #table = new Uint8Array(1 << BITS);
  /** By hash: where in `buckets` they are. */
  readonly #bucket = new Uint16Array(1 << BITS);
  readonly #buckets: Probe[][] = [[]];

  /**
   * @param hints literals of at least four bytes, each with the number of the format that asked for it; one without an
   *   upper-case letter matches in any case
   * @throws Error for a hint that is too short to be found
   */
  constructor(hints: { text: string; owner: number }[]) {
    for (const { text, owner } of hints) this.#add(Buffer.from(text), owner, text);
  }

  #add(bytes: Uint8Array, owner: number, text: string): void {
    if (bytes.length < 4) throw new Error(`hint '${text}' has fewer than four bytes`);
    const fold = !/[A-Z]/.test(text);
    for (const parity of [0, 1]) {
      let best = -1;
      let most = -1;
      for (let at = parity; at + 4 <= bytes.length; at += 2) {
        const good = score(bytes, at);
        if (good > most) [most, best] = [good, at];
      }
      if (best >= 0) {
        const group = wordAt(bytes, best) & FOLD;
        this.#register(group, { bytes, fold, at: best, group, mask: FOLD, owner });
        continue;
      }
      // Four bytes at an odd offset: the group takes in one byte of what stands before, whatever that is.
      const group = before(0, bytes) & FOLD_THREE;
      const probe = { bytes, fold, at: -1, group, mask: FOLD_THREE, owner };
      for (let any = 0; any < 256; any++) if ((any & 0x20) === 0) this.#register(group | any, probe);
    }
  }

  #register(group: number, probe: Probe): void {
    const index = hash(group);
    this.#table[index] = 1;
    let bucket = this.#bucket[index] as number;
    if (bucket === 0) {
      bucket = this.#buckets.push([]) - 1;
      this.#bucket[index] = bucket;
    }
    (this.#buckets[bucket] as Probe[]).push(probe);
  }

  /**
   * The offset of a hint in [from, to), or -1. `words` is a view of the same memory as `bytes`, which must have eight
   * readable bytes behind `to`.
   */
  next(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
    const table = this.#table;
    // Locals: what stands outside is loaded and converted each time once it is bundled, which doubles the time.
    const fold = FOLD | 0;
    const mult = HASH | 0;
    const shift = 32 - BITS;
    const last = (to + 3) >> 2;
    let i = from >= 4 ? (from >> 2) - 1 : 0;
    let here = words[i] as number;
    for (; i < last; i++) {
      const next = words[i + 1] as number;
      const odd = (here >>> 16) | (next << 16);
      if (table[Math.imul(here & fold, mult) >>> shift] !== 0) {
        const at = this.#verify(bytes, here, i * 4, from, to);
        if (at >= 0) return at;
      }
      if (table[Math.imul(odd & fold, mult) >>> shift] !== 0) {
        const at = this.#verify(bytes, odd, i * 4 + 2, from, to);
        if (at >= 0) return at;
      }
      here = next;
    }
    return -1;
  }

  /** Calls `mark(owner)` for every hint in [from, to). */
  each(bytes: Uint8Array, words: Int32Array, from: number, to: number, mark: (owner: number) => void): void {
    const table = this.#table;
    const fold = FOLD | 0;
    const mult = HASH | 0;
    const shift = 32 - BITS;
    const last = (to + 3) >> 2;
    let i = from >= 4 ? (from >> 2) - 1 : 0;
    let here = words[i] as number;
    for (; i < last; i++) {
      const next = words[i + 1] as number;
      const odd = (here >>> 16) | (next << 16);
      if (table[Math.imul(here & fold, mult) >>> shift] !== 0) this.#mark(bytes, here, i * 4, from, to, mark);
      if (table[Math.imul(odd & fold, mult) >>> shift] !== 0) this.#mark(bytes, odd, i * 4 + 2, from, to, mark);
      here = next;
    }
  }

  #mark(bytes: Uint8Array, group: number, at: number, from: number, to: number, mark: (owner: number) => void): void {
    for (const probe of this.#buckets[this.#bucket[hash(group)] as number] as Probe[]) {
      if ((group & probe.mask) === probe.group && matches(bytes, at - probe.at, probe, from, to)) mark(probe.owner);
    }
  }

  /** Where a hint begins that has this group, found at `at`; -1 where there is none. */
  #verify(bytes: Uint8Array, group: number, at: number, from: number, to: number): number {
    const bucket = this.#buckets[this.#bucket[hash(group)] as number] as Probe[];
    for (let i = 0; i < bucket.length; i++) {
      const probe = bucket[i] as Probe;
      if ((group & probe.mask) !== probe.group) continue;
      if (matches(bytes, at - probe.at, probe, from, to)) return at - probe.at;
    }
    return -1;
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  return low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

const before = (any: number, bytes: Uint8Array): number =>
  any | ((bytes[0] as number) << 8) | ((bytes[1] as number) << 16) | ((bytes[2] as number) << 24);

function matches(bytes: Uint8Array, start: number, probe: Probe, from: number, to: number): boolean {
  const hint = probe.bytes;
  const length = hint.length;
  if (start < from || start + length > to) return false;
  const fold = probe.fold;
  for (let i = 0; i < length; i++) {
    const byte = bytes[start + i] as number;
    if (byte !== hint[i] && !(fold && lower(byte) === hint[i])) return false;
  }
  return true;
}
