/** What is taken off a line, what is left alone, and that neither takes long. */
import { test } from 'tap';
import { Undresser } from '../../src/reading/undress.js';

/** Each line as `stream> text`, or `text` for the root. */
function undress(lines: string[], taken: string[] = []): string[] {
  const undresser = new Undresser();
  for (const stream of taken) undresser.taken(stream);
  return lines.map((line, i) => {
    const { stream, text } = undresser.undress(line, n => lines[i - n]);
    undresser.heading(text);
    return stream === '' ? text : `${stream}> ${text}`;
  });
}

const one = (line: string): string | undefined => undress(['', '', line])[2];

const ALONE: Record<string, [string, string][]> = {
  'colours and other sequences': [
    ['\x1b[1m\x1b[31merror\x1b[0m: x\x1b[K', 'error: x'],
    ['\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b]0;title\x07FAILED a', 'FAILED a'],
    ['\x1b(B\x1b[mplain', 'plain'],
    ['\x1b_bk;t=1714557600037\x07  --> \x1b_bk;t=1714557600040\x07src/lib.rs:1:2', '  --> src/lib.rs:1:2'],
    ['\x1b[2K\x1b[1A\x1b[?25lx', 'x'],
  ],
  'redraws and marks': [
    ['Building 1/2\rBuilding 2/2\rerror: x', 'error: x'],
    ['FAILED a\r\r', 'FAILED a'],
    ['\rapi-1 exited with code 1', 'api-1 exited with code 1'],
    ['FAILED a\r   \r', 'FAILED a'],
    ['\ufeffFAILED a', 'FAILED a'],
  ],
  stamps: [
    ['2024-05-01T10:00:00.1234567Z     --- FAIL: T', '    --- FAIL: T'],
    ['2024-05-01T10:00:00.1234567Z \ufeffx', 'x'],
    ['2024-05-01T10:00:00.1234567Z', ''],
    ['2024-05-01T10:00:00Z x', 'x'],
    ['2024-05-01T10:00:00.123+02:00 x', 'x'],
    ['2024-05-01 10:00:00 x', 'x'],
    ['2024-05-01T10:00:00.123456Z 01E FAIL x', 'FAIL x'],
    ['2024-05-01T10:00:00.123456Z 00O+x', 'x'],
    ['2024-05-01T10:00:00.123456789Z stderr F x', 'x'],
    ['[2024-05-01T10:00:00.123Z]   x', '  x'],
    ['[10:11:12] x', 'x'],
    ['[10:11:12]W:\t [Step 1/2] x', 'x'],
    ['[00:01:02] x', 'x'],
    ['10:11:12  x', 'x'],
    ['10:11:12 x', 'x'],
    ['May 01 10:11:12 x', 'x'],
    ['10:11:12 PM: x', 'x'],
    ['2024-05-01T10:00:00.1234567Z make[1]: *** [all] Error 2', 'make[1]: *** [all] Error 2'],
  ],
  'CI systems': [
    ['##[error]src/a.ts(1,2): error TS1: x', 'src/a.ts(1,2): error TS1: x'],
    [
      '2024-05-01T10:00:00.1234567Z ##[error]Process completed with exit code 1.',
      'Process completed with exit code 1.',
    ],
    ['##[group]Run echo "error: failed"', ''],
    ['##[section]Starting: fail', ''],
    ['section_start:1714557600:step_script\r\x1b[0KExecuting', 'Executing'],
    ['section_end:1714557600:step_script\r\x1b[0K', ''],
    ['travis_fold:end:install\r\x1b[0K$ npm test', '$ npm test'],
    ['travis_time:end:0a1b:start=1,finish=2,duration=1[0KFAILED a', 'FAILED a'],
    ['remote:        npm ERR! x', 'npm ERR! x'],
    ['    [javac]   x', '  x'],
    ['  [javadoc] x', 'x'],
    ['cargo : error[E0308]: mismatched types', 'error[E0308]: mismatched types'],
    ['    + CategoryInfo          : NotSpecified: (error: x:String) [], RemoteException', ''],
    ['At line:1 char:1', ''],
  ],
  'prefixes that name a stream': [
    ['build (18, linux)\tRun tests\t2024-05-01T10:00:00.1234567Z x', 'build (18, linux) / Run tests> x'],
    ['build\tUNKNOWN STEP\t\ufeff2024-05-01T10:00:00.1234567Z x', 'build / UNKNOWN STEP> x'],
    ['#12 1.234 FAILED a', '#12> FAILED a'],
    ['[pod/web-0/app]   x', 'pod/web-0/app>   x'],
    ['[pod/web-0/app] 2024-05-01T10:00:00.123456789Z x', 'pod/web-0/app> x'],
    ['Step #1 - "test": x', 'Step #1 - "test"> x'],
    ['Step #2: x', 'Step #2> x'],
    ['[build : unit-test] x', 'build : unit-test> x'],
    ['[test:L12:3s] x', 'test> x'],
    ['[CI/test]   | x', 'CI/test> x'],
    ['[1,3]<stderr>:x', '1,3> x'],
    ['20:41:53 api.1    |   x', 'api.1>   x'],
    ['8:41:46 PM api.1  |    x', 'api.1>   x'],
    ['20:41:53 system   | api.1 started (pid=1)', 'api.1 started (pid=1)'],
    ['May 01 10:11:12 builder web[12]: x', 'web[12]> x'],
    ['May 01 10:11:12 builder systemd[1]: x', 'x'],
    ['2024-05-01T10:00:00.123456+00:00 app[web.1]: x', 'app[web.1]> x'],
    ['2024-05-01T10:00:00+0000 builder web[12]: x', 'web[12]> x'],
  ],
  'nothing to take off': [
    ['6 |     let a = 1;', '6 |     let a = 1;'],
    ['   |     ^^^ x', '   |     ^^^ x'],
    ['web-1  | x', 'web-1  | x'],
    ['api:test: x', 'api:test: x'],
    ['packages/api test: x', 'packages/api test: x'],
    ['[0] x', '[0] x'],
    ['[ERROR] x', '[ERROR] x'],
    ['    [0] x', '    [0] x'],
    ['[  FAILED  ] S.t', '[  FAILED  ] S.t'],
    ['[gw0] [ 10%] FAILED a.py::t', '[gw0] [ 10%] FAILED a.py::t'],
    ['FAIL\tpkg\t0.1s', 'FAIL\tpkg\t0.1s'],
    ['error: x', 'error: x'],
    ['make: *** [all] Error 2', 'make: *** [all] Error 2'],
    ['#0 0x1234 in main', '#0 0x1234 in main'],
    ['#12 ERROR: process "x" did not complete', '#12 ERROR: process "x" did not complete'],
    ['12:34: error: x', '12:34: error: x'],
    ['08:42:07 PM - Found 1 error.', '08:42:07 PM - Found 1 error.'],
    ['CSC : error CS5001: x', 'CSC : error CS5001: x'],
  ],
};

