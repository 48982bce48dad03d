/** The same facts as text for people: a line a test and what it said, the commands that run the flaky ones again last. */
import { type Paint, safe } from '../base/paint.js';
import type { Broken, Flaky, Stable, Summary } from '../record/types.js';

const STYLES = { flaky: ['yellow', 'FLAKY'], broken: ['red', 'BROKEN'], stable: ['green', 'stable'] } as const;
/** How many of its messages are shown of a test, and how many runs. */
const REASONS = 3;
const LETTERS = 40;

/** One record as lines, each ended. */
export function pretty(record: Flaky | Broken | Stable | Summary, paint: Paint): string {
  if (record.type === 'summary') return summary(record, paint);
  const [style, label] = STYLES[record.type];
  const { outcomes, id, failed, passed } = record;
  const runs = outcomes.length > LETTERS ? `${outcomes.slice(0, LETTERS)}…` : outcomes;
  const place = [record.file, record.line].filter(part => part !== undefined).join(':');
  // That it never passed is not known where runs do not name what passed.
  const said = record.type === 'broken' && record.unseen !== undefined ? 'FAILED' : label;
  const head = [paint(style, said.padEnd(6)), runs, paint('bold', safe(id)), place && paint('dim', safe(place))];
  const lines = [head.filter(Boolean).join('  ')];
  if (record.type === 'flaky')
    lines.push(`        failed ${failed} of ${failed + passed} times ${interval(record)}${together(record)}`);
  if (record.type !== 'stable') lines.push(...reasons(record));
  return lines.map(line => `${line}\n`).join('');
}

const percent = (share: number): string => `${Math.round(share * 100)}`;

const interval = ({ rateLow, rateHigh, runsFor95 }: Flaky): string =>
  `(${percent(rateLow)} to ${percent(rateHigh)} %); ${runsFor95} more runs show it with 95 %`;

const together = ({ group }: Flaky): string => (group === undefined ? '' : `; fails together with group ${group}`);

function reasons({ reasons = [] }: Flaky | Broken): string[] {
  const shown = reasons.slice(0, REASONS).map(({ count, message }) => `        ${count} x ${safe(message)}`);
  return reasons.length > REASONS ? [...shown, `        … ${reasons.length - REASONS} more`] : shown;
}

const VERBOSE = 'run them with -v or its like';

function summary(total: Summary, paint: Paint): string {
  const {
    runs = 0,
    tests = 0,
    flaky = 0,
    broken = 0,
    stable = 0,
    over,
    unnamed,
    incomplete = [],
    rerun = [],
    reason,
  } = total;
  const counts = [
    paint(flaky > 0 ? 'yellow' : 'green', `${flaky} flaky`),
    paint(broken > 0 ? 'red' : 'green', `${broken} broken`),
    `${stable} stable of ${tests} tests in ${runs} runs`,
    over && `${over} not shown`,
  ];
  const ends = incomplete.map(({ run, reason }) =>
    paint('yellow', `${safe(run)}: not known to have ended (${reason})`),
  );
  if (unnamed)
    ends.push(paint('yellow', `${unnamed} of the runs do not name all that passed: - may be a pass; ${VERBOSE}`));
  if (reason === 'interrupted') ends.push(paint('yellow', 'interrupted'));
  const again = rerun.length > 0 ? ['the flaky ones again:', ...rerun.map(command => `    ${safe(command)}`)] : [];
  return [counts.filter(Boolean).join(', '), ...ends, ...again].map(line => `${line}\n`).join('');
}
