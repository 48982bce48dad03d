/** Lines that a CI system or a shell adds around a tool's own, and that say nothing of it: they are read as blank. */
import type { Back } from './stamps.js';

/** GitHub, Azure: headings; the script of a step is printed in cyan between the first two. */
const HEADING = /^##\[(?:group|endgroup|section|command|debug|add-matcher|remove-matcher)\]/;
const SCRIPT_REACH = 500;
const SCRIPT = '\x1b[36;1m';
/** Windows PowerShell makes an error record of the first line that a program writes to stderr. */
const RECORD =
  /^(?:At (?:line|[^\t]{1,256}\.ps1):\d{1,6} char:\d{1,6}$| {4}\+ (?:CategoryInfo|FullyQualifiedErrorId) {1,12}: | {3}[^\t]{0,80}RemoteException$)/;
const RECORD_HEAD =
  /^(?:cargo|rustc|go|node|npm|npx|pnpm|yarn|tsc|python|python3|py|pytest|cmd|dotnet|msbuild|make|cmake|gcc|g\+\+|clang|mvn|gradle|deno|bun)(?:\.exe|\.cmd)? : /;
/** BuildKit shows the last lines of a failed step once more. */
const AGAIN = /^\d{1,6}\.\d{1,3} /;
const AGAIN_REACH = 60;

const isScript = (raw: string | undefined): boolean => raw?.includes(SCRIPT) === true && raw.endsWith('\x1b[0m');

/** @param raw the line as it came, @param text the same undressed */
export function isNote(raw: string, text: string, back: Back): boolean {
  const first = text[0] ?? '';
  if (first === '#' && text[1] === '#') return HEADING.test(text);
  if ((first === ' ' || first === 'A') && RECORD.test(text)) return true;
  if (first >= '0' && first <= '9' && AGAIN.test(text) && isAgain(text, back)) return true;
  return raw.length > text.length && isScript(raw) && inGroup(back);
}

/** `cargo : error[E0308]: …` */
export function record(text: string): string {
  return text.includes(' : ') ? text.replace(RECORD_HEAD, '') : text;
}

function inGroup(back: Back): boolean {
  let n = 1;
  while (n < SCRIPT_REACH && isScript(back(n))) n++;
  return back(n)?.includes('##[group]Run ') === true;
}

function isAgain(text: string, back: Back): boolean {
  for (let n = 1; n <= AGAIN_REACH; n++) {
    const before = back(n);
    if (before === undefined) return false;
    if (before.startsWith('#') && before.endsWith(text) && /^#\d{1,5} $/.test(before.slice(0, -text.length)))
      return true;
  }
  return false;
}
