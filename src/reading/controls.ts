/** What a terminal would act on and not show: colours, window titles, redraws with a carriage return. */

/** CSI, OSC, the strings that Buildkite hides its stamps in (`ESC _bk;t=1714557600037 BEL`), character sets, the rest. */
const ESCAPE =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[_PX^][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[0-Z\\`-~])/g;
const BOM = 0xfeff;
/** How many empty redraws are looked behind. */
const REDRAWS = 16;

/** Without escape sequences, a byte order mark, and the carriage returns around it. */
export function plainText(raw: string): string {
  let text = raw;
  if (text.includes('\x1b')) text = text.replace(ESCAPE, '');
  let from = 0;
  while (text.charCodeAt(from) === BOM || text[from] === '\r') from++;
  let to = text.length;
  while (to > from && text[to - 1] === '\r') to--;
  return to - from === text.length ? text : text.slice(from, to);
}

/** `Building 1/2⇤Building 2/2⇤error: x`: what was drawn last, unless that is blank. */
export function lastDrawn(text: string): string {
  let to = text.length;
  for (let n = 0; n < REDRAWS; n++) {
    const cr = text.lastIndexOf('\r', to - 1);
    const drawn = text.slice(cr + 1, to);
    if (cr <= 0 || drawn.trim() !== '') return drawn;
    to = cr;
  }
  return text.slice(0, to);
}
