/** How auditors say in JSON that they failed: what npm, pnpm, yarn and others have in common. */
import { isObject, object, string, text } from './fields.js';

/** What the auditor says of itself; undefined: the document is no such thing. */
export function failureOf(document: unknown): string | undefined {
  if (!isObject(document)) return undefined;
  const { error, message, statusCode, type, data } = document;
  if (type === 'error') return text(data) ?? text(message) ?? WITHOUT;
  // npm: {"error":{"code":"ENOLOCK","summary":…,"detail":…}}; pnpm: {"error":{"code":…,"message":…}}
  const { code, summary, detail, message: own } = object(error);
  const words = join(code, summary ?? own, detail);
  if (words !== '') return words;
  // npm: {"message":…,"statusCode":403,"error":{"summary":"","detail":""}}
  if (typeof message === 'string' && ('statusCode' in document || 'error' in document))
    return join(statusCode, message, error) || WITHOUT;
  return isObject(error) ? WITHOUT : text(error);
}

const WITHOUT = 'an error without a message';

const join = (...parts: unknown[]): string =>
  parts
    .map(part => (typeof part === 'number' ? String(part) : string(part).trim()))
    .filter(part => part !== '')
    .join(': ');

const CHATTER: ReadonlySet<string> = new Set(['type', 'data', 'name', 'displayName', 'indent']);

/** Whether it is a message of an auditor's that says nothing of the audit: yarn's progress, its warnings. */
export const isChatter = (document: unknown): boolean =>
  isObject(document) &&
  typeof document.type === 'string' &&
  document.type !== 'error' &&
  'data' in document &&
  Object.keys(document).every(key => CHATTER.has(key));
