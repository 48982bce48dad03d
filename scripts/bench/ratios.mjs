/** hyperfine's result as a table: seconds (the least of the runs), and as a multiple of one of them. */
import { readFileSync, statSync } from 'node:fs';

const [file, base, log] = process.argv.slice(2);
const { results } = JSON.parse(readFileSync(file, 'utf8'));
const least = result => Math.min(...result.times);
const yardstick = least(results.find(result => result.command === base));
for (const result of results) {
  const seconds = least(result);
  const rate = log ? `${(statSync(log).size / 1e6 / seconds).toFixed(0).padStart(6)} MB/s` : '';
  console.log(
    `${result.command.padEnd(18)} ${seconds.toFixed(3)} s  ${(seconds / yardstick).toFixed(2)} x ${base} ${rate}`,
  );
}
