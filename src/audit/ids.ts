/** The names of vulnerabilities. */
import { byCodePoint, oneLine } from '../base/text.js';

/** One spelling of each: `CVE-2021-23337`, `GHSA-35jh-r3h4-6jhm`. */
export function spelled(id: string): string {
  const clean = /\s/.test(id) ? oneLine(id) : id;
  if (/^ghsa-/i.test(clean)) return `GHSA${clean.slice(4).toLowerCase()}`;
  return /^(?:cve|rustsec|pysec|go|osv|mal|osvdb|ghsa)-\d/i.test(clean) ? clean.toUpperCase() : clean;
}

/** Nearly all are: they need not be looked at more closely. */
export const isSpelled = (id: string): boolean =>
  /^(?:GHSA(?:-[\da-z]{4}){3}|(?:CVE|RUSTSEC|PYSEC|GO)-[\d-]+|npm:\d+)$/.test(id);

/** GHSA first: all ecosystems have it. Then what the ecosystem itself calls it, CVE, and npm's numbers. */
function rank(id: string): number {
  if (id.startsWith('GHSA-')) return 0;
  if (id.startsWith('CVE-')) return 2;
  return id.startsWith('npm:') ? 3 : 1;
}

/** The order in which the names of one vulnerability are told. */
export const byRank = (a: string, b: string): number => rank(a) - rank(b) || byCodePoint(a, b);

const PAGES: readonly [RegExp, (id: string) => string][] = [
  [/^GHSA-[\w-]+$/, id => `https://github.com/advisories/${id}`],
  [/^CVE-\d+-\d+$/, id => `https://nvd.nist.gov/vuln/detail/${id}`],
  [/^RUSTSEC-\d+-\d+$/, id => `https://rustsec.org/advisories/${id}.html`],
  [/^GO-\d+-\d+$/, id => `https://pkg.go.dev/vuln/${id}`],
  [/^(?:PYSEC|OSV|MAL)-\d+-\d+$/, id => `https://osv.dev/vulnerability/${id}`],
];

/** The page that describes it, where its name tells which. */
export const pageOf = (id: string): string | undefined => PAGES.find(([pattern]) => pattern.test(id))?.[1](id);

/** What is one package whatever its spelling (https://peps.python.org/pep-0503/#normalized-names; Packagist knows no case). */
export function packageKey(ecosystem: string, name: string): string {
  if (ecosystem === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-');
  return ecosystem === 'Packagist' ? name.toLowerCase() : name;
}

/** Whether two names are one package's. */
export const isSamePackage = (ecosystem: string, a: string, b: string): boolean =>
  packageKey(ecosystem, a) === packageKey(ecosystem, b);
