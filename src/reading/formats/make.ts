/**
 * make and ninja. What they say of a command that failed is a consequence; a rule that is missing, a makefile that cannot
 * be read and a ninja command that failed without a word are causes.
 */
import type { Block, Fields, Format, Line, Out } from '../format.js';

const MAKE = String.raw`(?:\S*[\\/-])?(?:[gbdp]?make|mingw32-make|remake)(?:\.exe)?(?:\[(\d+)\])?\s?: `;
/** `make[2]: *** [Makefile:3: all] Error 1`, before 4.3 without the place; `… Segmentation fault (core dumped)`. */
const STATUS = new RegExp(String.raw`^${MAKE}\*\*\* \[(?:([^\]\s]*?):(\d+)\s?: )?([^\]]+)\] (.+)$`);
const BUILTIN = /^<[^>]+>\s?: /;
const CODE = /^\D+ \d+$/;
/** `make: *** No rule to make target …  Stop.`, in any language. */
const STOP = new RegExp(String.raw`^${MAKE}\*\*\* {1,2}([^[\s].*)$`);
/** `Makefile:46: *** missing separator.  Stop.` */
const STOP_AT = /^(\S[^:]*):(\d+)\s?: \*\*\* (\S.*)$/;
const ENDING = /\.? {2}\S+$/;
const WAITING =
  /^(?:Waiting for unfinished jobs|Deleting (?:intermediate )?file|On attend|Es wird auf noch nicht beendete|\[\S+\] Deleting)/i;
const NOT_RUN = new RegExp(
  String.raw`^${MAKE}(\S+): (?:No such file or directory|Permission denied|Datei oder Verzeichnis nicht gefunden|Aucun fichier ou dossier de ce type)$`,
);
const IGNORED = new RegExp(String.raw`^${MAKE}\[.*\] .*\((?:ignored|ignoriert|ignorée?)\)$`);
const REMARK = new RegExp(String.raw`^${MAKE}(?:Target |Das Ziel |La cible |Entering |Leaving |\*\*\* )`);
const BSD = /^\*\*\* \[?([^\]]*)\]? ?Error code (\d+)/;
const NMAKE = /^NMAKE : fatal error (U\d+): (.+)$/;
/** What kbuild, automake and ninja print of a step: `  CC      lib/error.o`, `[3/8] CC error.o`. */
const STEP = /^(?: {2}(?:[A-Z][A-Z+]{1,8}|GEN|\[M\]) +\S+$|\[\d+\/\d+\] (?!\w*(?:error|failed)\b)\S)/i;

const NINJA_STATUS = /^\[\s*\d+[/%]/;
/** ninja sets a blank after each of the outputs. */
const NINJA_FAILED = /^FAILED: (?:\[code=\d+\] )?(\S.*) $/;
const NINJA_ERROR = /^ninja: (?:error|fatal): (?:(\S+):(\d+): )?(.+)$/;
const NINJA_END = /^ninja: (?:build stopped|no work to do|warning)/;

interface Status {
  depth: number;
  fields: Fields & { kind: 'build' | 'crash' };
  line: Line;
}

function status(text: string): Omit<Status, 'line'> | undefined {
  const found = STATUS.exec(text);
  if (found === null) return undefined;
  const [, depth, file, no, target = '', result = ''] = found;
  const at = file === undefined || file.startsWith('<') ? {} : { file, line: Number(no) };
  const kind = CODE.test(result) ? 'build' : 'crash';
  const message = `${target.replace(BUILTIN, '')}: ${result}`;
  return { depth: Number(depth ?? 0), fields: { kind, severity: 'error', message, ...at } };
}

function cause(text: string): Fields | undefined {
  const [, , message] = STOP.exec(text) ?? [];
  if (message !== undefined) return WAITING.test(message) ? undefined : { message: message.replace(ENDING, '') };
  const [, file, no, problem] = STOP_AT.exec(text) ?? [];
  if (problem !== undefined) return { file, line: Number(no), message: problem.replace(ENDING, '') };
  const [, , program] = NOT_RUN.exec(text) ?? [];
  if (program !== undefined) return { message: text.slice(text.indexOf(program)) };
  return undefined;
}

/** ninja's step: the command follows, then what it printed. Where that is nothing, nobody else can explain it. */
function step(out: Out, target: string, line: Line): Block {
  const fields: Fields & { kind: 'build' } = {
    kind: 'build',
    tool: 'ninja',
    id: `ninja: ${target}`,
    severity: 'error',
  };
  let command: string | undefined;
  let silent = false;
  return {
    line({ text }) {
      if (command === undefined && !NINJA_STATUS.test(text)) {
        command = text;
        return 'more';
      }
      silent = NINJA_STATUS.test(text) || text.startsWith('ninja: ') || NINJA_FAILED.test(text);
      return undefined;
    },
    end() {
      const message = `${target}: ${command ?? ''}`;
      if (silent) out.failure({ ...fields, message }, line);
      else out.consequence({ ...fields, message }, line);
    },
  };
}

export const make: Format = {
  name: 'make',
  url: 'https://www.gnu.org/software/make/manual/html_node/Error-Messages.html',
  hints: ['make: ', 'make[', 'make.exe', 'separator', 'ninja: ', 'FAILED', ': *** ', '*** [', 'Error code', 'NMAKE : '],
  reader(out) {
    const statuses: Status[] = [];

    /** A make that fails because the one it called failed only passes that on. */
    const failed = (found: Status): void => {
      const inner = found.fields.message?.endsWith(' 2') ? statuses.filter(s => s.depth > found.depth) : [];
      if (inner.length === 0) statuses.push(found);
      else for (const s of inner) s.depth = found.depth;
    };

    const ninja = (line: Line): 'mine' | Block | undefined => {
      const { text } = line;
      const target = NINJA_FAILED.exec(text)?.[1];
      if (target !== undefined)
        return NINJA_STATUS.test(out.back(1)?.text ?? '') || /[/.]/.test(target) ? step(out, target, line) : undefined;
      const [, file, no, message] = NINJA_ERROR.exec(text) ?? [];
      if (message === undefined) return NINJA_END.test(text) ? 'mine' : undefined;
      out.failure(
        { kind: 'build', tool: 'ninja', severity: 'error', message, ...(file && { file, line: Number(no) }) },
        line,
      );
      return 'mine';
    };

    return {
      line(line) {
        const { text } = line;
        const found = status(text);
        if (found !== undefined) {
          if (statuses.length < 1000) failed({ ...found, line });
          return 'mine';
        }
        const fields = cause(text);
        const [, code, message] = NMAKE.exec(text) ?? [];
        if (fields !== undefined) out.failure({ kind: 'build', severity: 'error', ...fields }, line);
        else if (code === 'U1077') out.consequence({ kind: 'build', severity: 'error', code, message }, line);
        else if (code !== undefined) out.failure({ kind: 'build', severity: 'fatal error', code, message }, line);
        else if (BSD.test(text)) out.consequence({ kind: 'build', severity: 'error', message: text.slice(4) }, line);
        else if (!IGNORED.test(text) && !REMARK.test(text)) return ninja(line);
        return 'mine';
      },
      excuse: ({ text }) => STEP.test(text) || REMARK.test(text),
      end() {
        for (const { fields, line } of statuses) {
          if (fields.kind === 'crash') out.early('crash');
          out.consequence(fields, line);
        }
      },
    };
  },
};
