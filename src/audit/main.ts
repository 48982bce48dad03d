/** aido-audit: what has to be upgraded, worst and fixable first. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Call, defineCommand } from '../base/command.js';
import { AidoError, systemReason } from '../base/error.js';
import { openInputs, shownName } from '../base/input.js';
import { nearest } from '../base/nearest.js';
import { painterOf } from '../base/paint.js';
import { decoderOf } from '../reading/encoding.js';
import type { Advisory, Incomplete, Notice, Severity, Summary, Upgrade } from '../record/types.js';
import { serialise } from '../record/write.js';
import { applyAllow, parseAllow, today } from './allow.js';
import { diff } from './diff.js';
import { Findings } from './findings.js';
import { rankOf, SEVERITIES, severityOf } from './levels.js';
import { type Merged, merge } from './merge.js';
import { notices } from './notices.js';
import { readOld } from './old.js';
import { byKind, byUrgencyOfRecords, mostUrgent } from './order.js';
import { type Plan, plan } from './plan.js';
import { pretty } from './pretty.js';
import { readInput } from './reading.js';
import { scoreOf } from './severity.js';
import { statuses, summarise } from './summary.js';

const MAX = 200;
/** Who prints nothing where nothing is found. */
const MUTE = ['yarn', 'pip-audit', 'osv-scanner', 'composer'];
/** From here on a status is the shell's: not found, not runnable, killed. */
const DEATH = 126;

const flags = {
  plan: { help: 'the fewest upgrades that close the most, best first' },
  diff: { arg: 'OLD', help: 'say what is new against an earlier output' },
  allow: { arg: 'FILE', help: 'ids that do not count, one a line: ID until=DAY why' },
  exitCode: { short: 'e', help: 'exit 1 if an advisory counts, 2 if not all was audited' },
  level: { arg: 'WORD', help: '-e, --plan: from critical, high, moderate, low, info on' },
  fixable: { help: '-e, --plan: only what can be fixed' },
  prod: { help: 'leave out what is only used for development' },
  status: { arg: 'N', as: 'integer', help: 'what the auditor exited with' },
  pretty: { short: 'p', help: 'text for people instead of JSON' },
  max: { arg: 'N', as: 'count', help: `write at most N records (${MAX}), the worst first` },
} as const;

type AuditCall = Call<typeof flags>;

export const command = defineCommand({
  name: 'aido-audit',
  about: 'What do I have to upgrade: one JSON record an advisory, worst and fixable first.',
  usage: ['[flags] [FILE…]'],
  holdsInput: true,
  flags,
  notes: [
    'FILE (or standard input): the JSON of npm, pnpm, yarn or bun audit, cargo audit,',
    'pip-audit, osv-scanner, govulncheck, composer audit, bundle-audit; also several.',
    'example: npm audit --json | aido-audit --plan',
  ],
  async run(call) {
    const level = levelOf(call.flags.level);
    const audit = await read(call);
    if (call.flags.allow !== undefined) await allow(call, audit, call.flags.allow);
    const past = await compare(call, audit);
    const counted = audit.merged.filter(one => counts(one, level, call.flags));
    const planned = call.flags.plan ? plan(counted) : undefined;
    // That took a while: a Ctrl-C meanwhile gets its turn.
    await new Promise(done => setImmediate(done));
    const summary = write(call, audit, past, counted, planned);
    if (audit.error && !call.interrupts.signal) throw audit.error;
    return call.flags.exitCode && !call.interrupts.signal ? gate(counted.length, summary) : 0;
  },
});

/** What all inputs told together. */
interface Audit {
  merged: Merged[];
  notices: Notice[];
  findings: Findings;
  /** Who looked, or may have, where nothing was said. */
  looked: ReadonlySet<string>;
  inputs: string[];
  /** Advisories left out by `--prod`. */
  dev: number;
  /** What makes an input unusable; what was read counts all the same. */
  error: AidoError | undefined;
}

function levelOf(word: string | undefined): Severity {
  const level = word === undefined ? 'info' : severityOf(word);
  if (level !== undefined) return level;
  const words = SEVERITIES.filter(severity => severity !== 'unknown');
  const close = nearest(word ?? '', words);
  throw new AidoError(
    'BAD_INVOCATION',
    `--level ${word}: ${close ? `did you mean ${close}?` : `not one of ${words.join(', ')}`}`,
  );
}

async function read({ flags, operands, world, interrupts }: AuditCall): Promise<Audit> {
  const inputs = await openInputs(operands, world, interrupts);
  const findings = new Findings();
  let error: AidoError | undefined;
  let mute: readonly string[] = [];
  // A status is that of one auditor: it says nothing of the others.
  const vouched = flags.status === 0 && inputs.length === 1;
  for (const input of inputs) {
    const heard = await readInput(input, findings, interrupts);
    // The auditor's own word.
    if (heard.empty && vouched) {
      mute = MUTE;
      continue;
    }
    error ??= heard.error;
    if (heard.error)
      findings.incomplete.push({ run: input.name, reason: heard.reason ?? 'noRun', message: heard.error.message });
  }
  error ??= cutIn(findings);
  if (!vouched) findings.incomplete.push(...findings.doubts);
  const several = inputs.length > 1;
  const all = merge(findings.findings, scoreOf, several);
  const kept = flags.prod ? all.filter(({ dev }) => !dev) : all;
  const merged = mostUrgent(kept, flags.max ?? MAX);
  const told = notices(findings, several);
  const ended = byStatus(flags.status, all.length + findings.notices.length);
  if (ended) findings.incomplete.push({ run: '-', reason: 'crash', message: ended.message });
  error ??= ended;
  // Nothing to show for it: a summary would read as if nothing were wrong.
  if (error && all.length + told.length === 0 && !interrupts.signal) throw error;
  return {
    merged,
    notices: told,
    findings,
    looked: new Set([...findings.tools, ...mute]),
    inputs: inputs.map(({ name }) => name),
    dev: all.length - merged.length,
    error,
  };
}

