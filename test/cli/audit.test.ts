/** aido-audit as a shell sees it: real processes, real pipes, scripts with pipefail. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { FIXTURES } from '../support/fixtures.js';
import { bash, end, folder } from '../support/shell.js';

const audits = join(FIXTURES, 'audit');
cpSync(join(audits, 'npm/cases/found.json'), join(folder, 'npm.json'));
cpSync(join(audits, 'npm/cases/clean.json'), join(folder, 'clean.json'));
cpSync(join(audits, 'npm/cases/no-lockfile.json'), join(folder, 'failed.json'));
cpSync(join(audits, 'cargo-audit/cases/found.json'), join(folder, 'cargo.json'));
writeFileSync(join(folder, 'allowed'), 'GHSA-xvch-5gv4-984h until=2999-12-31 ours\nGHSA-67hx-6x53-jw92\n');

test('scripts', async t => {
  const cases: [script: string, code: number, out?: RegExp, err?: RegExp][] = [
    ['aido-audit npm.json', 0, /^\{"type":"advisory",.*"severity":"critical"/],
    ['aido-audit <npm.json | head -1 | grep -c critical', 0, /^1\n$/],
    ['set -o pipefail; (cat npm.json; exit 1) | aido-audit >/dev/null; echo $?', 0, /^1\n$/],
    ['aido-audit -e npm.json >/dev/null', 1, /^$/],
    ['aido-audit -e clean.json', 0, /"advisories":0,.*"complete":true/],
    ['aido-audit -e --level critical --allow allowed npm.json', 0, /"allowed":true,"allowedUntil":"2999-12-31"/],
    ['(cat npm.json; exit 1) >log; aido-audit -e --level high --status $? log >/dev/null', 1, /^$/],
    [
      '(cat clean.json; exit 1) >log; aido-audit -e --status $? log',
      2,
      /^$/,
      /the auditor exited with 1 and told of nothing/,
    ],
    ['aido-audit failed.json', 2, /^$/, /^aido-audit: BAD_INPUT: failed.json: the audit failed: ENOLOCK/],
    ['cat failed.json | aido-audit -e', 2, /^$/, /BAD_INPUT: standard input: the audit failed/],
    ['no-such-auditor 2>/dev/null | aido-audit -e', 2, /^$/, /BAD_INPUT: standard input: empty/],
    ['aido-audit - cargo.json <npm.json | tail -1', 0, /"tools":\["cargo-audit","npm"\]/],
    ['aido-audit --plan npm.json | tail -1', 0, /"upgrades":\d+,"closes":\d+,"left":\d+/],
    ['aido-audit npm.json >old; aido-audit -e --diff old npm.json | tail -1', 0, /"new":0,.*"unchanged":9/],
    ['aido-audit clean.json >old; aido-audit -e --diff old npm.json >/dev/null', 1, /^$/],
    ['aido-audit --diff <(aido-audit clean.json) npm.json | tail -1', 0, /"new":9/],
    ['aido-audit npm.json >/dev/full', 2, /^$/, /^aido-audit: UNAVAILABLE: cannot write to standard output/],
    ['aido-audit .', 2, /^$/, /^aido-audit: BAD_INVOCATION: cannot read \.: it is a folder/],
    ['aido-audit <&-', 2, /^$/, /BAD_INPUT/],
    ['aido-audit -p npm.json | grep -c "$(printf "\\033")"', 1, /^0\n$/],
    ['aido-audit -p npm.json | tail -1', 0, /^9 advisories, 2 critical, 2 high, 4 moderate, 1 low/],
  ];
  for (const [script, code, out = /./, err = /^$/] of cases) {
    const ended = await end(bash(script));
    t.equal(ended.code, code, `${script}\n${ended.err}`);
    t.match(ended.out, out, script);
    t.match(ended.err, err, script);
  }
});
