/** The house: imports run one way, and what starts a tool is light. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { AUDITORS } from '../src/audit/auditors/index.js';
import { FORMATS } from '../src/reading/formats/index.js';
import { REPORTS } from '../src/reading/reports/index.js';
import { ROOT } from './support/fixtures.js';

const FLOORS = ['base', 'record', 'reading'];
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.ts'),
);

/** The folders of `src` that a file imports from. */
function imports(file: string): string[] {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) =>
    join(file, '..', path as string),
  );
  return found.map(path => (path.includes('/') ? (path.split('/')[0] as string) : ''));
}

test('imports run one way: base <- record <- reading <- the wings', t => {
  t.ok(sources.length > 20);
  for (const file of sources) {
    const [folder] = file.split('/') as [string];
    if (!file.includes('/')) continue; // the library's index sees all
    const floor = FLOORS.indexOf(folder);
    for (const other of imports(file)) {
      const allowed = other === folder || (FLOORS.includes(other) && (floor < 0 || FLOORS.indexOf(other) <= floor));
      t.ok(allowed, `src/${file} imports from src/${other}`);
    }
  }
  t.end();
});

test('the engine names no tool', t => {
  for (const file of sources.filter(file => file.startsWith('reading/') && !file.includes('formats/'))) {
    const used = imports(file).filter(folder => !FLOORS.includes(folder));
    t.same(used, [], file);
  }
  t.end();
});

test('no executable carries the schema compiler or the network client', t => {
  const bundles = readdirSync(join(ROOT, 'dist/bin')).filter(file => /\.c?js$/.test(file));
  t.ok(bundles.length > 0);
  for (const file of bundles) {
    const text = readFileSync(join(ROOT, 'dist/bin', file), 'utf8');
    t.notMatch(text, /undici|ajv\/dist\/compile|node_modules\/ajv\/lib\/core/, file);
    t.ok(text.length < 600_000, `${file}: ${text.length} bytes`);
  }
  t.end();
});

const COMMANDS = AUDITORS.map(({ prints }) => ({ name: `\`${prints}\`` }));

test('the README lists every format, every report and every auditor, and only those', t => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const [what, all] of Object.entries({ formats: FORMATS, reports: REPORTS, auditors: COMMANDS })) {
    const listed = new RegExp(`<!-- ${what}: begin.*?-->\\n(.*?)<!-- ${what}: end -->`, 's').exec(readme)?.[1] ?? '';
    t.same(
      [...listed.matchAll(/\[([^\]]+)\]\(/g)].map(([, name]) => name),
      all.map(({ name }) => name),
    );
  }
  t.end();
});
