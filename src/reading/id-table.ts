/**
 * Remembers which ids were written, in fixed memory: two 32-bit hashes an id, open addressing. When it is three quarters
 * full it takes no more, and an id may be written twice: a log with 98,000 different failing tests has other worries.
 */
const SLOTS = 131_072;

export class IdTable {
  #slots: Uint32Array | undefined;
  #count = 0;

  /** @returns false when the id was added before */
  add(id: string): boolean {
    this.#slots ??= new Uint32Array(2 * SLOTS);
    const slots = this.#slots;
    let a = 0x811c9dc5;
    let b = 0x9e3779b9;
    for (let i = 0; i < id.length; i++) {
      const c = id.charCodeAt(i);
      a = Math.imul(a ^ c, 0x01000193);
      b = Math.imul(b + c, 0x85ebca6b) ^ (b >>> 13);
    }
    a = (a | 1) >>> 0;
    for (let at = (b >>> 0) % SLOTS; ; at = (at + 1) % SLOTS) {
      if (slots[2 * at] === a && slots[2 * at + 1] === b >>> 0) return false;
      if (slots[2 * at] !== 0) continue;
      if (this.#count >= SLOTS * 0.75) return true;
      slots[2 * at] = a;
      slots[2 * at + 1] = b >>> 0;
      this.#count++;
      return true;
    }
  }
}
