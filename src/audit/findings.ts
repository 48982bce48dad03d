/** Everything that the auditors said, gathered over all inputs. */
import type { Incomplete } from '../record/types.js';
import type { Finding, Note, Out } from './auditor.js';
import { isSpelled, spelled } from './ids.js';

/** Who said it, and in which input. A report may have a hundred thousand findings: they are not copied. */
export interface Said {
  tool: string;
  /** The name of the input; `-` is standard input. */
  from: string;
}

export type Told = Finding & Said;

export class Findings {
  readonly findings: Told[] = [];
  readonly notices: (Note & Said)[] = [];
  /** Lines of the input that are no audit. */
  readonly unread: { from: string; line: number; text: string }[] = [];
  /** Auditors that were heard, whether or not they found something. */
  readonly tools = new Set<string>();
  readonly incomplete: Incomplete[] = [];
  /** What is incomplete unless the auditor exited with 0. */
  readonly doubts: Incomplete[] = [];

  /** Where one reader of one input says what it read. `failed` is told apart: it is no fact, but an error. */
  out(from: string, failed: (message: string) => void): Out {
    let tool = '';
    return {
      failed,
      audited: name => {
        tool = name;
        this.tools.add(name);
      },
      finding: finding => {
        const told = finding as Told;
        if (!finding.ids.every(isSpelled)) told.ids = finding.ids.map(spelled).filter(id => id !== '');
        if (told.ids.length === 0) told.ids = [nameless(told)];
        told.tool = tool;
        told.from = from;
        this.findings.push(told);
      },
      unreadable: what => {
        this.notices.push({ ...what, kind: 'unread', tool, from });
        this.incomplete.push({ run: from, reason: 'notAudited', message: what.message ?? 'not readable' });
      },
      notice: notice => this.notices.push({ ...notice, tool, from }),
      incomplete: (reason, message) => this.incomplete.push({ run: from, reason, message }),
      doubt: message => this.doubts.push({ run: from, reason: 'notAudited', message }),
    };
  }
}

/** What has no name goes by its address, or by its package: it counts all the same. */
const nameless = ({ url, ecosystem, package: name }: Finding): string =>
  (url ?? `unnamed:${ecosystem}/${name}`).replace(/\s+/g, '-');
