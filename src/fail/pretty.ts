/** The same facts as text for people: a block a failure, the counts last. */
import { type Paint, safe } from '../base/paint.js';
import type { AidoRecord, Failure, Finding, Outcome, Suite, Summary, Unread } from '../record/types.js';

/** How many lines of detail are shown of one failure. */
const DETAIL = 12;

/** One record as lines, each ended; empty for what people do not need to see. */
export function pretty(record: AidoRecord, paint: Paint): string {
  switch (record.type) {
    case 'failure':
      return finding(record, paint('red', LABELS[record.kind]), paint);
    case 'warning':
      return finding(record, paint('yellow', 'WARN'), paint);
    case 'outcome':
      return outcome(record, paint);
    case 'suite':
      return suite(record, paint);
    case 'unread':
      return unread(record, paint);
    case 'summary':
      return summary(record, paint);
    default:
      return '';
  }
}

const LABELS: Record<Failure['kind'], string> = { test: 'FAIL', build: 'ERR ', crash: 'DIED' };

function finding(found: Finding, label: string, paint: Paint): string {
  const place = [found.file, found.line, found.column].filter(part => part !== undefined).join(':');
  const head = found.kind === 'test' ? found.id : (found.message?.split('\n', 1)[0] ?? found.id);
  const code = found.kind === 'test' ? '' : found.code;
  const title = [label, paint('bold', safe(head)), code && `[${safe(code)}]`, place && paint('dim', safe(place))];
  const said = (found.detail ?? found.message ?? '')
    .split('\n')
    .filter(line => line.trim() !== '' && line.trim() !== head);
  const shown = said.slice(0, DETAIL).map(line => `      ${safe(line)}\n`);
  if (said.length > DETAIL)
    shown.push(
      paint('dim', `      … ${said.length - DETAIL} more lines, from line ${found.log.first} of the input on`),
      '\n',
    );
  return `${title.filter(Boolean).join('  ')}\n${shown.join('')}`;
}

const MARKS = { passed: ['green', 'pass'], failed: ['red', 'fail'], skipped: ['yellow', 'skip'] } as const;

function outcome({ result, id }: Outcome, paint: Paint): string {
  const [style, mark] = MARKS[result];
  return `${paint(style, mark)}  ${safe(id)}\n`;
}

/** A suite is worth a line when its count and what was read differ: then something may be missing above. */
function suite({ agrees, tool, suite, failed, log }: Suite, paint: Paint): string {
  if (agrees) return '';
  const counted = failed === undefined ? 'failed' : `counted ${failed} failed`;
  return `${paint('yellow', '????')}  ${safe(suite ?? tool)} ${counted} (line ${log.first}): not what was read here\n`;
}

function unread({ text, log, cut }: Unread, paint: Paint): string {
  const lines = text.split('\n').map(line => `      ${safe(line)}\n`);
  return `${paint('yellow', '????')}  not understood, from line ${log.first} on:\n${lines.join('')}${cut ? '      …\n' : ''}`;
}

function summary(total: Summary, paint: Paint): string {
  const { failures = 0, warnings, suites = 0, disagree, unread = 0, over, complete, reason } = total;
  const counts = [
    paint(failures > 0 ? 'red' : 'green', `${failures} failed`),
    warnings && `${warnings} warnings`,
    suites && `${suites} suites ended`,
    disagree && `${disagree} of them count something else`,
    unread && `${unread} places not understood`,
    over && `${over} failures not shown`,
    complete ? 'the run ended' : paint('yellow', `the run is not known to have ended (${reason})`),
  ];
  return `${counts.filter(Boolean).join(', ')}\n`;
}
