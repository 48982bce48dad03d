/**
 * All reports. To add one: a file beside this one, a line here, a folder of fixtures under `fixtures/`. The first that
 * recognises how an input begins reads it.
 */
import type { Report } from '../report.js';
import { jestJson } from './jest-json.js';
import { junit } from './junit.js';
import { mochaJson } from './mocha-json.js';
import { playwrightJson } from './playwright-json.js';
import { pytestReportLog } from './pytest-report-log.js';
import { HEADINGS } from './shared/around.js';

export const REPORTS: readonly Report[] = [jestJson, junit, mochaJson, playwrightJson, pytestReportLog];

/** What an input that begins so is; undefined: no report. `head` may have blank space and a package manager's headings in front. */
export function reportOf(head: string): Report | undefined {
  const text = head.replace(HEADINGS, '');
  return REPORTS.find(report => report.begins(text));
}

/** Whether an input that begins so may be a report, and only more of it can tell. */
export function mayBeReport(head: string): boolean {
  const text = head.replace(HEADINGS, '');
  // Nothing but headings yet, the last of them perhaps in part; or what a report begins with.
  return /^(?:[>$y][^\n]*)?$|^[<{]/.test(text);
}

/** So much of an input, in bytes, tells. */
export const TELLING = 4096;
