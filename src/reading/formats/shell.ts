/**
 * What shells say of commands that cannot run and of programs that died, and what the programs themselves leave: asserts,
 * C++'s terminate, the C library's checks.
 */
import type { Block, Fields, Format, Line, Out } from '../format.js';

const SIGNAL =
  '(?:Segmentation fault|Aborted|Abort trap(?:: \\d+)?|Killed(?:: \\d+)?|Bus error(?:: \\d+)?|Floating point exception|Illegal instruction(?:: \\d+)?|Trace/breakpoint trap|Trace/BPT trap(?:: \\d+)?|CPU time limit exceeded|File size limit exceeded|Speicherzugriffsfehler|Abgebrochen|Getötet|Gleitkomma-Ausnahme|Ungültiger Maschinenbefehl|Bus-Zugriffsfehler)';
/** `build.sh: line 3: 4711 Segmentation fault      (core dumped) ./crash`; zsh's `zsh: segmentation fault  ./crash`. */
const JOB = new RegExp(
  `: (?:line|Zeile|ligne) (\\d+): +\\d+ (${SIGNAL}) *(?:\\((?:core dumped|Speicherabzug geschrieben)\\))? *(.*)$`,
  'u',
);
/** dash, a shell that runs one command, make's own shell: the word alone; what the program printed may stand before. */
const ALONE = new RegExp(`^(.*?)(${SIGNAL})(?: \\(core dumped\\))?$`, 'u');
const ZSH =
  /^zsh: (segmentation fault|abort|killed|bus error|illegal hardware instruction|trace trap|floating point exception)(?: +\(core dumped\))? +(\S.*)$/;

/** `f.sh: line 3: x: command not found`, dash's `sh: 1: x: not found`, zsh's `zsh: command not found: x`. */
const NOT_FOUND =
  /^(\S+?)(?: \[(\d+)\])?: (?:(?:(?:line|Zeile|ligne) )?(\d+): )?(\S+): (?:command not found|Kommando nicht gefunden\.|commande introuvable)$/;
const NOT_FOUND_DASH = /^(\S+): (?:line )?(\d+): (\S+): not found$/;
const ZSH_CANNOT =
  /^(\S+?)(?::(\w*[a-z]))?(?::(\d+))?: (command not found|no such file or directory|permission denied): (\S+)$/;
/** Of a script's own line: what it names cannot be run, its syntax is wrong, a variable is unset. */
const SCRIPT =
  /^([^\s:]+)(?:: -c)?: ?(?:(?:line|Zeile|ligne) )?(\d+): ((?:\S+: )?(?:Permission denied|No such file or directory|unbound variable|parameter not set|parameter null or not set|cannot execute[^:]*|[Ii]s a directory|bad interpreter: .*|Keine Berechtigung|Datei oder Verzeichnis nicht gefunden)|(?:[Ss]yntax error|unexpected EOF|parse error|Syntaxfehler).*)$/;
const INTERPRETER =
  /^(?:\S+: )?(?:sh|bash|dash|zsh|python\d?|node|perl|ruby): (?:0: )?(?:(?:line )?\d+: )?((?:can't open|cannot open|can't find) (?:file )?\S.*|\S+: No such file or directory)$/;
const WORD =
  /^(?:env: |\/usr\/bin\/env: |exec: |sudo: |xargs: |timeout: |nohup: |time: )[‘'`]?(\S+?)['’]?: (?:No such file or directory|command not found|not found|Permission denied)$/;