for (const [name, cases] of Object.entries(ALONE)) {
  test(name, t => {
    for (const [raw, expected] of cases) t.equal(one(raw), expected, JSON.stringify(raw));
    t.end();
  });
}

/** What is evidence for a prefix that looks like other things, and what is not. */
const TOGETHER: Record<string, [string[], string[]]> = {
  'a heading of compose': [
    ['Attaching to db-1, web-1', 'web-1  | x', 'db-1   |   y'],
    ['Attaching to db-1, web-1', '| web-1> x', '| db-1>   y'],
  ],
  'docker-compose 1 leaves the project out': [
    ['Attaching to shop_web_1', 'web_1  | x'],
    ['Attaching to shop_web_1', '| web_1> x'],
  ],
  'an input that has nothing else': [
    ['web-1  | error[E0308]: m', 'web-1  |  --> a.rs:1:1', 'web-1  |   |', 'web-1  | 1 | let'],
    ['| web-1> error[E0308]: m', '| web-1>  --> a.rs:1:1', '| web-1>   |', '| web-1> 1 | let'],
  ],
  'the same name in lines just before': [
    ['', '[api] a', '[api] b', '[api] c', '[web] d'],
    ['', '[api] a', '[api] b', '[] api> c', '[] web> d'],
  ],
  'a table is none': [
    ['', 'name | value', 'one  | 1', 'two  | 2', 'four | 4'],
    ['', 'name | value', 'one  | 1', 'two  | 2', 'four | 4'],
  ],
  'levels are none': [
    ['[INFO] a', '[INFO] b', '[ERROR] c', '[ERROR] d', '[ERROR] e'],
    ['[INFO] a', '[INFO] b', '[ERROR] c', '[ERROR] d', '[ERROR] e'],
  ],
  'threads are none': [
    ['[main] INFO a', '[main] INFO b', '[main] ERROR c'],
    ['[main] INFO a', '[main] INFO b', '[main] ERROR c'],
  ],
  'turbo names its tasks': [
    ['@a/b:test:unit: cache miss, executing 0a1b', '@a/b:test:unit: FAIL x', '@a/b:test:unit: '],
    ['@a/b:test:unit: cache miss, executing 0a1b', ': @a/b:test:unit> FAIL x', ': @a/b:test:unit> '],
  ],
  'the same prefix is taken off once': [
    ['web:test: cache bypass, force executing 0a1b', 'web:test: web:test: x'],
    ['web:test: cache bypass, force executing 0a1b', ': web:test> web:test: x'],
  ],
  'pnpm says what it runs': [
    ['Scope: 2 of 3 workspace projects', 'packages/a test$ tsc', 'packages/a test: x', 'error TS1: y: z'],
    ['Scope: 2 of 3 workspace projects', 'packages/a test$ tsc', 'x y: packages/a test> x', 'error TS1: y: z'],
  ],
  'nx and lerna': [
    [
      ' NX   Running target test for 2 projects:',
      '> nx run a:test',
      'a: x',
      'a.c: In function',
      'ld: y',
      'FooError: z',
    ],
    [
      ' NX   Running target test for 2 projects:',
      '> nx run a:test',
      'x: a> x',
      'a.c: In function',
      'ld: y',
      'FooError: z',
    ],
  ],
  'Jenkins names its branches': [
    ['[Pipeline] { (Branch: unit tests)', '[2024-05-01T10:00:00.123Z] [unit tests] x', '[Pipeline] }'],
    ['[Pipeline] { (Branch: unit tests)', '[] unit tests> x', '[Pipeline] }'],
  ],
  'stamps do not hide the lines before': [
    ['[10:11:12] [a] x', '[10:11:12] [a] y', '[10:11:12] [a] z'],
    ['[] a> x', '[] a> y', '[] a> z'],
  ],
  'parallel --tag': [
    ['a\tx', 'a\ty', 'b\t  z'],
    ['\t a> x', '\t a> y', '\t b>   z'],
  ],
  'ts puts one space, Jenkins two': [
    ['00:00:04 === RUN   T', '00:00:04     x.go:1: m', '10:11:12  a', '10:11:12    b'],
    ['=== RUN   T', '    x.go:1: m', ' a', '   b'],
  ],
  'compose leaves no space behind the stamp': [
    ['2024-05-01T10:00:00.123456789Z=== RUN', '2024-05-01T10:00:00.123456789Z    x'],
    ['=== RUN', '    x'],
  ],
  'docker logs does': [
    ['2024-05-01T10:00:00.123456789Z === RUN', '2024-05-01T10:00:00.123456789Z     x'],
    ['=== RUN', '    x'],
  ],
  'the script of a step is not its output': [
    [
      '##[group]Run make',
      '\x1b[36;1mecho "error: x"\x1b[0m',
      '\x1b[36;1mmake\x1b[0m',
      'x',
      '\x1b[36;1merror: y\x1b[0m',
    ],
    ['', '', '', 'x', 'error: y'],
  ],
  'BuildKit shows the end of a step again': [
    ['#9 1.234 FAILED a', '#9 1.300 x', '------', ' > RUN x:', '1.234 FAILED a', '------', '7.5 FAILED b'],
    ['#9> FAILED a', '#9> x', '------', ' > RUN x:', '', '------', '7.5 FAILED b'],
  ],
  'a line of a job that goes on has no stamp': [
    ['a\tb\t2024-05-01T10:00:00.1234567Z x', 'a\tb\ty'],
    ['a / b> x', 'a / b> y'],
  ],
};

