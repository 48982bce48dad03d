/**
 * aido as a library: the reader of logs, the records, and the baseline. What is exported here stays; everything else
 * may change.
 */
export type { Baseline } from './baseline/file.js';
export { parseFailures } from './baseline/plain.js';
export { captureBaseline, diffBaseline, type SetDiff } from './baseline/sets.js';
export { LogReader, type LogRecord, type ReadOptions } from './reading/engine.js';
export { Facts } from './reading/facts.js';
export { FORMATS } from './reading/formats/index.js';
export type { Totals } from './reading/totals.js';
export { normalise } from './record/identity.js';
export { type OnRecord, RecordReader } from './record/read.js';
export * from './record/types.js';
export { validate, validateBaseline } from './record/validate.js';
export { serialise } from './record/write.js';
