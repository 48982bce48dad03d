import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'tap';
import { keys } from '../../src/record/generated/keys.js';
import { normalise } from '../../src/record/identity.js';
import { isRecordLine, RecordReader } from '../../src/record/read.js';
import type { AidoRecord } from '../../src/record/types.js';
import { isKnownType, validate, validateBaseline } from '../../src/record/validate.js';
import { serialise } from '../../src/record/write.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const log = { first: 1, last: 2 };
const failure = { type: 'failure', kind: 'test', tool: 't', id: 'x', log, source: 'exact' } as const;

/** The fields of each interface in types.ts, in order; those that it extends first, but for `type`. */
function fieldsOf(source: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = '', base = '', body = ''] of source.matchAll(
    /^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}/gms,
  )) {
    const own = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(match => match[1] as string);
    found.set(name, [...new Set([...own.filter(key => key === 'type'), ...(found.get(base) ?? []), ...own])]);
  }
  return found;
}

test('types, schemas and the order of keys are one', t => {
  const types = fieldsOf(readFileSync(join(root, 'src/record/types.ts'), 'utf8'));
  const records = Object.keys(keys).filter(isKnownType);
  t.strictSame(
    records.map(name => name[0]?.toUpperCase() + name.slice(1)).sort(),
    [...types.entries()]
      .filter(([, fields]) => fields[0] === 'type')
      .map(([name]) => name)
      .sort(),
  );
  for (const name of records) t.strictSame(keys[name], types.get(name[0]?.toUpperCase() + name.slice(1)), name);
  t.end();
});

/** What several records have in common. */
const SHARED = ['finding.json', 'history.json'];

test('every schema is published whole', t => {
  const files = readdirSync(join(root, 'schemas'));
  t.strictSame(
    files.filter(file => !SHARED.includes(file)).sort(),
    Object.keys(keys)
      .map(name => `${name}.json`)
      .sort(),
  );
  const described = (schema: Record<string, unknown>, path: string) => {
    for (const [key, value] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      if (key !== 'type') t.match(value.description, /\.$/, `${path}.${key} has a description`);
    }
  };
  for (const file of files) {
    const schema = JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8'));
    t.match(schema, { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `urn:aido:${file.slice(0, -5)}` });
    t.match(schema, { title: String, description: /\.$/, type: 'object' }, file);
    t.notOk(JSON.stringify(schema).includes('additionalProperties":false'), 'additive change breaks nobody');
    described(schema, file);
  }
  t.end();
});

test('valid and not', t => {
  const valid: object[] = [
    failure,
    { ...failure, other: null },
    { ...failure, baseline: 'new', weakId: true, line: 1, detail: 'x' },
    { ...failure, type: 'warning' },
    { type: 'outcome', tool: 't', id: 'x', result: 'skipped', log },
    { type: 'suite', tool: 't', result: 'failed', agrees: false, failed: 0, log },
    { type: 'unread', text: 'x', log },
    { type: 'fixed', id: 'x', evidence: 'suite' },
    { type: 'absent', id: 'x' },
    { type: 'summary', by: 'x', complete: false, reason: 'noRun' },
    { type: 'of tomorrow' },
  ];
  for (const record of valid) t.equal(validate(record), undefined, JSON.stringify(record));
  const invalid: [record: unknown, wrong: RegExp][] = [
    [7, /^a record is an object with a type$/],
    [null, /^a record/],
    [[], /^a record/],
    [{ id: 'x' }, /^a record/],
    [{ ...failure, id: '' }, /^failure\.id must NOT have fewer than 1/],
    [{ ...failure, id: undefined }, /^failure must have required property 'id'/],
    [{ ...failure, line: 0 }, /^failure\.line must be >= 1/],
    [{ ...failure, kind: 'other' }, /^failure\.kind must be equal/],
    [{ ...failure, weakId: false }, /^failure\.weakId must be equal/],
    [{ ...failure, log: { first: 1 } }, /^failure\.log must have required property 'last'/],
    [{ ...failure, message: null }, /^failure\.message must be string/],
    [{ ...failure, type: 'warning', id: 7 }, /must be string/],
    [{ type: 'summary', by: 'x' }, /^summary must have required property 'complete'/],
    [{ type: 'summary', by: 'x', complete: false, reason: 'tired' }, /^summary\.reason/],
  ];
  for (const [record, wrong] of invalid) t.match(validate(record), wrong, JSON.stringify(record));
  t.equal(validateBaseline({ failures: ['a'] }), undefined);
  t.match(validateBaseline({ failures: [1] }), /^baseline\.failures\.0 must be string/);
  t.match(validateBaseline({ failures: [], counts: { a: 1 } }), /^baseline\.counts\.a must be >= 2/);
  t.end();
});