const ASSERT = /: Assertion [`'‘](.*)['’] failed\.$/;
/** Before either of them: the script; the file and line of the assertion. */
const LAST_WORD = /\S+$/;
const ASSERT_PLACE = /(?:^|[\s:])([^\s:]+):(\d+): /;
const ASSERT_BSD = /^Assertion failed: \((.*)\), function (\S+), file (\S+), line (\d+)\.$/;
const TERMINATE =
  /terminate called (?:after throwing an instance of '(.+)'|without an active exception|recursively)$|^libc\+\+abi: (?:terminating .*|Pure virtual.*)$|^pure virtual method called$/;
/** How much of a line before what it says is looked at. */
const LOOK = 300;
const WHAT = /^ {2}what\(\): {2}(.*)$/;
const LIBC =
  /((?:free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate)\(\): [a-z].*|double free or corruption \(.*|corrupted (?:size vs\. prev_size|double-linked list).*|\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*: .*)$/;
const TIMEOUT = /^timeout: sending signal \w+ to command [‘'`](.*)['’]$/;
const OUT_OF_MEMORY =
  /^(?:\[[\s\d.]+\] )?(?:Out of memory: Killed process \d+ \((.+?)\).*|oom-kill:.*task=([^,]+),.*|fatal error: runtime: out of memory)$/;
/** `set -x`: a command, not what it says. */
const TRACE = /^\++ (?!.*(?:error:|failed:))\S/i;

/** Which runner's test ran, where its line is near. */
const RUNNING = /\[ RUN {6}\] (\S+\.\S+)$|^=== RUN +(\S+)$|Test Case '(.+)' started/;
const ENDED = /\[ {2}FAILED {2}\]|\[ {7}OK \]|^--- (?:FAIL|PASS)|Test Case '.+' (?:passed|failed)/;

/** A line that says that a program died; other readers end their blocks before it. */
export const isCrash = (text: string): boolean =>
  JOB.test(text) || ALONE.exec(text)?.[1] === '' || ZSH.test(text) || TERMINATE.test(text) || ASSERT.test(text);

function running(out: Out): Fields {
  for (let n = 0; n <= 60; n++) {
    const text = n === 0 ? undefined : out.back(n)?.text;
    if (n > 0 && text === undefined) return {};
    const found = text === undefined ? null : RUNNING.exec(text);
    if (found !== null) return { name: (found[1] ?? found[2] ?? found[3]) as string };
    if (text !== undefined && ENDED.test(text)) return {};
  }
  return {};
}

/** `crash.c:11: main: Assertion 'x' failed.` and its kind: the program aborts, the shell may say so again. */
function death(text: string): Fields | undefined {
  const assertion = ASSERT.exec(text);
  if (assertion !== null) {
    const [, file, no] = ASSERT_PLACE.exec(text.slice(Math.max(0, assertion.index - LOOK), assertion.index + 2)) ?? [];
    return { ...(file && { file, line: Number(no) }), message: `Assertion failed: ${assertion[1]}` };
  }
  const bsd = ASSERT_BSD.exec(text);
  if (bsd !== null) return { file: bsd[3], line: Number(bsd[4]), message: `Assertion failed: ${bsd[1]}` };
  const terminate = TERMINATE.exec(text);
  if (terminate !== null) return { ...(terminate[1] && { code: terminate[1] }), message: text.slice(terminate.index) };
  const message = LIBC.exec(text)?.[1];
  if (message !== undefined) return { message };
  const timeout = TIMEOUT.exec(text)?.[1];
  if (timeout !== undefined) return { message: `timed out: ${timeout}` };
  const memory = OUT_OF_MEMORY.exec(text);
  return memory === null
    ? undefined
    : { message: text.replace(/^\[[\s\d.]+\] /, '').replace(/ process \d+/, ' process') };
}

function cannotRun(text: string): Fields | undefined {
  const bash = NOT_FOUND.exec(text);
  if (bash !== null) return notFound(bash[1], bash[2] ?? bash[3], bash[4]);
  const dash = NOT_FOUND_DASH.exec(text);
  if (dash !== null) return notFound(dash[1], dash[2], dash[3]);
  const zsh = ZSH_CANNOT.exec(text);
  if (zsh?.[4] === 'command not found') return notFound(zsh[1], zsh[3], zsh[5]);
  if (zsh !== null) return { ...script(zsh[1], zsh[3]), message: `${zsh[5]}: ${zsh[4]}` };
  const [, file, no, message] = SCRIPT.exec(text) ?? [];
  if (message !== undefined) return { ...script(file, no), message };
  const [, opened] = INTERPRETER.exec(text) ?? [];
  if (opened !== undefined) return { message: opened };
  const word = WORD.exec(text)?.[1];
  return word === undefined ? undefined : { message: text };
}

const notFound = (file?: string, line?: string, command?: string): Fields => ({
  ...script(file, line),
  code: '127',
  message: `${command}: command not found`,
});

/** A script is named by its file; `sh`, `bash` and `-c` are no files. */
const script = (file?: string, line?: string): Fields =>
  file === undefined || /(?:^|[^.])(?:\b|(?<=\w))(?:ba|da|z|k|a)?sh$|^(?:eval|-c)$/.test(file)
    ? {}
    : { file, ...(line !== undefined && { line: Number(line) }) };

export const shell: Format = {
  name: 'shell',
  url: 'https://www.gnu.org/software/bash/manual/',
  hints: [
    'segmentation',
    'abort',
    'killed',
    'bus error',
    'parse error',
    'out of memory',
    'floating',
    'illegal',
    'breakpoint',
    'Trace/',
    'trace trap',
    'exceeded',
    'Speicherzugriffsfehler',
    'Zugriffsfehler',
    'Abgebrochen',
    'Getötet',
    'Gleitkomma',
    'Maschinenbefehl',
    'not found',
    'gefunden',
    'introuvable',
    'denied',
    'Berechtigung',
    'no such file',
    'is a directory',
    'Verzeichnis',
    'unbound',
    'parameter not set',
    'parameter null',
    'cannot',
    'interpreter',
    'syntax error',
    'Syntaxfehler',
    'unexpected',
    'Assertion `',
    "Assertion '",
    'Assertion ‘',
    'Assertion failed',
    'terminate',
    'terminating',
    'pure virtual',
    ' detected ***',
    'double free',
    'free(): ',
    'alloc(): ',
    'munmap_chunk(): ',
    'corrupt',
    'invalid',
    'oom-kill',
    'sending',
  ],
  reader(out) {
    /** What a program said of its own death: the shell's word of it is no other failure. */
    let last: Line | undefined;

    const died = (fields: Fields, line: Line): Block => {
      out.early('crash');
      const draft = out.failure({ kind: 'crash', severity: 'fatal error', ...running(out), ...fields }, line);
      draft.add(line);
      return {
        line(next) {
          const what = WHAT.exec(next.text)?.[1];
          if (what === undefined) return undefined;
          draft.add(next);
          draft.fields.message = what;
          return 'last';
        },
      };
    };

    const signalled = (line: Line): 'mine' | Block | undefined => {
      const { text } = line;
      const job = JOB.exec(text);
      const zsh = ZSH.exec(text);
      const alone = job === null && zsh === null ? ALONE.exec(text) : null;
      if (job === null && zsh === null && alone === null) return undefined;
      const signal = job?.[2] ?? zsh?.[1] ?? alone?.[2] ?? '';
      // The program said why just before.
      if (last !== undefined && line.no - last.no <= 40 && /^(?:Abort|Abgebrochen)/i.test(signal)) return 'mine';
      // Prose ends in these words, too: only what is glued to the word is a program's output.
      if (alone !== null && alone[1] !== '' && /[\s:.]$/.test(alone[1] ?? '')) return undefined;
      const command = (job?.[3] ?? zsh?.[2] ?? '').trim();
      const file = LAST_WORD.exec(text.slice(Math.max(0, (job?.index ?? 0) - LOOK), job?.index ?? 0))?.[0];
      const place = job === null ? {} : script(file, job[1]);
      return died({ ...place, message: command === '' ? signal : `${signal}: ${command}` }, line);
    };

    return {
      line(line) {
        const { text } = line;
        const dead = death(text);
        if (dead !== undefined) {
          const same = last !== undefined && last.no === line.no - 1;
          last = line;
          return same ? 'mine' : died(dead, line);
        }
        const signal = signalled(line);
        if (signal !== undefined) return signal;
        const fields = cannotRun(text);
        if (fields === undefined) return undefined;
        out.failure({ kind: 'build', severity: 'error', ...fields }, line);
        return 'mine';
      },
      excuse: ({ text }) => TRACE.test(text) || (WHAT.test(text) && last !== undefined),
    };
  },
};
