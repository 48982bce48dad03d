/**
 * Runs the SQL of a Markdown file with DuckDB in the current folder; a query that gives no row is a broken recipe, and so is
 * one that says `gives what this gives: COMMAND` and does not.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const queries = [...readFileSync(process.argv[2], 'utf8').matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql.trim());
if (queries.length === 0) throw new Error('no SQL found');
for (const sql of queries) {
  const rows = (await connection.runAndReadAll(sql)).getRowObjects();
  console.log(
    `${sql}\n  ${rows.length} rows, the first: ${JSON.stringify(rows[0], (_, v) => (typeof v === 'bigint' ? Number(v) : v))}\n`,
  );
  if (rows.length === 0) process.exitCode = 1;
  const command = /-- gives what this gives: (.*)/.exec(sql)?.[1];
  if (command && !isSame(rows, flaky(command))) process.exitCode = 1;
}

/** The flaky tests of a command's output. */
function flaky(command) {
  const out = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  return out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ type }) => type === 'flaky');
}

function isSame(rows, records) {
  const shown = all => all.map(({ id, passed, failed }) => `${id}: ${passed} passed, ${failed} failed`).join('\n');
  const same = shown(rows) === shown(records);
  console.log(
    same ? `  the same ${records.length} tests as aido-flaky says\n` : `  aido-flaky says:\n${shown(records)}`,
  );
  return same;
}
