/** Temporary folders that go when the test's process goes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.on('exit', () => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'aido-test-'));
  made.push(path);
  return path;
}
