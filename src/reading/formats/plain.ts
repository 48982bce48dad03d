/**
 * Of everything that no other format claims: `FAIL name`, `FAILED name`. The name must be one name-like token, so that
 * `Failed to save cache entry` and `FAILED (errors=18)` are no tests.
 */
import type { Format } from '../format.js';

const STATUS = /^\s*(FAIL|FAILED|Failed|FAIL:|FAILED:)\s+(\S+)\s*(?:[([]?\d[\d.,]*\s?m?s(?:ec)?[)\]]?)?\s*$/;
/** At least one letter, and nothing that a count, a flag, a URL or prose would have. */
const NAME = /^[\w@./\\~][\w@./\\:#$<>~+\-[\](),='"]*$/;
const NO_NAME = /^(?:[\d.,:/\\()[\]-]+|https?:.*|to|in|on|at|with|for|by|the|tests?:?|builds?|jobs?|steps?|.*[=:])$/i;

const isName = (token: string): boolean => NAME.test(token) && /[A-Za-z]/.test(token) && !NO_NAME.test(token);

export const plain: Format = {
  name: 'plain',
  url: 'https://testanything.org',
  hints: ['FAIL', 'FAILED'],
  reader: out => ({
    line(line) {
      const name = STATUS.exec(line.text)?.[2];
      if (name === undefined || !isName(name)) return undefined;
      out.part('status', name, line);
      out.close();
      return 'mine';
    },
  }),
};
