/**
 * aido as a library: the readers of logs, reports and audits, the records, the baseline, what several runs say of a test,
 * and what has to be upgraded. What is exported here stays; everything else may change.
 */
export type { Auditor, Finding as AuditFinding, Out as AuditOut } from './audit/auditor.js';
export { AUDITORS } from './audit/auditors/index.js';
export { Findings } from './audit/findings.js';
export { Merged, merge } from './audit/merge.js';
export { type Plan, plan } from './audit/plan.js';
export { type Score, scoreOf } from './audit/severity.js';
export type { Baseline } from './baseline/file.js';
export { parseFailures } from './baseline/plain.js';
export { captureBaseline, diffBaseline, type SetDiff } from './baseline/sets.js';
export { Histories, type Run } from './flaky/histories.js';
export { type Named, rerun } from './flaky/rerun.js';
export { runsFor95, wilson } from './flaky/statistics.js';
export { type Verdicts, verdicts } from './flaky/verdicts.js';
export { LogReader, type LogRecord, type ReadOptions } from './reading/engine.js';
export { Facts } from './reading/facts.js';
export { FORMATS } from './reading/formats/index.js';
export type { Report } from './reading/report.js';
export { ReportReader } from './reading/report-reader.js';
export { REPORTS } from './reading/reports/index.js';
export type { Totals } from './reading/totals.js';
export { normalise } from './record/identity.js';
export { type OnRecord, RecordReader } from './record/read.js';
export * from './record/types.js';
export { validate, validateBaseline } from './record/validate.js';
export { serialise } from './record/write.js';
