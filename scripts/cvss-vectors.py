#!/usr/bin/env python3
"""Makes test/audit/cvss.json: base vectors of CVSS 2.0, 3.0, 3.1 and 4.0 with the scores that the specifications give.

In exact fractions, after the formulas of https://www.first.org/cvss/v2/guide (section 3.2.1), /v3.0/ and
/v3.1/specification-document (section 7.1, and Appendix A of 3.1 for how to round) and /v4.0/specification-document
(section 8). The tables of 4.0 (MacroVectors, highest vectors, depths) are read from Red Hat's package `cvss`, whose own
scores then are the second opinion: pip install cvss==3.6

    python3 scripts/cvss-vectors.py          writes the file, tells where the two differ
    python3 scripts/cvss-vectors.py --all    prints every vector and its score
"""

import itertools
import json
import math
import sys
from fractions import Fraction
from pathlib import Path

METRICS = {
    '2.0': ['AV:LAN', 'AC:HML', 'Au:MSN', 'C:NPC', 'I:NPC', 'A:NPC'],
    '3.0': ['AV:NALP', 'AC:LH', 'PR:NLH', 'UI:NR', 'S:UC', 'C:NLH', 'I:NLH', 'A:NLH'],
    '4.0': ['AV:NALP', 'AC:LH', 'AT:NP', 'PR:NLH', 'UI:NPA', *(f'{m}:HLN' for m in ('VC', 'VI', 'VA', 'SC', 'SI', 'SA'))],
}
METRICS['3.1'] = METRICS['3.0']
# Of the 104,976 vectors of 4.0 every 11th: no metric has a multiple of 11 values, so that each value meets each.
STEP = {'4.0': 11}


def weights(text):
    """'N 0.85 A 0.62' -> {'N': 17/20, 'A': 31/50}"""
    words = text.split()
    return dict(zip(words[::2], map(Fraction, words[1::2])))


def half_up(value):
    return math.floor(value * 10 + Fraction(1, 2))


def score2(m, weight={
    'AV': weights('L 0.395 A 0.646 N 1'), 'AC': weights('H 0.35 M 0.61 L 0.71'), 'Au': weights('M 0.45 S 0.56 N 0.704'),
    'CIA': weights('N 0 P 0.275 C 0.66'),
}):
    impact = Fraction('10.41') * (1 - math.prod(1 - weight['CIA'][m[one]] for one in 'CIA'))
    exploitability = 20 * math.prod(weight[one][m[one]] for one in ('AV', 'AC', 'Au'))
    factor = Fraction('1.176') if impact else 0
    return half_up((Fraction('0.6') * impact + Fraction('0.4') * exploitability - Fraction('1.5')) * factor)


