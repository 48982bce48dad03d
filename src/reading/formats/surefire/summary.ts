/**
 * The end of a surefire run: `Failures:`, `Errors:`, `Flakes:`, each entry with the simple name of its class
 * (`MoneyTest.adds:22 m`, `C>Base.m:16->Base.help:11 m`, old `adds(a.b.MoneyTest): m`), runs of one test grouped.
 */
import type { Line } from '../../format.js';

export interface Entry {
  suite: string;
  method: string;
  message: string;
  line: Line;
}

export type Section = 'failed' | 'flakes' | 'other';

const LEVEL = /^\[(?:ERROR|WARNING|INFO|WARN)\] ?/;
export const unlevelled = (text: string): string => (text[0] === '[' ? text.replace(LEVEL, '') : text);

const SECTIONS: [RegExp, Section][] = [
  [/^(?:Failed tests|Tests in error|Failures|Errors): *(.*)$/, 'failed'],
  [/^(?:Flaked tests|Flakes): *(.*)$/, 'flakes'],
  [/^(?:Tests skipped|Skipped tests|Warnings): *(.*)$/, 'other'],
];
/** `adds(org.shop.MoneyTest): message`, `rounds[1: 2 (x)](org.shop.RoundingTest): message`. */
const OLD = /^(\S.*?)\(([\w$]+(?:\.[\w$]+)+)\)(?:: (.*))?$/;
/** `MoneyTest>MoneyBase.inherited:16->MoneyBase.same:11 message`, `MoneyTest.adds:22 » NullPointer message`. */
const NEW = /^([A-Za-z_$][\w$]*)(?:>[\w$]+)?\.([\w$]+(?:\[[^\]]*\])?)((?::\d+)?(?:->[\w$.:<>]+)*)(?: (.*))?$/;
const CLASS = /^([\w$]+(?:\.[\w$]+)*)(?::\d+)? » (.*)$/;
const RUN = /^Run \d+: (PASS|.*)$/;

export const section = (text: string): [Section, string] | undefined => {
  for (const [pattern, name] of SECTIONS) {
    const found = pattern.exec(text);
    if (found !== null) return [name, found[1] as string];
  }
  return undefined;
};

export function entry(text: string, line: Line): Entry | undefined {
  const [, name, suite, said] = OLD.exec(text) ?? [];
  if (suite !== undefined) return { suite, method: name as string, message: said ?? '', line };
  const [, cls, method, , message = ''] = NEW.exec(text) ?? [];
  if (cls !== undefined) return { suite: cls, method: method as string, message: message.replace(/^» ?/, ''), line };
  const [, only, why] = CLASS.exec(text) ?? [];
  return only === undefined ? undefined : { suite: only, method: '', message: why as string, line };
}

export const run = (text: string): 'passed' | 'failed' | undefined => {
  const said = RUN.exec(text)?.[1];
  return said === undefined ? undefined : said === 'PASS' ? 'passed' : 'failed';
};

const OLD_NAME = /^(.*)\(([\w$.]+)\)$/;
const QUALIFIED = /^((?:[a-z_][\w$]*\.)*[A-Z][\w$]*)(?:\.(.+))?$/;

/** The class and the test that a status line names; the class of the count above where it names none. */
export function named(head: string, above: string): [suite: string, method: string] {
  const outer = above.replace(/\$.*/, '');
  if (head === above) return [head, ''];
  if (above !== '' && head.startsWith(`${above}.`)) return [above, head.slice(above.length + 1)];
  const [, method = '', cls = ''] = OLD_NAME.exec(head) ?? [];
  if (cls !== '' && !method.startsWith(`${outer}.`) && (cls.includes('.') || cls === above)) return [cls, method];
  const [, suite, rest = ''] = QUALIFIED.exec(head) ?? [];
  if (suite !== undefined && (rest !== '' || suite.includes('.'))) return [suite, rest];
  return [above, head];
}