test('writing', t => {
  const cases: [record: object, line: string][] = [
    [
      { source: 'exact', log, x: 1, id: 'x', tool: 't', kind: 'test', type: 'failure' },
      '{"type":"failure","kind":"test","tool":"t","id":"x","log":{"first":1,"last":2},"source":"exact","x":1}',
    ],
    [{ b: 1, a: 2, type: 'of tomorrow' }, '{"type":"of tomorrow","b":1,"a":2}'],
    [
      { id: 'x', toString: 1, type: 'absent', constructor: 2 },
      '{"type":"absent","id":"x","toString":1,"constructor":2}',
    ],
    [{ type: 'absent', id: 'x', y: undefined }, '{"type":"absent","id":"x"}'],
    [{ type: 'absent', id: 'é😀\n\x1b' }, '{"type":"absent","id":"é😀\\n\\u001b"}'],
    [
      { type: 'absent', id: '\x7f\x85\x9b\u200f\u2028\u202e\u2069' },
      '{"type":"absent","id":"\\u007f\\u0085\\u009b\\u200f\\u2028\\u202e\\u2069"}',
    ],
    [
      { type: 'absent', id: '##[error] ###[x ##vso[y] ## [' },
      '{"type":"absent","id":"\\u0023#[error] #\\u0023#[x \\u0023#vso[y] ## ["}',
    ],
    [{ type: 'absent', id: '\ud800 \\ud800 😀' }, '{"type":"absent","id":"\ufffd \\\\ud800 😀"}'],
  ];
  for (const [record, line] of cases) {
    t.equal(serialise(record as AidoRecord), line);
    t.equal(serialise(JSON.parse(line)), line, 'and again');
  }
  t.end();
});

test('reading', t => {
  const read = (text: string, size = text.length) => {
    const found: [AidoRecord, string][] = [];
    const reader = new RecordReader((record, line) => found.push([record, line]));
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
    reader.end();
    return found;
  };
  const line = JSON.stringify(failure);
  const other = ' {"type":"é", "n":1e3} ';
  for (const size of [1, 2, 7, 1000]) {
    t.strictSame(read(`${line}\r\n\n  \n${other}\n${line}`, size), [
      [failure, line],
      [{ type: 'é', n: 1000 }, other],
      [failure, line],
    ]);
  }
  const marked = read(`\ufeff${line}\n\ufeff\n\ufeff${line}`).map(([record]) => record);
  t.strictSame(marked, [failure, failure], 'byte order marks: of files, and of what cat makes of several');
  const wrong: [text: string, message: RegExp][] = [
    [`${line}\n\nx\n`, /^line 3 is not a JSON object \(a record\)$/],
    ['[1]', /^line 1 is not a JSON object/],
    ['null', /^line 1 is not a JSON object/],
    ['{}', /^line 1 is not a valid record: a record is an object with a type$/],
    [`${line}\n{"type":"absent"}`, /^line 2 is not a valid record: absent must have required property 'id'$/],
    [`${line}\n{"type":"unread","text":"${'x'.repeat(1 << 20)}"}`, /^line 2 is longer than 1048576 bytes$/],
  ];
  for (const [text, message] of wrong) t.throws(() => read(text), { code: 'BAD_INPUT', message });

  t.ok(isRecordLine(line));
  t.ok(isRecordLine(`${line}\r`));
  t.ok(isRecordLine(`\ufeff${line}`));
  for (const text of [
    '',
    'x',
    '[]',
    '{}',
    '{"type":"of tomorrow"}',
    '{"type":"failure"}',
    '{"type":"baseline","failures":[]}',
    `x ${line}`,
    line.slice(1),
  ]) {
    t.notOk(isRecordLine(text), text);
  }
  t.end();
});

test('what is volatile in an id, and what is not', t => {
  const cases: [text: string, normal: string][] = [
    ['at 0x7ffe12ab and 0XFF', 'at 0x… and 0x…'],
    ['src/a.c:12:5: error', 'src/a.c:…: error'],
    ['a.ts(12,5): x', 'a.ts(…): x'],
    ['id 123e4567-e89b-12d3-a456-426614174000.', 'id <uuid>.'],
    ['dep-1a2b3c4d5e6f7a8b', 'dep-<hash>'],
    ['took 0.52s, 12 ms, 3 seconds', 'took <duration>, <duration>, <duration>'],
    ['at 2024-01-02T03:04:05.678Z', 'at <time>'],
    ['at 2024-01-02 03:04:05,678+01:00', 'at <time>'],
    ['/tmp/rustcAbC/main.o', '<tmp>/main.o'],
    ["'/private/var/folders/ab/c_d/T/x.1/y'", "'<tmp>/y'"],
    ['C:\\Users\\x\\AppData\\Local\\Temp\\ab1\\f', 'C:\\Users\\x\\AppData\\Local\\Temp\\<tmp>\\f'],
  ];
  for (const [text, normal] of cases) t.equal(normalise(text), normal);
  const kept = [
    'expected 3 arguments, found 12',
    'src/tmp/a.c',
    './tmp/a.c',
    'add(1,2)',
    'port 8080',
    'E0308',
    'deadbeefdead',
    '123456789012345',
    'x1s',
    'error: a: 12',
    'utf8',
  ];
  for (const text of kept) t.equal(normalise(text), text);
  for (const part of [
    '0x',
    ':1',
    '1',
    'a1',
    '1:',
    '(1,',
    '/tmp/',
    '/var/folders/',
    '2024-01-02T',
    'a-',
    ' 1',
    '1.',
    '12345678-',
    '\\Temp\\',
  ]) {
    const begun = process.hrtime.bigint();
    normalise(part.repeat(65_536 / part.length));
    t.ok(process.hrtime.bigint() - begun < 50_000_000n, `64 KiB of ${part}`);
  }
  t.end();
});
