/** Runs the SQL of a Markdown file with DuckDB in the current folder; a query that gives no row is a broken recipe. */
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
}
