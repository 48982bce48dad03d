/**
 * Text beside the documents of an audit: what an auditor, a package manager or a shell says on the other stream, a heading, the
 * page of a proxy. What is known to be harmless is told and no more. Of what is not known nobody can say that it was no audit
 * that failed.
 */

export type Verdict = 'failed' | 'json' | 'harmless' | 'unknown';

/** As whoever fails begins the line. */
const FAILED =
  /^(?:npm )?(?:err!|error\b|fatal\b|panic\b)|^(?:internal|usage|syntax) error\b|^\[?err_|^\[(?:error|fatal)\]|^thread '.*' panicked|^traceback \(|^➤ YN00(?:01|35)\b|^##\[error\]|^::error\b|^(?:govulncheck|pip-audit|cargo-audit|bundler-audit): |^<(?:!doctype|html)/i;

/** A part of a document that does not begin where a line begins. */
const JSON_LIKE = /[{[]\s*$|[{[]\s*["{[]|^"[^"]*"\s*:/;

const HARMLESS: readonly RegExp[] = [
  // npm, pnpm, yarn, bun: headings of scripts, warnings, progress
  /^> |^\$ |^npm (?:warn|notice|info|http)\b|^(?:pnpm |yarn )?(?:warn|info|notice|warning)\b|^\[(?:\d+\/\d+|[\d:T.Z+-]+|\w+)\] ?|^yarn (?:run|audit) v|^done in |^progress: |^(?:ELIFECYCLE|WARN)\b|^➤ YN0000|^bun audit v/i,
  // cargo audit, pip-audit, osv-scanner, govulncheck, Composer, Bundler
  /^(?:fetching|loaded|updating|scanning|scanned|downloading|installing|running|using|checking|loading|starting|filtered|collecting|auditing|found \d+|no (?:known )?vulnerabilities|no security)\b|^failed to resolve gitignore/i,
  // logs of Python, GitHub Actions, rulers
  /^(?:DEBUG|INFO|NOTICE|WARNING|WARN)\b[: ]|^::(?:group|endgroup|debug|notice|warning)\b|^##\[(?:group|endgroup|command|debug|section)\]|^[-=*#.]+$|^\d+ (?:errors?|warnings?|vulnerabilit(?:y|ies))\b/i,
];

const COLOURS = /\x1b\[[\d;]*m/g;

/** The text as a person sees it. */
export const plainOf = (text: string): string => text.replace(COLOURS, '').trim();

/** @param text without colours */
export function verdictOn(text: string): Verdict {
  if (FAILED.test(text)) return 'failed';
  if (JSON_LIKE.test(text)) return 'json';
  return HARMLESS.some(pattern => pattern.test(text)) ? 'harmless' : 'unknown';
}
