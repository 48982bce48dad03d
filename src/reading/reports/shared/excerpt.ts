/** What is read of an error, however long. */

const HEAD = 65_536;
const TAIL = 16_384;

/** The head of a text; of a long one its last lines, too: there stands where it was thrown. */
export function excerpt(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const last = text.slice(-TAIL);
  return `${text.slice(0, HEAD)}\n${last.slice(last.indexOf('\n') + 1)}`;
}
