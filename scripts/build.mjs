/**
 * Builds, in this order:
 *
 *   generate   schemas/*.json   -> src/record/generated/   validators without ajv's compiler, and each record's key order
 *   compile    src/, test/      -> dist/src/, dist/test/   tsc
 *   bundle     src/<tool>/main  -> dist/bin/<tool>.cjs     esbuild, one file for each executable, so that it starts at once
 *   document   the formats …    -> README.md               the lists of what is read
 *
 * `node scripts/build.mjs generate` does that one step only.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { buildSync } from 'esbuild';
import { tools, version } from './tools.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const generated = 'src/record/generated';

/** Writes only what changed, so that tsc has nothing to do when the schemas did not. */
function write(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function generate() {
  const schemas = Object.fromEntries(
    readdirSync('schemas')
      .filter(file => file.endsWith('.json'))
      .sort()
      .map(file => [file.replace('.json', ''), JSON.parse(readFileSync(join('schemas', file), 'utf8'))]),
  );
  // References stay calls: what the schemas share is compiled once, and the bundles start faster for it.
  // The only length that is asked for is 1, so nobody needs to count characters; ajv would rather have them counted.
  const logger = { ...console, warn: text => /option unicode/.test(text) || console.warn(text) };
  const options = { code: { source: true, esm: true }, inlineRefs: false, unicode: false, logger };
  const ajv = new Ajv({ ...options, schemas: Object.values(schemas) });
  // What others share is no record of its own.
  const shared = new Set(Object.values(schemas).map(schema => schema.$ref?.split(':').pop()));
  const names = Object.keys(schemas).filter(name => !shared.has(name));
  const code = standalone(ajv, Object.fromEntries(names.map(name => [name, schemas[name].$id])));
  const validators = buildSync({
    stdin: { contents: code, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
  });

  mkdirSync(generated, { recursive: true });
  write(join(generated, 'validators.js'), `${validators.outputFiles[0].text}`);
  const signature = '((value: unknown) => boolean) & { errors?: { instancePath: string; message?: string }[] | null }';
  write(
    join(generated, 'validators.d.ts'),
    `type Validator = ${signature};\n${names.map(name => `export const ${name}: Validator;\n`).join('')}`,
  );
  const keys = Object.fromEntries(names.map(name => [name, keysOf(schemas[name], schemas)]));
  write(
    join(generated, 'keys.ts'),
    `/** The keys of each record in the order in which they are written. */
export const keys: Record<string, string[]> = ${JSON.stringify(keys, null, 2)};\n`,
  );
  mkdirSync('src/base/generated', { recursive: true });
  write('src/base/generated/version.ts', `export const version = '${version}';\n`);
}

/** The order in which a schema lists its properties: `type`, what it shares with others (`$ref`), its own. */
function keysOf(schema, schemas) {
  const shared = schema.$ref ? Object.keys(schemas[schema.$ref.split(':').pop()].properties) : [];
  return [...new Set(['type', ...shared, ...Object.keys(schema.properties)])].filter(
    key => key !== 'type' || 'type' in schema.properties,
  );
}

function compile() {
  for (const folder of ['dist/src', 'dist/test']) prune(folder);
  const tsc = ['node_modules/typescript/bin/tsc', '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  cpSync(generated, join('dist', generated), { recursive: true, filter: file => !file.endsWith('keys.ts') });
}

/** Removes what was compiled from a file that is gone: its tests would still run. */
function prune(folder) {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder, { recursive: true })) {
    const source = join(folder, file).replace(/^dist./, '');
    const base = source.replace(/(\.d\.ts|\.js(\.map)?)$/, '');
    if (base === source || ['.ts', '.js'].some(ending => existsSync(base + ending))) continue;
    rmSync(join('dist', source));
  }
}

function bundle() {
  for (const { name, main } of tools) {
    if (!existsSync(main)) {
      console.error(`build: ${name} has no ${main}`);
      process.exitCode = 1;
      continue;
    }
    try {
      buildSync({
        stdin: {
          contents: `import { command } from './${main}'; import { main } from './src/base/main.ts'; main(command);`,
          resolveDir: '.',
          sourcefile: `${name}.ts`,
        },
        outfile: `dist/bin/${name}.cjs`,
        bundle: true,
        platform: 'node',
        target: 'node20',
        // A function of `require`: what the launcher runs.
        format: 'iife',
        banner: { js: '(function(require){' },
        footer: { js: '})' },
        supported: { 'dynamic-import': false },
        minify: true,
        sourcemap: true,
        logLevel: 'warning',
      });
      precompile(`dist/bin/${name}.cjs`);
    } catch {
      // esbuild has said what is wrong.
      process.exitCode = 1;
    }
  }
}

/** Keeps the code that V8 makes of a bundle while it reads an empty log: see the launcher. */
function precompile(bundle) {
  const program = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const script = new (require('node:vm').Script)(readFileSync('${bundle}', 'utf8'), { filename: '${bundle}' });
    process.on('exit', () => {
      // V8 takes the code only where its flags are those of a fresh process: base/main.ts sets one.
      require('node:v8').setFlagsFromString('--heap-growing-percent=0');
      writeFileSync('${bundle}.cache', script.createCachedData());
    });
    script.runInThisContext()(require);`;
  rmSync(`${bundle}.cache`, { force: true });
  spawnSync(process.execPath, ['-e', program], { stdio: 'ignore', env: { ...process.env, NODE_V8_COVERAGE: '' } });
}

/** The README's lists of what is read are the registries': adding a format is no work on the README. */
async function document() {
  const { FORMATS } = await import(new URL('../dist/src/reading/formats/index.js', import.meta.url));
  const { REPORTS } = await import(new URL('../dist/src/reading/reports/index.js', import.meta.url));
  const list = all => all.map(({ name, url }) => `[${name}](${url})`).join(', ');
  // Auditors are known by their commands.
  const called = ({ prints, url }) => ({ name: `\`${prints}\``, url });
  const between = (text, name, content) =>
    text.replace(
      new RegExp(`(<!-- ${name}: begin.*?-->\\n).*?(<!-- ${name}: end -->)`, 's'),
      (_, begin, end) => `${begin}${content}\n${end}`,
    );
  const readme = between(readFileSync('README.md', 'utf8'), 'formats', list(FORMATS));
  const { AUDITORS } = await import(new URL('../dist/src/audit/auditors/index.js', import.meta.url));
  write('README.md', between(between(readme, 'reports', list(REPORTS)), 'auditors', list(AUDITORS.map(called))));
}

const steps = { generate, compile, bundle, document };
const wanted = process.argv.slice(2);
for (const [name, step] of Object.entries(steps)) if (!wanted.length || wanted.includes(name)) await step();
