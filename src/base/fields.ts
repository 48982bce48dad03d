/** What a document of somebody else's may hold, as what it ought to hold. */

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const object = (value: unknown): Fields => (isObject(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const string = (value: unknown): string => (typeof value === 'string' ? value : '');
