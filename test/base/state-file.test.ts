import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { locked, readState, stateFolder, writeState } from '../../src/base/state-file.js';
import { temporary } from '../support/folder.js';

const shape = { version: 2, invalid: (value: unknown) => (value === 7 ? 'seven' : undefined) };
const folder = temporary;

test('where state lives', t => {
  const cases: [dir: string | undefined, env: Record<string, string>, path: string][] = [
    [undefined, {}, '/w/.aidokit'],
    [undefined, { AIDO_DIR: '' }, '/w/.aidokit'],
    [undefined, { AIDO_DIR: 'x' }, '/w/x'],
    ['y', { AIDO_DIR: 'x' }, '/w/y'],
    ['/abs', {}, '/abs'],
  ];
  for (const [dir, env, path] of cases) t.equal(stateFolder(dir, { env, cwd: '/w' }), path);
  t.end();
});

test('reading', async t => {
  const path = join(folder(), 'state.json');
  t.equal(await readState(path, shape), undefined, 'there is none');
  const cases: [text: string, found: unknown | RegExp][] = [
    ['{"version":2,"a":1}', { version: 2, a: 1 }],
    ['\ufeff{"a":1}\r\n', { a: 1 }],
    ['{"a":', /is damaged: .*; restore it or delete it$/],
    ['', /is damaged/],
    ['7', /is damaged: seven;/],
    ['{"version":3}', /is of version 3, newer than this program/],
  ];
  for (const [text, found] of cases) {
    writeFileSync(path, text);
    if (found instanceof RegExp) await t.rejects(readState(path, shape), { code: 'BAD_STATE', message: found }, text);
    else t.strictSame(await readState(path, shape), found, text);
  }
  await t.rejects(readState(folder(), shape), { code: 'BAD_STATE', message: /cannot read .*directory/ });
});

test('writing', async t => {
  const dir = folder();
  const path = join(dir, 'new/folder/state.json');
  await writeState(path, 'one');
  await writeState(path, 'two');
  t.equal(readFileSync(path, 'utf8'), 'two');
  t.strictSame(readdirSync(join(dir, 'new/folder')), ['state.json'], 'no temporary file is left');

  chmodSync(path, 0o640);
  const link = join(dir, 'link.json');
  symlinkSync(path, link);
  await writeState(link, 'three');
  t.equal(readFileSync(path, 'utf8'), 'three', 'what the link points to');
  t.equal(statSync(path).mode & 0o777, 0o640, 'its mode stays');
  await t.rejects(writeState(join(path, 'below'), 'x'), { code: 'UNAVAILABLE', message: /^cannot write .*below: / });
  await t.rejects(writeState(join(dir, 'new'), 'x'), { code: 'UNAVAILABLE' }, 'a folder stands there');
  t.strictSame(readdirSync(dir), ['link.json', 'new'], 'no temporary file is left by what failed');
});

test('one at a time', async t => {
  const path = join(folder(), 'sub/state.json');
  const lock = `${path}.lock`;
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise(done => setTimeout(done, 5));
    inside--;
    return 'done';
  };
  t.strictSame(await Promise.all(Array.from({ length: 8 }, () => locked(path, work))), Array(8).fill('done'));
  t.equal(most, 1);
  await t.rejects(
    locked(path, async () => Promise.reject(new Error('mine'))),
    { message: 'mine' },
  );
  t.strictSame(readdirSync(join(path, '..')), [], 'no lock is left');

  const alive = JSON.stringify({ pid: process.pid, host: hostname() });
  const dead = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() });
  const elsewhere = JSON.stringify({ pid: 1, host: 'another.example' });
  const long = new Date(Date.now() - 3_600_000);
  const cases: [what: string, text: string, time: Date | undefined, taken: boolean][] = [
    ['its owner lives', alive, long, false],
    ['its owner was killed', dead, undefined, true],
    ['of another machine, fresh', elsewhere, undefined, false],
    ['of another machine, forgotten', elsewhere, long, true],
    ['damaged, fresh', '{"pid":', undefined, false],
    ['damaged, forgotten', '', long, true],
  ];
  for (const [what, text, time, taken] of cases) {
    writeFileSync(lock, text);
    if (time) utimesSync(lock, time, time);
    if (taken) t.equal(await locked(path, work, 50), 'done', what);
    else
      await t.rejects(locked(path, work, 50), { code: 'UNAVAILABLE', message: /is in use; .* delete .*lock$/ }, what);
  }
  writeFileSync(lock, dead);
  await Promise.all(Array.from({ length: 8 }, () => locked(path, work)));
  t.equal(most, 1, 'also when several find a stale lock');
});
