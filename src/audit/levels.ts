/** Severities in words: ours, the auditors', and the bands of CVSS scores. */
import type { Severity } from '../record/types.js';

/** Worst first; of `unknown` nothing is known, so it stands last, and no gate may take it for harmless. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'moderate', 'low', 'info', 'unknown'];

export const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

const WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  important: 'high',
  moderate: 'moderate',
  medium: 'moderate',
  low: 'low',
  minor: 'low',
  negligible: 'info',
  info: 'info',
  informational: 'info',
  none: 'info',
};

/** An auditor's word as ours; undefined where it is none. */
export function severityOf(word: string | undefined): Severity | undefined {
  if (word === undefined) return undefined;
  const key = Object.hasOwn(WORDS, word) ? word : word.trim().toLowerCase();
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}

/**
 * The band of a CVSS base score, which FIRST has defined for 3.x and 4.0 (https://www.first.org/cvss/v4.0/specification-document,
 * section 6) and everybody uses for 2.0, too. Its `None` is our `info`.
 */
export function bandOf(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'moderate';
  return score >= 0.1 ? 'low' : 'info';
}
