/**
 * CVSS base scores from vectors, versions 2.0, 3.0, 3.1 and 4.0. Only base metrics count: what else a vector says is of one
 * place and time. (https://www.first.org/cvss/)
 */
import cvss from 'ae-cvss-calculator';

export interface Score {
  score: number;
  version: 2 | 3 | 4;
}

interface Scheme {
  version: 2 | 3 | 4;
  /** What a vector begins with. */
  prefix: string;
  /** The base metrics and their values. */
  base: Readonly<Record<string, string>>;
  /** Metrics that may stand in it and do not count. */
  other: RegExp;
  /** The order that the specification asks for; absent: any. */
  order?: readonly string[];
  score(vector: string): number | undefined;
}

const V3 = { AV: 'NALP', AC: 'LH', PR: 'NLH', UI: 'NR', S: 'UC', C: 'HLN', I: 'HLN', A: 'HLN' };
const OTHER_V3 =
  /^(?:E:[XHFPU]|RL:[XUWTO]|RC:[XCRU]|[CIA]R:[XHML]|M(?:AV:[XNALP]|AC:[XLH]|PR:[XNLH]|UI:[XNR]|S:[XUC]|[CIA]:[XHLN]))$/;
const IMPACTS = { VC: 'HLN', VI: 'HLN', VA: 'HLN', SC: 'HLN', SI: 'HLN', SA: 'HLN' };

const ORDER_V4 =
  'AV AC AT PR UI VC VI VA SC SI SA E CR IR AR MAV MAC MAT MPR MUI MVC MVI MVA MSC MSI MSA S AU R V RE U'.split(' ');

const SCHEMES: readonly Scheme[] = [
  {
    version: 4,
    prefix: 'CVSS:4.0/',
    base: { AV: 'NALP', AC: 'LH', AT: 'NP', PR: 'NLH', UI: 'NPA', ...IMPACTS },
    other:
      /^(?:E:[XAPU]|[CIA]R:[XHML]|M(?:AV:[XNALP]|AC:[XLH]|AT:[XNP]|PR:[XNLH]|UI:[XNPA]|V[CIA]:[XHLN]|SC:[XHLN]|S[IA]:[XSHLN])|S:[XNP]|AU:[XNY]|R:[XAUI]|V:[XDC]|RE:[XLMH]|U:(?:X|Clear|Green|Amber|Red))$/,
    order: ORDER_V4,
    score: vector => new cvss.Cvss4P0(vector).calculateScores().baseMetricsOnly,
  },
  {
    version: 3,
    prefix: 'CVSS:3.1/',
    base: V3,
    other: OTHER_V3,
    score: vector => new cvss.Cvss3P1(vector).calculateScores().base,
  },
  {
    version: 3,
    prefix: 'CVSS:3.0/',
    base: V3,
    other: OTHER_V3,
    score: vector => new cvss.Cvss3P0(vector).calculateScores().base,
  },
  {
    version: 2,
    prefix: '',
    base: { AV: 'LAN', AC: 'HML', Au: 'MSN', C: 'NPC', I: 'NPC', A: 'NPC' },
    other:
      /^(?:E:(?:U|POC|F|H|ND)|RL:(?:OF|TF|W|U|ND)|RC:(?:UC|UR|C|ND)|CDP:(?:N|L|LM|MH|H|ND)|TD:(?:N|L|M|H|ND)|[CIA]R:(?:L|M|H|ND))$/,
    score: vector => new cvss.Cvss2(vector).calculateScores().base,
  },
];

/** Vectors repeat; a score of 4.0 takes a quarter of a millisecond. */
const known = new Map<string, Score | undefined>();

/** The base score of a vector; undefined: it is none, by the specification of its version. */
export function scoreOf(vector: string): Score | undefined {
  if (!known.has(vector)) known.set(vector, calculate(vector));
  return known.get(vector);
}

function calculate(given: string): Score | undefined {
  // NVD writes those of 2.0 in parentheses.
  const vector = given.replace(/^\((.*)\)$/, '$1').replace(/^CVSS:2\.0\//, '');
  const scheme = SCHEMES.find(({ prefix }) => vector.startsWith(prefix)) as Scheme;
  const base = baseOf(vector.slice(scheme.prefix.length), scheme);
  const score = base === undefined ? undefined : scheme.score(base);
  return score === undefined ? undefined : { score, version: scheme.version };
}

/** The vector with nothing but its base metrics, all of which it must have once. */
function baseOf(metrics: string, { prefix, base, other, order }: Scheme): string | undefined {
  const found = new Map<string, string>();
  for (const metric of metrics.split('/')) {
    const [name = '', value = '', rest] = metric.split(':');
    const isBase = rest === undefined && value.length === 1 && Object.hasOwn(base, name) && base[name]?.includes(value);
    if (found.has(name) || !(isBase || other.test(metric))) return undefined;
    found.set(name, value);
  }
  if (order?.filter(name => found.has(name)).join() !== (order && [...found.keys()].join())) return undefined;
  const names = Object.keys(base);
  return names.every(name => found.has(name))
    ? prefix + names.map(name => `${name}:${found.get(name)}`).join('/')
    : undefined;
}
