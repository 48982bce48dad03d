/** Shell scripts that run the built executables, in a folder with a few inputs and a baseline of nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary } from './folder.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const folder = temporary();
export const env = {
  ...process.env,
  PATH: `${join(root, 'bin')}:${process.env.PATH}`,
  AIDO_DIR: join(folder, 'state'),
};

const record = '{"type":"failure","kind":"test","tool":"t","id":"x","log":{"first":1,"last":1},"source":"exact"}';
const summary = '{"type":"summary","by":"aido-fail","complete":true}';
mkdirSync(join(folder, 'state'));
writeFileSync(join(folder, 'state/baseline.json'), '{"version":1,"failures":[]}');
writeFileSync(join(folder, 'red'), 'not ok 1 - new\nok 2 - fine\n');
writeFileSync(join(folder, 'green'), 'ok 1 - fine\n');
writeFileSync(join(folder, 'records'), `${record}\n${summary}\n`);
writeFileSync(join(folder, 'log'), `hello\n${record}\n${summary}\n`);

export interface Ended {
  out: string;
  err: string;
  code: number | null;
}

export function bash(script: string, options: { detached?: boolean } = {}): ChildProcess {
  return spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

export function end(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', data => {
    out += data;
  });
  child.stderr?.on('data', data => {
    err += data;
  });
  return new Promise(done => child.on('close', code => done({ out, err, code })));
}

/** The last record of the output. */
export const last = (out: string) => JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
