/** A Swift program that died: `f.swift:L: Fatal error: m` and the report of the backtracer. */
import type { Block, Line, Out } from '../../format.js';

const FATAL = /(?:^|[^\w/])((?:\/|\w)[^\s:]*\.swift):(\d+): Fatal error(?:: (.*))?$/;
/** Before 5.9: the place behind the message. */
const FATAL_OLD = /Fatal error: (.*): file (\S+\.swift), line (\d+)$/;
const CRASHED = /^\*\*\* Program crashed: (.*?)(?: at 0x[0-9a-f]+)? \*\*\*$/;
const BEFORE_REPORT = /^$|^\*\*\* Signal |^Current stack trace:|^\d+ +\S+ +0x[0-9a-f]+/;
const END = /^Backtrace took /;

/** A block for the first line of a crash; the test that ran, where that is known, is its name. */
export function swiftCrash(out: Out, line: Line, running: () => string | undefined): Block | undefined {
  const fatal = FATAL.exec(` ${line.text}`);
  const old = FATAL_OLD.exec(line.text);
  const signal = CRASHED.exec(line.text)?.[1];
  if (fatal === null && old === null && signal === undefined) return undefined;
  const [file, no, message = 'Fatal error'] = fatal?.slice(1) ?? (old === null ? [] : [old[2], old[3], old[1]]);
  const test = running();
  const place = file === undefined ? {} : { file, line: Number(no) };
  out.early('crash');
  const draft = out.failure(
    {
      kind: 'crash',
      tool: 'swift',
      severity: 'fatal error',
      message: signal ?? message,
      ...place,
      ...(test && { name: test }),
    },
    line,
  );
  let report = signal !== undefined;
  return {
    line(next) {
      report ||= CRASHED.test(next.text);
      if (!report && !BEFORE_REPORT.test(next.text)) return undefined;
      draft.add(next);
      return END.test(next.text) ? 'last' : 'more';
    },
  };
}
