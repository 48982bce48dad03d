/** From the launcher in a clone to an installed tool. */
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { temporary } from '../support/folder.js';
import { bash, end, root } from '../support/shell.js';

test('the launcher: through links, and without a build', async t => {
  const away = temporary();
  symlinkSync(join(root, 'bin/aido-fail'), join(away, 'aido-fail'));
  symlinkSync(join(away, 'aido-fail'), join(away, 'renamed'));
  for (const name of ['aido-fail', 'renamed']) {
    t.match(await end(bash(`${join(away, name)} --version`)), { code: 0, out: /^aido-fail \d/, err: '' }, name);
  }
  cpSync(join(root, 'bin'), join(away, 'bin'), { recursive: true });
  const { code, err } = await end(bash(join(away, 'bin/aido-fail')));
  t.equal(code, 2);
  t.match(err, /^aido-fail: UNAVAILABLE: not built yet \(no \S+aido-fail\.cjs\); run 'make' in \S+\n$/);

  cpSync(join(root, 'dist/bin'), join(away, 'dist/bin'), { recursive: true });
  for (const cache of [Buffer.from('of another version'), Buffer.alloc(0), undefined]) {
    if (cache) writeFileSync(join(away, 'dist/bin/aido-fail.cjs.cache'), cache);
    else rmSync(join(away, 'dist/bin/aido-fail.cjs.cache'));
    const script = `NODE_V8_COVERAGE= ${join(away, 'bin/aido-fail')} -V`;
    t.match(await end(bash(script)), { code: 0, out: /^aido-fail \d/, err: '' }, `cache: ${cache}`);
  }
});

test('make install and uninstall', async t => {
  const to = temporary();
  const make = (what: string) => end(bash(`make -s -C '${root}' -o build ${what} PREFIX=/opt/a DESTDIR='${to}'`));
  t.match(await make('install'), { code: 0 });
  t.match(await end(bash(`${to}/opt/a/bin/aido-baseline -V; ls ${to}/opt/a/share/man/man*`)), {
    code: 0,
    out: /^aido-baseline \d.*\baido-baseline\.1\naido-fail\.1\n.*\baido\.7/s,
    err: '',
  });
  t.match(await make('uninstall'), { code: 0 });
  t.equal((await end(bash(`find ${to} ! -type d`))).out, '');
});
