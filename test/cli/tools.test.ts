/** What holds for every executable: help that fits a screen, a man page that knows its flags, a bundle that starts fast. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'tap';
import { allFlags, type Command } from '../../src/base/command.js';
import { flagName } from '../../src/base/flags.js';
import { call } from '../support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What is bundled with a tool that reads logs and reports, and with others. */
const READERS = ['@streamparser/json', 'mri', 'split2'];
const PACKAGES: Record<string, string[]> = {
  'aido-audit': ['@renovatebot/pep440', 'ae-cvss-calculator', 'mri', 'semver'],
};
const commands: Command[] = [];
for (const name of Object.keys(manifest.bin)) {
  commands.push((await import(`../../src/${name.replace('aido-', '')}/main.js`)).command);
}

test('names, launchers and man pages', t => {
  t.strictSame(
    commands.map(({ name }) => name),
    Object.keys(manifest.bin),
  );
  const launcher = readFileSync(join(root, 'bin/aido-fail'), 'utf8');
  for (const { name } of commands) {
    t.equal(manifest.bin[name], `bin/${name}`);
    t.equal(readFileSync(join(root, 'bin', name), 'utf8'), launcher, 'one launcher, under every name');
  }
  t.strictSame([...manifest.man].sort(), [...commands.map(({ name }) => `man/${name}.1`), 'man/aido.7'].sort());
  t.end();
});

for (const command of commands) {
  const { name } = command;
  test(`${name} --help fits a screen`, async t => {
    const { out } = await call(command, ['--help']);
    const lines = out.trimEnd().split('\n');
    t.ok(lines.length <= 24, `${lines.length} lines`);
    for (const line of lines) t.ok(line.length <= 80, line);
  });

  test(`man ${name} has its flags, in order`, t => {
    const page = readFileSync(join(root, `man/${name}.1`), 'utf8');
    const documented = page.match(/^\.It Fl .*$/gm);
    const flags = Object.entries(allFlags(command)).map(([key, { short, arg }]) => {
      const long = `Fl Fl ${flagName(key).slice(2)}${arg ? ` Ar ${arg}` : ''}`;
      return `.It ${short ? `Fl ${short} , ` : ''}${long}`;
    });
    t.strictSame(documented, flags);
    for (const subcommand of command.commands ?? []) t.match(page, `\n.It Cm ${subcommand}\n`);
    t.end();
  });

  test(`${name}: nothing heavy in the bundle`, t => {
    const { sources } = JSON.parse(readFileSync(join(root, `dist/bin/${name}.cjs.map`), 'utf8'));
    const foreign = sources.filter((source: string) => source.includes('node_modules/'));
    const packages = new Set(foreign.map((source: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]));
    // A new one is fine when `make bench` shows that start-up stays within its bound.
    // (saxes is in it, too; its own source map hides that.)
    t.strictSame([...packages].sort(), PACKAGES[name] ?? READERS);
    const text = readFileSync(join(root, `dist/bin/${name}.cjs`), 'utf8');
    for (const heavy of ['undici', 'ajv/dist/compile']) t.notOk(text.includes(heavy), heavy);
    t.end();
  });
}
