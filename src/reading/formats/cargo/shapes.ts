/** libtest's lines around those of the tests. */
export const BEGIN = /^running (\d+) tests?$/;
export const TALLY =
  /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;(?: \d+ allowed failures?;)? (\d+) measured(?:; (\d+) filtered out)?/;
export const SECTION = /^(failures|successes):$/;