def score3(m, weight={
    'AV': weights('N 0.85 A 0.62 L 0.55 P 0.2'), 'AC': weights('L 0.77 H 0.44'), 'UI': weights('N 0.85 R 0.62'),
    'U': weights('N 0.85 L 0.62 H 0.27'), 'C': weights('N 0.85 L 0.68 H 0.5'), 'CIA': weights('N 0 L 0.22 H 0.56'),
}):
    iss = 1 - math.prod(1 - weight['CIA'][m[one]] for one in 'CIA')
    changed = m['S'] == 'C'
    impact = Fraction('7.52') * (iss - Fraction('0.029')) - Fraction('3.25') * (iss - Fraction('0.02')) ** 15 if changed \
        else Fraction('6.42') * iss
    if impact <= 0:
        return 0
    exploitability = Fraction('8.22') * math.prod(weight[one][m[one]] for one in ('AV', 'AC', 'UI')) * weight[m['S']][m['PR']]
    # Rounded up. How 3.1 does it (in hundred-thousandths) and how 3.0 says it must be one for every base vector.
    value = min((Fraction('1.08') if changed else 1) * (impact + exploitability), Fraction(10))
    exact, hundred_thousandths = math.ceil(value * 10), math.floor(value * 100_000 + Fraction(1, 2))
    assert exact == -(-hundred_thousandths // 10_000), m
    return exact


def score4(m, known={}):
    if not known:
        from cvss import constants4
        known.update(
            value={key: Fraction(str(value)) for key, value in constants4.CVSS_LOOKUP_GLOBAL.items()},
            highest=constants4.MAX_COMPOSED, depth=constants4.MAX_SEVERITY,
        )
    if all(m[one] == 'N' for one in ('VC', 'VI', 'VA', 'SC', 'SI', 'SA')):
        return 0
    best = [m[one] == 'N' for one in ('AV', 'PR', 'UI')]
    high = [m[one] == 'H' for one in ('VC', 'VI', 'VA')]
    # Section 8.2; of the metrics that are not of the base group the worst is taken: E:A, CR:H, IR:H, AR:H.
    eq1 = 0 if all(best) else 1 if any(best) and m['AV'] != 'P' else 2
    eq2 = 0 if (m['AC'], m['AT']) == ('L', 'N') else 1
    eq3 = 0 if high[0] and high[1] else 1 if any(high) else 2
    eq4 = 1 if 'H' in (m['SC'], m['SI'], m['SA']) else 2
    eq5, eq6 = 0, 0 if any(high) else 1
    value = known['value']
    at = lambda *eqs: value.get(''.join(map(str, eqs)))
    own = at(eq1, eq2, eq3, eq4, eq5, eq6)
    lower = {
        'eq1': at(eq1 + 1, eq2, eq3, eq4, eq5, eq6),
        'eq2': at(eq1, eq2 + 1, eq3, eq4, eq5, eq6),
        'eq3': max(filter(None, [at(eq1, eq2, eq3 + 1, eq4, eq5, eq6), at(eq1, eq2, eq3, eq4, eq5, eq6 + 1)]), default=None),
        'eq4': at(eq1, eq2, eq3, eq4 + 1, eq5, eq6),
        'eq5': at(eq1, eq2, eq3, eq4, eq5 + 1, eq6),
    }
    levels = {'AV': 'NALP', 'PR': 'NLH', 'UI': 'NPA', 'AC': 'LH', 'AT': 'NP', 'CR': 'HML', 'IR': 'HML', 'AR': 'HML',
              **{one: 'HLN' for one in ('VC', 'VI', 'VA')}, **{one: 'SHLN' for one in ('SC', 'SI', 'SA')}}
    worst = {**m, 'CR': 'H', 'IR': 'H', 'AR': 'H'}

    def distance(group, vectors):
        """From the first of the highest vectors that is as high in every metric: no group knows of another's metrics."""
        for vector in vectors:
            steps = [levels[one].index(worst[one]) - levels[one].index(it)
                     for one, it in (pair.split(':') for pair in vector.strip('/').split('/'))]
            if min(steps) >= 0:
                return sum(steps)
        raise ValueError(group)

    highest, depth = known['highest'], known['depth']
    part = lambda name, eq, vectors, deep: None if lower[name] is None else \
        (own - lower[name]) * Fraction(distance(name, vectors), deep)
    parts = [
        part('eq1', eq1, highest['eq1'][str(eq1)], depth['eq1'][eq1]),
        part('eq2', eq2, highest['eq2'][str(eq2)], depth['eq2'][eq2]),
        part('eq3', eq3, highest['eq3'][str(eq3)][str(eq6)], depth['eq3eq6'][eq3][eq6]),
        part('eq4', eq4, highest['eq4'][str(eq4)], depth['eq4'][eq4]),
        None if lower['eq5'] is None else Fraction(0),
    ]
    there = [one for one in parts if one is not None]
    return half_up(min(max(own - (sum(there) / len(there) if there else 0), Fraction(0)), Fraction(10)))


SCORE = {'2.0': score2, '3.0': score3, '3.1': score3, '4.0': score4}


def vectors(version):
    """All of them, the last metric's value changing first."""
    names, values = zip(*(metric.split(':') for metric in METRICS[version]))
    for one in itertools.product(*values):
        yield dict(zip(names, one))


def text(version, m):
    return ('' if version == '2.0' else f'CVSS:{version}/') + '/'.join(map(':'.join, m.items()))


def compare():
    from cvss import CVSS2, CVSS3, CVSS4
    theirs = {'2.0': CVSS2, '3.0': CVSS3, '3.1': CVSS3, '4.0': CVSS4}
    for version, score in SCORE.items():
        count = different = 0
        for m in vectors(version):
            count += 1
            other = float(theirs[version](text(version, m)).base_score)
            if round(other * 10) != score(m):
                different += 1
                print(f'{text(version, m)}: {score(m) / 10}, the package says {other}')
        print(f'{version}: {count} vectors, {different} differ')


if '--all' in sys.argv:
    for version, score in SCORE.items():
        for m in vectors(version):
            print(text(version, m), score(m) / 10)
else:
    made = {
        version: {
            'metrics': METRICS[version],
            'step': STEP.get(version, 1),
            # Tenths, two hexadecimal digits each.
            'scores': ''.join(f'{score(m):02x}' for m in itertools.islice(vectors(version), 0, None, STEP.get(version, 1))),
        }
        for version, score in sorted(SCORE.items())
    }
    file = Path(__file__).parent.parent / 'test/audit/cvss.json'
    file.write_text(json.dumps(made, indent=2) + '\n')
    compare()
