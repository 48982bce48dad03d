/** Whether a value is what the published schemas say. The validators are compiled from schemas/ at build time. */
import * as validators from './generated/validators.js';

const known: Record<string, (typeof validators)['failure'] | undefined> = { ...validators };

/** Whether records of this type have a schema. */
export function isKnownType(type: unknown): type is string {
  return typeof type === 'string' && type !== 'baseline' && Object.hasOwn(known, type);
}

/** What is wrong with a record, in words; undefined when nothing is, or when its type is not one that we know. */
export function validate(record: unknown): string | undefined {
  const { type } = Object(record) as { type?: unknown };
  if (typeof type !== 'string') return 'a record is an object with a type';
  return isKnownType(type) ? invalid(type, record) : undefined;
}

/** What is wrong with the content of aido-baseline's state file. */
export function validateBaseline(value: unknown): string | undefined {
  return invalid('baseline', value);
}

function invalid(name: string, value: unknown): string | undefined {
  const validator = known[name];
  if (!validator || validator(value)) return undefined;
  const { instancePath = '', message = 'not valid' } = validator.errors?.[0] ?? {};
  return `${name}${instancePath.replaceAll('/', '.')} ${message}`;
}
