/**
 * Remembers which ids were written, in fixed memory: two 32-bit hashes an id, open addressing. When it is three quarters
 * full it takes no more, and an id may be written twice: a log with 98,000 different failing tests has other worries.
 */
const SLOTS = 131_072;

export class IdTable {
  #slots: Uint32Array | undefined;
  size = 0;

  /** @returns false when the id was added before */
  add(id: string): boolean {
    this.#slots ??= new Uint32Array(2 * SLOTS);
    const [a, b] = hashes(id);
    const at = this.#find(a, b);
    if (this.#slots[2 * at] !== 0) return false;
    if (this.size >= SLOTS * 0.75) return true;
    this.#slots[2 * at] = a;
    this.#slots[2 * at + 1] = b;
    this.size++;
    return true;
  }

  has(id: string): boolean {
    if (this.#slots === undefined) return false;
    const [a, b] = hashes(id);
    return this.#slots[2 * this.#find(a, b)] !== 0;
  }

  /** Where these hashes are, or the free slot where they would be. */
  #find(a: number, b: number): number {
    const slots = this.#slots as Uint32Array;
    for (let at = b % SLOTS; ; at = (at + 1) % SLOTS) {
      if (slots[2 * at] === 0 || (slots[2 * at] === a && slots[2 * at + 1] === b)) return at;
    }
  }
}

/** The first is never 0, which marks a free slot. */
function hashes(id: string): [number, number] {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < id.length; i++) {
    const c = id.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b + c, 0x85ebca6b) ^ (b >>> 13);
  }
  return [(a | 1) >>> 0, b >>> 0];
}
