/**
 * Maven itself: the errors of the compilers it runs, of checkers, of its model and its repositories, and why the build
 * failed. A goal that failed since tests or a compiler did is a consequence.
 */
import type { Block, Draft, Fields, Format, Line } from '../format.js';
import { symbolId } from './javac.js';

const LEVEL = /^\[(ERROR|WARNING|WARN|FATAL)\] ?/;
const LOCATED =
  /^((?:[A-Za-z]:(?=[\\/]))?[^:\s][^:]*\.\w+)(?::\[(\d+)(?:,(\d+))?\]|: ?\((\d+), ?(\d+)\):?) (?:(error|warning): )?(.*)$/;
/** checkstyle: `(sizes) LineLength: m`, `m [LineLength]` behind `f.java:3:5: `. */
const CHECK = /^\(([\w ]+)\) (\w+): (.*)$/;
/** javadoc's */
const AT = /^(?:Exit code: \d+ - )?((?:[A-Za-z]:(?=[\\/]))?[^:\s][^:]*\.java):(\d+): (?:error|warning): (.*)$/;
const CHECK_AT = /^((?:[A-Za-z]:(?=[\\/]))?[^:\s][^:]*\.\w+):(\d+)(?::(\d+))?: (.*) \[(\w+)\]$/;
const BUG = /^(?:(?:High|Medium|Low): )?(\S.*) (?:At|In) (\S+\.\w+):\[lines? (\d+)(?:-\d+)?\] ([A-Z][A-Z_]+)$/;
const SECTION = /^COMPILATION ERROR ?:? *$/;
const GOAL = /^Failed to execute goal (?:(\S+:\S+) \(([^)]*)\) )?on project (\S+): ?(.*)$/;
const HELP = / ?-> \[Help \d+\]$/;
/** Something else in the log says what is wrong. */
const CONSEQUENCE =
  /^(?:There (?:are|were) (?:\S+ )?(?:test failures|failing tests)|Compilation failure|.*(?:Process exited with an error|[Ee]xit (?:value|code)|returned \d)|You have \d+ |failed with \d+ bugs|There (?:are|was|were) \d+ )/;
const TESTS = /^(?:surefire|failsafe):/;
/** Errors before any project was built. */
const MODEL =
  /^(?:\[ERROR\] )?(?:Some problems were encountered|Could not find the selected project|Unknown lifecycle phase|The goal you specified requires|POM file \S+ specified|No plugin found for prefix|Plugin \S+ or one of its|Unresolveable|Non-resolvable|The build could not read|The projects? in the reactor|Error executing Maven|Unable to parse)/;
