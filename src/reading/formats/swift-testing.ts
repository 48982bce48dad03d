/**
 * Swift Testing as `swift test` and xcodebuild print it: `✘ Test t() recorded an issue at f:L:C: m`, its details behind
 * `↳`, and later the test's end. A symbol alone says nothing: known issues and skipped tests bear ✘ too. The suite of a
 * test is not printed, so its id is weak.
 */
import type { Block, Draft, Fields, Format, Line } from '../format.js';

/** ✘, or the private-use glyph of SF Symbols that Apple's terminals show. */
const MARK = String.raw`^.{0,200}?(?:[^\s\w"'(]{1,2}) {1,2}`;
const TEST = new RegExp(String.raw`${MARK}Test (?!run with \d|case passing )`);
const ISSUE = / recorded an? (known )?issue(?=[ :])/;
const ARGUMENTS = /^ with \d+ arguments? /;
const PLACE = /(?:^| )at ((?:[A-Za-z]:[\\/])?[^\s:][^:]*):(\d+):(\d+): (.*)$/;
const ENDED = / (passed|failed) after ([\d.]+) seconds(?: with .*)?\.$/;
const CASES = / with \d+ test cases?$/;
const SKIPPED = / skipped(?:: ".*"|\.)$/;
/** The second line of a run: the first has only words that every test's line has. */
const RUN_STARTED = new RegExp(`${MARK}Testing Library Version: `);
const RUN =
  /Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after [\d.]+ seconds(?: with (\d+) (known )?issues?(?: \(including (\d+) known issues?\))?)?\.$/;
const SUITE = new RegExp(`${MARK}Suite .* (?:passed|failed) after `);
const DETAIL = /^(?:[↳±] ?|\s{2,}\S|[^\s\w"'(]{1,2} {1,2}(?:inserted|removed) |[^\s\w"'([{]{1,2} {2}\S)/;
/** Lines of the runner at which whatever was being read is over. */
const RUNNER = new RegExp(`${MARK}(?:Test|Suite|Passing) `);

export const swiftTesting: Format = {
  name: 'swift-testing',
  url: 'https://github.com/swiftlang/swift-testing',
  hints: ['recorded', 'failed', 'Test run with', 'Testing Library'],
  outcomeHints: ['passed', 'skipped'],
  reader(out) {
    /** What has been read of tests that have not ended. */
    const open = new Map<string, Draft>();
    let issues = 0;
    /** Tests that failed without an issue: the log was cut, or a test printed what a runner prints. */
    let bare: { name: string; line: Line }[] = [];
    const sayBare = (): void => {
      for (const { name, line } of bare.slice(0, 1000)) out.part('status', name, line, { weakId: true });
      bare = [];
    };

    const say = (name: string, line: Line, fields: Fields): Draft => {
      issues++;
      const known = open.get(name);
      if (known !== undefined) {
        known.add(line);
        return known;
      }
      const draft = out.part('detail', name, line, { weakId: true, ...fields });
      open.set(name, draft);
      return draft;
    };

    /** An issue; its arguments may go over several lines before the place is said. */
    const issue = (text: string, line: Line): Block => {
      const at = ISSUE.exec(text) as RegExpExecArray;
      const name = testName(text.slice(0, at.index));
      const known = at[1] !== undefined;
      let rest = text.slice(at.index + at[0].length);
      const place = (): Fields => {
        const [, file, l, c, message] = PLACE.exec(rest) ?? [];
        if (file !== undefined) return { file, line: Number(l), column: Number(c), ...(message && { message }) };
        return rest.startsWith(': ') ? { message: rest.slice(2) } : {};
      };
      const draft = known ? undefined : say(name, line, place());
      let unplaced = ARGUMENTS.test(rest) && !PLACE.test(rest);
      return {
        line(next) {
          if (RUNNER.test(next.text)) return undefined;
          if (unplaced) {
            rest += `\n${next.text}`.slice(0, 500);
            unplaced = !PLACE.test(next.text) && rest.length < 2000;
            if (PLACE.test(next.text)) rest = next.text;
            if (draft !== undefined && draft.fields.file === undefined) Object.assign(draft.fields, place());
          } else if (!DETAIL.test(next.text)) return undefined;
          draft?.add(next);
          return 'more';
        },
      };
    };

    const ended = (text: string, line: Line): 'mine' => {
      const at = ENDED.exec(text) as RegExpExecArray;
      const name = testName(text.slice(0, at.index).replace(CASES, ''));
      if (at[1] === 'failed' && open.has(name)) out.part('status', name, line, { weakId: true });
      else if (at[1] === 'failed') bare.push({ name, line });
      else out.outcome('passed', name, line, { weakId: true });
      open.delete(name);
      return 'mine';
    };

    const run = (text: string, line: Line): 'mine' | undefined => {
      const found = RUN.exec(text);
      if (found === null) return undefined;
      const [, , result, count = '0', allKnown, known = '0'] = found;
      const failed = allKnown === undefined ? Number(count) - Number(known) : 0;
      if (issues < failed) sayBare();
      bare = [];
      out.tally({ failed, counted: issues, result: result as 'passed' | 'failed' }, line);
      out.close();
      open.clear();
      issues = 0;
      return 'mine';
    };

    return {
      line(line) {
        const { text } = line;
        if (RUN_STARTED.test(text)) {
          out.begin();
          return 'mine';
        }
        if (!TEST.test(text)) return SUITE.test(text) ? 'mine' : run(text, line);
        if (ISSUE.test(text)) return issue(text, line);
        if (ENDED.test(text)) return ended(text, line);
        if (!SKIPPED.test(text)) return undefined;
        out.outcome('skipped', testName(text.replace(SKIPPED, '')), line, { weakId: true });
        return 'mine';
      },
      end: sayBare,
      excuse: ({ text }) => /^[↳±] /.test(text) || RUNNER.test(text),
    };
  },
};

/** What stands behind the mark: `t(x:)`, `"a name"`. */
const testName = (text: string): string => text.slice(text.indexOf(' Test ') + 6);
