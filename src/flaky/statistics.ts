/** What a few runs say of how often a test fails. */

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * The 95 % Wilson score interval of a share: of the rates for which `failed` of `n` is no surprise, the least and the
 * greatest. (E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.)
 * @param n greater than 0
 */
export function wilson(failed: number, n: number): { low: number; high: number } {
  const share = failed / n;
  const z2 = Z * Z;
  const middle = share + z2 / (2 * n);
  const half = Z * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  const bound = (value: number) => Math.min(1, Math.max(0, value / (1 + z2 / n)));
  return { low: failed === 0 ? 0 : bound(middle - half), high: failed === n ? 1 : bound(middle + half) };
}

/**
 * The least number of runs of which, with a probability of 95 %, at least one fails.
 * @param rate the probability of one to fail, greater than 0
 */
export function runsFor95(rate: number): number {
  return rate >= 1 ? 1 : Math.ceil(Math.log(0.05) / Math.log1p(-rate));
}

/** To 4 digits. */
export const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;
