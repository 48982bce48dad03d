/**
 * Lines that bear a word of failure and are known to be fine whatever tool printed them: counts of nothing, settings,
 * names of things. A tool's own harmless lines are excused by its format.
 */
const HARMLESS: RegExp[] = [
  // 0 failed, no errors, errors: 0, Failures: 0, without error
  /\b(?:0|no|zero|without(?: any)?) (?:\w+ )?(?:errors?|fail(?:ed|ures?)|exceptions?|assertions?|crashes)\b/i,
  /\b(?:errors?|fail(?:ed|ures?)|crashed)["']?\s*[:=]\s*(?:0\b(?!\.?\d)|false\b|none\b|null\b|\[\])/i,
  // settings: fail-fast: false, --no-fail-fast, if-no-files-found: error, on-error=continue
  /\bfail[-_]?(?:fast|on|under|ci|if)[-_\w]*\s*[:=]/i,
  /(?<![\w-])--?[\w-]*(?:fail|error|crash|panic|exception|assertion)s?(?:-[\w-]+)?(?:[ =]\S+)?\s*$/i,
  /\bif-no-files-found: (?:error|warn|ignore)\b/,
  /\bcontinue[-_]on[-_]error\b/i,
];

export const harmless = (text: string): boolean => HARMLESS.some(pattern => pattern.test(text));
