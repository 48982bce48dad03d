/** A Java program that ends with an exception, cannot be started, or whose virtual machine died. */
import type { Block, Draft, Format, Line, Out } from '../format.js';

const UNCAUGHT = /(?:^|[^\w"])Exception in thread "(.*)" ([\w.$]+)(?:: (.*))?$/;
const FRAME = /^\s+at (?:\S+\/)?([\w.$<>]+)\(([\w$.-]+\.\w+):(\d+)\)/;
const LIBRARY = /^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy)\./;
const MORE = /^\s+at |^\s*(?:Caused by|Suppressed): |^\s+\.\.\. \d+ (?:more|common frames)|^\s+\[CIRCULAR REFERENCE/;
const START =
  /^Error: (Could not find or load main class \S+|Unable to access jarfile .*|Main method not found in class \S+|A JNI error has occurred.*|LinkageError occurred.*)/;
const VM = /^Error occurred during initialization of VM$|^Error: Could not create the Java Virtual Machine\.$/;
const DEAD = /^# A fatal error has been detected by the Java Runtime Environment:/;
const DEAD_WHY = /^# {2}(\S.*?)(?: at pc=.*)?$/;
/** A message may go on for so many lines before its stack. */
const MESSAGE = 10;

function stack(draft: Draft): Block {
  let frames = 0;
  let lines = 0;
  return {
    line(next) {
      const { text } = next;
      const more = MORE.test(text);
      if (!more && (frames > 0 || ++lines > MESSAGE || text === '')) return undefined;
      draft.add(next);
      const [, method = '', file, line] = FRAME.exec(text) ?? [];
      if (/^\s+at /.test(text)) frames++;
      if (frames === 0 && !more) draft.fields.message = `${draft.fields.message}\n${text}`;
      if (file !== undefined && draft.fields.file === undefined && !LIBRARY.test(method))
        Object.assign(draft.fields, { file, line: Number(line) });
      return 'more';
    },
  };
}

/** The report of a virtual machine that died: lines that begin with `#`. */
function dead(out: Out, line: Line): Block {
  out.early('crash');
  const draft = out.failure({ kind: 'crash', severity: 'fatal error', message: 'the virtual machine died' }, line);
  let why = false;
  return {
    line(next) {
      if (!next.text.startsWith('#')) return undefined;
      draft.add(next);
      const reason = why ? undefined : DEAD_WHY.exec(next.text)?.[1];
      if (reason !== undefined) draft.fields.message = reason;
      why ||= reason !== undefined;
      return 'more';
    },
  };
}

export const java: Format = {
  name: 'java',
  url: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html',
  hints: ['Exception in thread', 'Error occurred during', 'Error: Could not', 'A fatal error has been detected'],
  reader: out => ({
    line(line) {
      const { text } = line;
      if (DEAD.test(text)) return dead(out, line);
      const [, , type, said] = UNCAUGHT.exec(text) ?? [];
      const start = START.exec(text)?.[1] ?? (VM.test(text) ? text.replace(/^Error: /, '') : undefined);
      if (type === undefined && start === undefined) return undefined;
      const message = start ?? (said === undefined ? (type as string) : `${type}: ${said}`);
      const draft = out.failure({ kind: 'crash', severity: 'error', message }, line);
      draft.add(line);
      return stack(draft);
    },
  }),
};
