/** What the auditors told beside vulnerabilities, as records: each fact once. */
import { groupBy } from '../base/group.js';
import { byCodePoint, cutUnits, oneLine } from '../base/text.js';
import type { Notice } from '../record/types.js';
import type { Note } from './auditor.js';
import type { Findings, Said } from './findings.js';
import { byRank, pageOf, spelled } from './ids.js';

const MESSAGE = 1000;

/** @param several there are several inputs, so that it matters which one told of it */
export function notices({ notices, unread }: Findings, several: boolean): Notice[] {
  const all = [
    ...notices.map(note => told(note, several)),
    ...unread.map(({ from, line, text }): Notice => {
      const message = bounded(`line ${line} is no audit: ${text}`);
      return { type: 'notice', kind: 'unread', message, ...(several && { from }) };
    }),
  ];
  // The same in several inputs is one; what could not be read is counted.
  let unreadable = 0;
  const same = groupBy(all, notice =>
    notice.kind === 'unread' ? String(unreadable++) : JSON.stringify({ ...notice, from: undefined }),
  );
  return [...same.values()].map(group =>
    group.reduce((a, b) => (byCodePoint(a.from ?? '', b.from ?? '') <= 0 ? a : b)),
  );
}

/** Another's text, bounded. */
const bounded = (text: string): string => cutUnits(oneLine(text), MESSAGE);

function told(note: Note & Said, several: boolean): Notice {
  const { kind, ecosystem, package: name, version, message, url, replacement, tool, from } = note;
  const [id, ...aliases] = (note.ids ?? []).map(spelled).filter(one => one !== '');
  const named = id ?? nameOf(note);
  return {
    type: 'notice',
    kind,
    ...(ecosystem && { ecosystem }),
    ...(name && { package: name }),
    ...(version && { version }),
    // Blank space ends an id in the file of --allow.
    ...(named && { id: named.replace(/\s+/g, '-') }),
    ...(aliases.length > 0 && { aliases: [...new Set(aliases)].sort(byRank) }),
    ...(message && { message: bounded(message) }),
    ...((url || (id && pageOf(id))) && { url: url || pageOf(id as string) }),
    ...(replacement && { replacement }),
    ...(tool && { tool }),
    ...(several && { from }),
  } as Notice;
}

/** What `--allow` may call one that has no id. */
function nameOf({ kind, ecosystem, package: name, tool }: Note & Said): string | undefined {
  if (name !== undefined && ecosystem !== undefined) return `${kind}:${ecosystem}/${name}`;
  return kind === 'notAudited' && tool !== '' ? `${kind}:${tool}` : undefined;
}