for (const [name, [lines, expected]] of Object.entries(TOGETHER)) {
  test(name, t => {
    t.same(undress(lines), expected);
    t.end();
  });
}

test('a stream that a format took a line of stays evident', t => {
  t.same(undress(['', 'x', '[api] y'], ['[] api']), ['', 'x', '[] api> y']);
  t.end();
});

test('hostile lines of 64 KiB take no time', t => {
  const size = 65_536;
  const units = [
    '\x1b',
    '\x1b[',
    '\x1b]',
    '\x1b_',
    '\r',
    ' \r',
    'a',
    'a ',
    'a:',
    'a/',
    '[a',
    '[a ',
    ' ',
    '\t',
    '#',
    '1',
    '\ufeff',
  ];
  const heads = [
    '',
    'a',
    '[a',
    '##[',
    '#1 ',
    '2024-05-01T10:00:00.',
    '10:11:12 ',
    'May 01 10:11:12 ',
    'Step #1 - "',
    'a\tb\t',
  ];
  for (const head of heads) {
    for (const unit of units) {
      const line = head + unit.repeat(size / unit.length);
      const start = process.hrtime.bigint();
      undress([line, line, line]);
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      t.ok(ms < 150, `${JSON.stringify(head + unit)}: ${ms.toFixed(1)} ms for three`);
    }
  }
  t.end();
});