const PROBLEM = /^\[(?:ERROR|FATAL)\] (.+)$/;
const POM_PLACE = /@ (?:\S+, (\S+), )?line (\d+), column (\d+)$/;
/** With -e: the exception, its message (several lines) and its stack. */
const THROWN = /^(?:[\w.]+(?:Exception|Error)(?:: |$)|Caused by: |\s+at )/;
const TRACE = 12;
/** The one who reads the tests says that. */
const FORK = /forked VM terminated|timeout (?:or other error )?in the fork/;
const NOISE =
  /^(?:To see the full stack trace|Re-run Maven|For more information about|\[Help \d+\]|After correcting the problems|See (?:\/|[A-Z]:|dump files)|Please refer to|\s*mvn <goals>|\s*mvn <args>|-> \[Help|$)/;
const LOADING = /^(?:\[INFO\] )?(?:Downloading|Downloaded|Progress)(?: from \S+)?:? /;
const REACTOR =
  /^\[INFO\] .* (?:FAILURE|SKIPPED|SUCCESS)(?: \[.*\])?$|^\[INFO\] \d+ errors? *$|^\[INFO\] BUILD FAILURE$/;

interface Said {
  level: string;
  text: string;
}
const said = (text: string): Said => {
  const found = LEVEL.exec(text);
  return found === null ? { level: '', text } : { level: found[1] as string, text: text.slice(found[0].length) };
};

function located(text: string): Fields | undefined {
  const [, file, l1, c1, l2, c2, , message = ''] = LOCATED.exec(text) ?? [];
  if (file !== undefined) {
    const [, , rule, why] = CHECK.exec(message) ?? [];
    const what = rule === undefined ? { message } : { tool: 'checkstyle', code: rule, message: why };
    return { file, ...place(l1 ?? l2, c1 ?? c2), ...what };
  }
  const [, java, no, error] = AT.exec(text) ?? [];
  if (java !== undefined) return { tool: 'javadoc', file: java, line: Number(no), message: error };
  const [, path, line, column, why, code] = CHECK_AT.exec(text) ?? [];
  if (path !== undefined) return { tool: 'checkstyle', file: path, ...place(line, column), code, message: why };
  const [, bug, source, at, kind] = BUG.exec(text) ?? [];
  return source === undefined
    ? undefined
    : { tool: 'spotbugs', file: source, line: Number(at), code: kind, message: bug };
}

/** `org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test` is `surefire:test`. */
function shortGoal(goal = ''): string {
  const [, plugin = '', , name] = goal.split(':');
  return name === undefined ? '' : `${plugin.replace(/^maven-|-maven-plugin$|-plugin$/g, '')}:${name}`;
}

const place = (line?: string, column?: string): Fields => ({
  ...(line !== undefined && { line: Number(line) }),
  ...(column !== undefined && { column: Number(column) }),
});

/** checkstyle says it twice, once with the whole path. */
const keyOf = ({ tool, file = '', line, column, message }: Fields): string =>
  [tool === 'checkstyle' ? file.replace(/^.*[\\/]/, '') : file, line, column, message].join(':');

export const maven: Format = {
  name: 'maven',
  url: 'https://maven.apache.org/guides/',
  hints: [
    'COMPILATION ERROR',
    '.java:[',
    '.kt:[',
    '.kt: (',
    '.groovy:[',
    '.scala:[',
    '.xml:[',
    ':[line',
    '[ERROR] /',
    '[WARN] /',
    'Failed to execute goal',
    'BUILD FAILURE',
    'BUILD SUCCESS',
    'Some problems were encountered',
    'Could not find the selected',
    'Unknown lifecycle phase',
    'No plugin found for prefix',
    'requires a project to execute',
    'Non-resolvable',
    'POM file',
  ],
  reader(out) {
    /** What was said of compilers, since Maven repeats it when it says why the goal failed. */
    const told = new Set<string>();

    const diagnostic = (level: string, fields: Fields, line: Line): Draft => {
      if (told.size < 5000) told.add(keyOf(fields));
      const draft =
        level === 'WARNING' || level === 'WARN'
          ? out.warning(fields, line)
          : out.failure({ kind: 'build', severity: 'error', ...fields }, line);
      draft.add(line);
      return draft;
    };
    const known = (fields: Fields): boolean => told.has(keyOf(fields));

    /** More lines of one message, and in a section of errors the next messages. */
    const messages = (first: Draft | undefined, section: boolean, above: string): Block => {
      let draft = first;
      let level = above;
      return {
        line(line) {
          const { text } = line;
          const { level: now, text: rest } = said(text);
          const fields = now !== '' || section ? located(rest) : undefined;
          if (fields !== undefined) {
            if (fields.tool !== undefined && known(fields)) return 'more';
            level = now || level;
            draft = diagnostic(level, fields, line);
            return 'more';
          }
          if (/^\[INFO\] -+ *$/.test(text) && section && draft === undefined) return 'more';
          if (
            GOAL.test(rest) ||
            SECTION.test(rest) ||
            /^\[(?:INFO|DEBUG|WARNING)/.test(text) ||
            rest.startsWith('Tests run:')
          )
            return undefined;
          if (now === 'ERROR' && section && !/^\s/.test(rest) && rest !== '') {
            draft = diagnostic(now, { message: rest }, line);
            return 'more';
          }
          if (draft === undefined || !/^\s+\S/.test(rest)) return undefined;
          symbolId(out, draft.fields, rest);
          draft.fields.message = `${draft.fields.message}\n${rest}`;
          draft.add(line);
          return 'more';
        },
      };
    };

    /** Why the build failed: all lines of this level that follow. */
    const reason = (text: string, first: Line): Block => {
      const [, goal, , project, why = text] = GOAL.exec(text) ?? [];
      const lines: Line[] = [first];
      let message = why
        .replace(HELP, '')
        .replace(/^\[ERROR\] /, '')
        .replace(/ @ *$/, '')
        .trim();
      let over = HELP.test(why);
      let draft: Draft | undefined;
      let traced = 0;
      let explained = false;
      return {
        line(line) {
          const { level, text: rest } = said(line.text);
          if (level !== 'ERROR' && level !== 'FATAL') {
            traced = THROWN.test(line.text) ? TRACE : traced - 1;
            return traced > 0 && !line.text.startsWith('[') ? 'more' : undefined;
          }
          if (rest.startsWith('Failed to execute goal') || FORK.test(rest)) return undefined;
          over ||= rest.endsWith('-> [Help 1]');
          if (over || NOISE.test(rest)) return 'more';
          lines.push(line);
          const fields = located(rest);
          if (fields !== undefined) {
            explained = true;
            draft = known(fields) ? undefined : diagnostic(level, fields, line);
            return 'more';
          }
          if (explained) draft?.add(line);
          if (draft !== undefined && /^\s/.test(rest)) symbolId(out, draft.fields, rest);
          if (explained) return 'more';
          message = message === '' ? rest : `${message}\n${rest.replace(HELP, '')}`;
          return 'more';
        },
        end() {
          const short = shortGoal(goal);
          const fields = { kind: 'build' as const, severity: 'error', message, ...(project && { suite: project }) };
          if (explained || CONSEQUENCE.test(message) || (message === '' && TESTS.test(short)))
            out.consequence({ ...fields, message: `${short}: ${message || 'failed'}` }, first);
          else {
            const failed = out.failure({ ...fields, ...(short && { code: short }) }, first);
            for (const line of lines) failed.add(line);
          }
        },
      };
    };

    /** Problems of POMs, one a line. */
    const problems = (first: Line): Block => ({
      line(line) {
        if (!/^\[(?:ERROR|FATAL|WARNING)\]/.test(line.text))
          return line.text.trim() === '' || line.text === ' @ ' ? 'more' : undefined;
        const rest = line.text.replace(/^\[ERROR\] (?=\[)/, '');
        const { text } = said(rest);
        if (NOISE.test(text) || /^\s*@? *$/.test(text) || /^\s/.test(text)) return 'more';
        if (/^The build could not read|^The project \S+ .* has \d+ error/.test(text) || MODEL.test(text)) return 'more';
        const message = PROBLEM.exec(rest)?.[1]?.replace(/ @(?: .*)?$/, '');
        if (message === undefined) return 'more';
        const [, file, l, c] = POM_PLACE.exec(rest) ?? [];
        out
          .failure({ kind: 'build', severity: 'error', message, ...(file && { file }), ...place(l, c) }, line)
          .add(line);
        out.claim(first);
        return 'more';
      },
    });

    /** `BUILD FAILURE`, times, then why. */
    const failed = (): Block => {
      let inner: Block | undefined;
      return {
        line(line) {
          if (inner !== undefined) {
            const took = inner.line(line);
            if (took !== undefined) return took;
            inner.end?.();
            inner = undefined;
          }
          const { level, text } = said(line.text);
          if (FORK.test(text)) return undefined;
          if (level === 'ERROR' && text !== '') {
            inner = reason(text, line);
            return 'more';
          }
          return /^\[(?:INFO|WARNING)\]/.test(line.text) && !/^\[INFO\] (?:Scanning|Building|Running) /.test(line.text)
            ? 'more'
            : undefined;
        },
        end: () => inner?.end?.(),
      };
    };

    return {
      line(line) {
        const { level, text } = said(line.text);
        if (SECTION.test(text)) return messages(undefined, true, 'ERROR');
        if (level === '') {
          if (line.text === '[INFO] BUILD FAILURE') return failed();
          if (line.text !== '[INFO] BUILD SUCCESS') return undefined;
          out.tally({ result: 'passed', counted: 0 }, line);
          out.close();
          return 'mine';
        }
        const fields = located(text);
        if (fields !== undefined && fields.tool !== undefined && known(fields)) return 'mine';
        if (fields !== undefined) return messages(diagnostic(level, fields, line), false, level);
        if (/^(?:\[ERROR\] )?Some problems were encountered|^\[ERROR\] Some/.test(text)) return problems(line);
        if (GOAL.test(text) || MODEL.test(text)) return reason(text, line);
        return undefined;
      },
      excuse: ({ text }) => {
        const { level, text: rest } = said(text);
        return (
          LOADING.test(text) ||
          REACTOR.test(text) ||
          (level === 'ERROR' && NOISE.test(rest)) ||
          /^\[INFO\] (?:Compiling|Running|Building|Error stacktraces|There (?:is|are) \d+ errors?|---) ?/.test(text) ||
          /^\[(?:ERROR|WARNING)\] There (?:are|were) test failures\.$/.test(text)
        );
      },
    };
  },
};