/** An audit whose own end or count shows that it is not whole, also where each of its documents is. */
function cutIn({ incomplete }: Findings): AidoError | undefined {
  const cut = incomplete.find(({ reason }) => reason === 'truncated');
  return cut && new AidoError('BAD_INPUT', `${shownName(cut.run)}: ${cut.message}`);
}

/** An auditor that exits non-zero has found something; one that has not has failed. */
function byStatus(status: number | undefined, told: number): AidoError | undefined {
  if (!status || (told > 0 && status > 0 && status < DEATH)) return undefined;
  const what = told > 0 ? 'it did not come to its end' : 'told of nothing: it failed; see its standard error';
  return new AidoError('BAD_INPUT', `the auditor exited with ${status} and ${what}`);
}

async function compare({ flags, world, interrupts }: AuditCall, audit: Audit): Promise<Advisory[]> {
  if (flags.diff === undefined) return [];
  const old = await readOld(flags.diff, scoreOf, world, interrupts);
  const now = {
    advisories: audit.merged.map(({ record }) => record),
    notices: audit.notices,
    tools: audit.looked,
    inputs: audit.inputs,
    whole: audit.findings.incomplete.length === 0 && !interrupts.signal,
    fixable: flags.fixable === true,
  };
  return diff(flags.prod ? old.filter(({ dev }) => !dev) : old, now).sort(byUrgencyOfRecords);
}

async function allow({ world }: AuditCall, audit: Audit, name: string): Promise<void> {
  const bytes = await readFile(resolve(world.cwd, name)).catch(error => {
    throw new AidoError('BAD_INVOCATION', `cannot read ${name}: ${systemReason(error)}`);
  });
  const text = decoderOf(bytes).decode(bytes);
  const records = [...audit.merged.map(({ record }) => record), ...audit.notices];
  audit.notices.push(...applyAllow(parseAllow(text, name), records, today(world.env), name));
}

/** Whether the gate and the plan are about it. Of what has no severity nobody knows that it is harmless. */
function counts({ severity, fixRank, allowed, status }: Merged, level: Severity, flags: AuditCall['flags']): boolean {
  if (allowed || status === 'unchanged' || (flags.fixable && fixRank === 2)) return false;
  return severity === 'unknown' || rankOf(severity) <= rankOf(level);
}

/** Dependencies that nobody looked at, as a reason of its own. */
function notAudited(notices: readonly Notice[]): Incomplete[] {
  const skipped = notices.filter(({ kind, allowed }) => kind === 'notAudited' && !allowed);
  return skipped.map(({ package: name = '-', message = '' }) => ({
    run: name,
    reason: 'notAudited',
    message: message || 'skipped',
  }));
}

/** Writes what was found, the worst first; its summary. */
function write(
  { flags, out, world, interrupts }: AuditCall,
  audit: Audit,
  past: readonly Advisory[],
  counted: readonly Merged[],
  planned: Plan | undefined,
): Summary {
  const notices = [...audit.notices].sort(byKind);
  const max = flags.max ?? MAX;
  // The records of what is not shown are not made.
  const told = planned?.upgrades ?? [...audit.merged.slice(0, max).map(({ record }) => record), ...past];
  const records: (Advisory | Notice | Upgrade)[] = [...told, ...notices];
  const all = (planned?.upgrades.length ?? audit.merged.length + past.length) + notices.length;
  const over = Math.max(0, all - max);
  const summary = summarise(
    {
      advisories: audit.merged,
      notices,
      tools: audit.findings.tools,
      incomplete: [...audit.findings.incomplete, ...notAudited(notices)],
      interrupted: interrupts.signal !== undefined,
    },
    {
      ...(over > 0 && { over }),
      ...(flags.diff !== undefined && statuses(audit.merged, past)),
      ...(audit.dev > 0 && { dev: audit.dev }),
      ...(flags.exitCode && { blocking: counted.length }),
      ...(planned && { upgrades: planned.upgrades.length, closes: planned.closes, left: planned.left }),
    },
  );
  const paint = flags.pretty && painterOf(world);
  for (const record of [...records.slice(0, max), summary]) {
    out.write(paint ? pretty(record, paint) : `${serialise(record)}\n`);
  }
  return summary;
}

function gate(counted: number, { complete, incomplete = [], notAudited }: Summary): number {
  if (counted > 0) return 1;
  if (complete) return 0;
  const [{ run, message = 'not whole' } = { run: '-' }] = incomplete;
  const more = incomplete.length > 1 ? ` (and ${incomplete.length - 1} more)` : '';
  const way = notAudited ? '; --allow can accept what was skipped' : '';
  throw new AidoError('BAD_INPUT', `not everything was audited: ${run}: ${message}${more}${way}`);
}
