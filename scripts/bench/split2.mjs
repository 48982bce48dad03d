/** The yardstick: a bare split2 loop over a file or stdin, with an empty mapper. */
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import split2 from 'split2';

const input = process.argv[2] ? createReadStream(process.argv[2]) : process.stdin;
input
  .pipe(split2('\n', () => undefined))
  .pipe(new Writable({ objectMode: true, write: (_line, _encoding, next) => next() }));
