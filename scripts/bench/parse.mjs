/** The yardstick of what reads records: a loop that parses each line of JSON and does nothing with it. */
import { createReadStream } from 'node:fs';
import split2 from 'split2';

let records = 0;
createReadStream(process.argv[2], { highWaterMark: 1 << 20 })
  .pipe(split2(JSON.parse))
  .on('data', () => records++)
  .on('end', () => console.log(records));
