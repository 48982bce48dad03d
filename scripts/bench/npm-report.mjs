/** An npm report of a given size, as `npm audit --json` prints it: `node npm-report.mjs 100 >report.json` makes one of 100 MB. */
const bytes = Number(process.argv[2] ?? 100) * 1e6;
const words = ['critical', 'high', 'moderate', 'low'];
const id = n =>
  n
    .toString(36)
    .padStart(4, 'c')
    .replace(/[^23456789cfghjmpqrvwx]/g, 'x')
    .slice(-4);

function entry(n) {
  const name = `package-${n}`;
  const advisory = {
    source: 1_000_000 + n,
    name,
    dependency: name,
    title: `Prototype pollution of a kind in ${name} when options are merged`,
    url: `https://github.com/advisories/GHSA-${id(n)}-${id(n >> 4)}-${id(n >> 8)}`,
    severity: words[n % 4],
    cwe: ['CWE-1321', 'CWE-915'],
    cvss: { score: 7.2, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H' },
    range: `<${n % 7}.2.3`,
  };
  const above = n + 1;
  return [
    name,
    {
      name,
      severity: words[n % 4],
      isDirect: n % 10 === 9,
      via: n % 3 === 0 ? [advisory] : [`package-${n - 1}`, ...(n % 3 === 1 ? [advisory] : [])],
      effects: n % 10 === 9 ? [] : [`package-${above}`],
      range: `<=${n % 7}.2.2`,
      nodes: [`node_modules/${name}`, `node_modules/package-${above}/node_modules/${name}`],
      fixAvailable: n % 5 === 0 ? { name: `package-${above}`, version: '9.0.0', isSemVerMajor: true } : n % 2 === 0,
    },
  ];
}

const parts = ['{\n  "auditReportVersion": 2,\n  "vulnerabilities": {\n'];
let size = 0;
for (let n = 0; size < bytes; n++) {
  const [name, value] = entry(n);
  const text = `    ${JSON.stringify(name)}: ${JSON.stringify(value, null, 2).replaceAll('\n', '\n    ')}`;
  parts.push(n ? ',\n' : '', text);
  size += text.length;
}
parts.push('\n  },\n  "metadata": { "vulnerabilities": { "total": 1 } }\n}\n');
process.stdout.write(parts.join(''));
