/**
 * The yardstick of what reads records: a loop that parses each line of JSON and does nothing with it, behind split2 or
 * (`node parse.mjs FILE bare`) with nothing between file and loop.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import split2 from 'split2';

const [file, how] = process.argv.slice(2);
if (how === 'bare') console.log(bare());
else behindSplit2();

function bare() {
  const fd = openSync(file);
  const room = Buffer.alloc(1 << 20);
  let records = 0;
  let rest = '';
  for (let n = readSync(fd, room); n > 0; n = readSync(fd, room)) {
    const text = rest + room.toString('latin1', 0, n);
    let from = 0;
    for (let lf = text.indexOf('\n'); lf >= 0; lf = text.indexOf('\n', from)) {
      JSON.parse(text.slice(from, lf));
      records++;
      from = lf + 1;
    }
    rest = text.slice(from);
  }
  closeSync(fd);
  return records;
}

function behindSplit2() {
  let records = 0;
  createReadStream(file, { highWaterMark: 1 << 20 })
    .pipe(split2(JSON.parse))
    .on('data', () => records++)
    .on('end', () => console.log(records));
}
