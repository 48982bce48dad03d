import type { Block, Format, Line, Out, Reader } from '../format.js';
import { Crash, coverageOf, internalError, isInternal, notLoaded } from './pytest/ends.js';
import { dotsOf, placeOf, type Rule, ruleOf, startedBy, statusOf, summaryOf, tallyOf } from './pytest/lines.js';
import { Session } from './pytest/session.js';

const STARTS = 'test session starts';
const SUMMARY = 'short test summary info';
const SECTION =
  /^(?:FAILURES|ERRORS|PASSES|XPASSES|XFAILURES|short test summary info|rerun test summary info|warnings summary(?: .*)?|slowest .*|tests? coverage|xdist: .*)$/;
const EARLY = /\b(?:Interrupted: (.*)|stopping after \d+ failures?|KeyboardInterrupt|Exit: .*)$/;
/** A heading's name that can only be a test's: what is needed where no session is known to be open. */
const TEST_NAME =
  /^(?:\[doctest\] .*|ERROR (?:at setup of|at teardown of|collecting) .*|(?:[A-Za-z_]\w*\.)*test\w*(?:\[.*\])?)$/i;
/** A session inside of a test, whose output is not captured. */
const startsWithin = (text: string): boolean => !text.startsWith('=') && text.includes('= test session starts =');
/** A heading of a report on a worker that crashed. */
const FILE_ALONE = /^[^\s[]+\.py$/;
const QUIET_END = /^[.FEsxXRpu,-]+ +\[100%\]$/;
/** Another program's: pytest ended without a tally (-qq). */
const FOREIGN = /^(?:make(?:\[\d+\])?: \*\*\*|##\[|npm ERR!|\+ |\$ )/;
/** How much of the summary is held until it is known to be pytest's own. */
const HELD = 500;
const STRAYED = /^(?:FAILED [^\s:]+\.\w+::\S|SUBFAILED[[(]|[[(].{0,400} SUBFAIL )/;
const HARMLESS = [
  /^(?:collecting|collected|\d+ workers? \[|created: )/,
  /^(?:\[gw\d+\] (?:\[ *\d+%\] )?(?:PASSED|SKIPPED|XFAIL|XPASS|RERUN) )?[^\s:]+\.py(?:::\S.*)?(?: [.sxXFER]+)?\s*(?:\[ *\d+%\])?$/,
  /^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) +\S+:\S+\.py:\d+ /,
  /^(?:plugins|rootdir|configfile|cachedir|testpaths|platform \w+ --)[: ]/,
  /^(?:replacing crashed worker gw\d+|worker gw\d+ crashed and worker restarting disabled)$/,
  /^(?:PASSED|SKIPPED|XFAIL|XPASS|RERUN)\b.*$/,
  /^(?:run-last-failure|stepwise): /,
];

class PytestReader implements Reader {
  readonly #out: Out;
  readonly #session: Session;
  #uncovered = false;
  #crash: Crash | undefined;

  constructor(out: Out) {
    this.#out = out;
    this.#session = new Session(out);
  }

  line(line: Line): undefined | 'mine' | Block {
    const { text } = line;
    const session = this.#session;
    const rule = ruleOf(text, session.width);
    if (rule !== undefined) return this.#rule(rule, line);
    const progress = session.open ? session.files.line(line) : undefined;
    if (progress !== undefined) return progress;
    const crash = session.open ? Crash.at(text) : undefined;
    if (crash !== undefined) return this.#died(crash, line);
    if (session.open && startsWithin(text)) return this.#nested();
    const status = /::| \[|^[A-Z]+$/.test(text) ? statusOf(text) : undefined;
    if (status !== undefined) return this.#status(status.word, status.id ?? this.#started(), line);
    if (isInternal(text)) {
      session.files.partial = true;
      return internalError(this.#out, line);
    }
    if (!session.open && QUIET_END.test(text)) return this.#tail('quiet');
    if (/^\d/.test(text) && /fail|error/.test(text)) return this.#tally(text, line);
    return this.#coverage(line) ?? notLoaded(this.#out, line) ?? this.#strayed(line);
  }

  excuse({ text }: Line): boolean {
    if (HARMLESS.some(pattern => pattern.test(text))) return true;
    if (this.#session.open && /^(?:FAILED|ERROR)$/.test(text)) return true;
    const status = text.includes('::') ? statusOf(text) : undefined;
    return status?.id !== undefined && !/FAIL|ERROR/.test(status.word);
  }

  end(): void {
    const { open } = this.#session;
    this.#session.close();
    if (open) this.#crash?.say(this.#out);
  }

  #rule({ char, title }: Rule, line: Line): undefined | 'mine' | Block {
    const session = this.#session;
    if (char === '=' && title === STARTS) {
      if (session.open) this.#crash?.say(this.#out);
      this.#crash = undefined;
      session.start(line.text.length);
      this.#uncovered = false;
      return 'mine';
    }
    if (char === '=') {
      if (SECTION.test(title)) return this.#tail(title, line);
      return this.#tally(title, line);
    }
    if (char === '!' && EARLY.test(title)) {
      this.#early(title, line);
      return this.#tail('other');
    }
    if (char !== '_' || !(TEST_NAME.test(title) || (session.open && session.width === line.text.length)))
      return undefined;
    const block = this.#tail('FAILURES', line);
    session.report(title, line);
    return block;
  }

  #tally(text: string, line: Line): undefined | 'mine' {
    const counts = tallyOf(text);
    if (counts === undefined) return undefined;
    this.#crash = undefined;
    this.#session.tally(counts, line);
    return 'mine';
  }

  #status(word: string, id: string | undefined, line: Line): undefined | 'mine' {
    if (id === undefined) return undefined;
    this.#session.status(word, id, line);
    return 'mine';
  }

  /** The test whose output stands before a bare status. */
  #started(): string | undefined {
    for (let n = 1; n < 400; n++) {
      const text = this.#out.back(n)?.text;
      if (text === undefined || /^=+ /.test(text)) return undefined;
      const id = startedBy(text);
      if (id !== undefined) return statusOf(text)?.id === undefined ? id : undefined;
      if (statusOf(text) !== undefined) return undefined;
    }
    return undefined;
  }

  /** The dots above the first report. */
  #dots(): void {
    let rest = '';
    for (let n = 1; n < 2000; n++) {
      const text = this.#out.back(n)?.text;
      if (text === undefined || text.startsWith('===')) return;
      const dots = dotsOf(text);
      if (dots === undefined) continue;
      if (dots.file !== undefined) this.#session.dots(dots.file, dots.letters + rest);
      rest = dots.file === undefined ? dots.letters + rest : '';
    }
  }

  #early(title: string, line: Line): void {
    this.#session.files.partial = true;
    this.#out.early(/stopping after|Test failed/.test(title) ? 'failFast' : 'bailOut');
    const exit = /\bExit: (.*)$/.exec(title)?.[1];
    if (exit !== undefined) this.#out.failure({ kind: 'crash', message: `Exit: ${exit}` }, line);
  }

  /** The part of a session from its first section to its tally. */
  #tail(first: string, opener?: Line): Block {
    const session = this.#session;
    if (/^(?:FAILURES|ERRORS)$/.test(first)) this.#dots();
    if (session.width === 0 && opener !== undefined) session.width = opener.text.length;
    let section = first;
    let nested = false;
    let held: Line[] | undefined = [];
    const settle = () => {
      for (const line of held ?? []) session.summary(line);
      held = undefined;
    };
    const enter = (title: string): 'more' => {
      session.endReport();
      section = title;
      held = [];
      return 'more';
    };
    const heading = (title: string, line: Line): 'more' => {
      session.alive();
      if (!/^(?:FAILURES|ERRORS|short test summary info)$/.test(section)) return 'more';
      // What looked like the summary was a test's output.
      if (section === SUMMARY) enter('FAILURES');
      if (!FILE_ALONE.test(title)) session.report(title, line);
      return 'more';
    };
    const ended = (text: string, line: Line): 'last' | undefined => {
      if (tallyOf(text) === undefined) return undefined;
      settle();
      this.#tally(text, line);
      return 'last';
    };
    const ruled = ({ char, title }: Rule, line: Line): 'more' | 'last' | undefined => {
      if (char === '_') return heading(title, line);
      if (char === '!' && EARLY.test(title) && !session.captured) this.#early(title, line);
      if (char !== '=') return this.#more(line);
      if (title !== STARTS)
        return ended(title, line) ?? (SECTION.test(title) || !session.reporting ? enter(title) : this.#more(line));
      if (!session.captured) return undefined;
      nested = true;
      return 'more';
    };
    const plain = (line: Line): 'more' | 'last' | undefined => {
      const { text } = line;
      if (startsWithin(text)) {
        nested = true;
        return 'more';
      }
      if (section === SUMMARY) {
        if (FOREIGN.test(text)) return undefined;
        if (held !== undefined && held.length < HELD) held.push(line);
        else {
          settle();
          session.summary(line);
        }
        return /^\d/.test(text) ? (ended(text, line) ?? 'more') : 'more';
      }
      if (section === 'quiet' && text !== '') return ended(text, line);
      if (/^\d/.test(text) && !session.captured && !session.open) {
        const end = ended(text, line);
        if (end !== undefined) return end;
      }
      return this.#inReports(section, line);
    };
    return {
      line: line => {
        const rule = ruleOf(line.text, nested ? 0 : session.width);
        if (nested) {
          nested = rule === undefined || rule.char !== '=' || tallyOf(rule.title) === undefined;
          return 'more';
        }
        return rule === undefined ? plain(line) : ruled(rule, line);
      },
      end: () => {
        settle();
        session.endReport();
      },
    };
  }

  /** Up to its tally, a session in a test's output is not ours. */
  #nested(): Block {
    return {
      line: ({ text }) => {
        const rule = ruleOf(text, 0);
        return rule?.char === '=' && tallyOf(rule.title) !== undefined ? 'last' : 'more';
      },
    };
  }

  #more(line: Line): 'more' {
    if (this.#session.reporting) this.#session.add(line);
    return 'more';
  }

  #inReports(section: string, line: Line): 'more' {
    const session = this.#session;
    const { text } = line;
    if (!session.captured && / \[ *\d+%\]$/.test(text)) {
      const status = statusOf(text);
      if (status?.id !== undefined) {
        session.status(status.word, status.id, line);
        return 'more';
      }
    }
    if (session.reporting) return this.#more(line);
    if (this.#coverage(line) !== undefined) return 'more';
    if (session.crashed(line)) return 'more';
    const place = section === 'FAILURES' ? placeOf(text) : undefined;
    if (place !== undefined && place.rest !== '') session.loose(place, line);
    return 'more';
  }

  #died({ before, message }: { before: string; message: string }, line: Line): Block {
    this.#session.files.partial = true;
    const told = statusOf(before.trimEnd());
    if (told !== undefined) this.#status(told.word, told.id, line);
    this.#crash = new Crash(line, message, told === undefined ? (startedBy(before) ?? this.#started()) : undefined);
    return this.#crash.block();
  }

  #coverage(line: Line): undefined | 'mine' {
    const message = coverageOf(line.text);
    if (message === undefined) return undefined;
    if (!this.#uncovered) this.#out.failure({ kind: 'build', id: 'pytest: coverage', code: 'coverage', message }, line);
    this.#uncovered = true;
    return 'mine';
  }

  /** A line of the summary in a log whose head is cut: no session, no heading, yet it can be nothing else. */
  #strayed(line: Line): undefined | 'mine' {
    const { text } = line;
    if (this.#session.open || !STRAYED.test(text)) return undefined;
    return summaryOf(text)?.word === 'FAILED' && this.#session.summary(line) ? 'mine' : undefined;
  }
}

export const pytest: Format = {
  name: 'pytest',
  url: 'https://docs.pytest.org/en/stable/how-to/output.html',
  hints: [
    ...[
      'FAILED',
      'ERROR',
      ' failed, ',
      ' failed in ',
      ' failed\x1b',
      ' error, ',
      ' error in ',
      ' error\x1b',
      ' errors, ',
      ' errors in ',
      ' errors\x1b',
      'ImportError while',
      'SUBFAIL',
      'RERUN',
      '======',
      '______',
      '!!!!!!',
      '++++++',
      '[100%]',
      'Fatal',
      'Coverage failure',
      'test coverage',
    ],
    ...['collected ', 'rerun previous', '.py .', '.py F', '.py E', '.py s', '.py x', '.py R', '.py \u001b['],
  ],
  outcomeHints: ['PASSED', 'SKIPPED', 'XFAIL', 'XPASS', 'SUBPASS', 'SUBSKIP'],
  reader: out => new PytestReader(out),
};
