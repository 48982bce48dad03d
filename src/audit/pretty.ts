/** The same facts as text for people: what is worst first, and under it the command that closes it. */
import { shownName } from '../base/input.js';
import { type Paint, safe } from '../base/paint.js';
import type { Advisory, Notice, Severity, Summary, Upgrade } from '../record/types.js';
import { SEVERITIES } from './levels.js';

const STYLES: Record<Severity, Parameters<Paint>[0]> = {
  critical: 'red',
  high: 'red',
  moderate: 'yellow',
  low: 'dim',
  info: 'dim',
  unknown: 'yellow',
};
const INDENT = '          ';
/** How many ways to a package are shown. */
const PATHS = 3;

/** One record as lines, each ended. */
export function pretty(record: Advisory | Notice | Upgrade | Summary, paint: Paint): string {
  const lines = {
    advisory: () => advisory(record as Advisory, paint),
    notice: () => notice(record as Notice, paint),
    upgrade: () => upgrade(record as Upgrade, paint),
    summary: () => summary(record as Summary, paint),
  }[record.type]();
  return lines.map(line => `${line}\n`).join('');
}

function advisory(one: Advisory, paint: Paint): string[] {
  const { severity, package: name, versions = [one.version ?? ''], id, title, status, allowed, fix, url } = one;
  const marks = [status, allowed && 'allowed', one.dev && 'dev', one.reachable].filter(Boolean).join(', ');
  const head = [
    paint(STYLES[severity], severity.padEnd(8)),
    paint('bold', safe(`${name} ${versions.join(', ')}`.trim())),
    safe(id),
    marks && `(${marks})`,
  ];
  const about = [title, url].filter(Boolean).map(text => INDENT + safe(text as string));
  const way = status === 'gone' ? [] : [`${INDENT}${paint(fix?.available ? 'green' : 'dim', safe(fixText(one)))}`];
  return [head.filter(Boolean).join('  '), ...about, ...paths(one), ...way];
}

function paths({ paths = [], pathCount }: Advisory): string[] {
  const ways = paths.filter(path => path.includes(' > '));
  const over = (pathCount ?? ways.length) - PATHS;
  return [
    ...ways.slice(0, PATHS).map(path => INDENT + safe(path)),
    ...(ways.length > 0 && over > 0 ? [`${INDENT}… ${over} more ways`] : []),
  ];
}

function fixText({ fix }: Advisory): string {
  if (!fix) return 'no word of a fix';
  if (!fix.available) return 'no fix yet';
  const what = fix.command ?? `upgrade ${fix.package ? `${fix.package} ` : ''}to ${fix.version ?? 'a newer version'}`;
  return `fix: ${what}${fix.breaking ? ' (breaking)' : ''}`;
}

function notice({ kind, package: name, version, message, id, allowed, replacement }: Notice, paint: Paint): string[] {
  const what = [name, version].filter(Boolean).join(' ') || id || '';
  const words = [message, replacement && `use ${replacement}`, allowed && '(allowed)'].filter(Boolean).join('; ');
  return [`${paint('yellow', 'notice'.padEnd(8))}  ${safe([kind, what, words].filter(Boolean).join('  '))}`];
}

function upgrade(one: Upgrade, paint: Paint): string[] {
  const { closes, breaking, command, packages, version, severity, safeCommand, safeCloses } = one;
  const what = command ?? `upgrade ${packages.join(', ')} to ${version ?? 'a newer version'} (no one command does it)`;
  const head = [
    paint(STYLES[severity], `closes ${closes}`.padEnd(10)),
    paint('bold', safe(what)),
    breaking && '(breaking)',
  ];
  const without = safeCommand ? [`${INDENT}  ${safe(safeCommand)} closes ${safeCloses} without breaking`] : [];
  return [head.filter(Boolean).join('  '), ...without];
}

function summary(total: Summary, paint: Paint): string[] {
  const { advisories = 0, fixable = 0, fixableWithoutBreaking = 0, packages = 0, over, dev, upgrades } = total;
  const counts = SEVERITIES.filter(word => total[word]).map(word => paint(STYLES[word], `${total[word]} ${word}`));
  const lines = [
    [
      paint(advisories > 0 ? 'red' : 'green', `${advisories} advisories`),
      ...counts,
      advisories > 0 && `${packages} packages`,
      advisories > 0 && `${fixable} fixable, ${fixableWithoutBreaking} without a breaking change`,
      total.allowed && `${total.allowed} allowed`,
      dev && `${dev} of development left out`,
      over && `${over} not shown`,
    ],
    upgrades !== undefined && [`${upgrades} upgrades close ${total.closes}, ${total.left} stay`],
    total.new !== undefined && [
      `${total.new} new, ${total.worse} worse, ${total.unchanged} unchanged, ${total.gone} gone, ${total.absent} absent`,
    ],
  ].filter(line => line !== false);
  const ends = (total.incomplete ?? []).map(({ run, reason, message }) =>
    paint('yellow', safe(`${shownName(run)}: not whole (${reason}): ${message ?? ''}`)),
  );
  if (total.reason === 'interrupted') ends.push(paint('yellow', 'interrupted'));
  return [...lines.map(line => line.filter(Boolean).join(', ')), ...ends];
}
