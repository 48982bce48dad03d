/** The engine with toy formats: who owns a line, when a failure goes out, what is known of the end. */
import { test } from 'tap';
import type { Format } from '../../src/reading/format.js';
import type { AidoRecord, Failure, Suite, Summary, Unread } from '../../src/record/types.js';
import { read } from '../support/fixtures.js';

/** `FAIL-STATUS x`, `DETAIL-OF x` and what is indented below, `SUMMARY-OF x`, `TALLY-OF-IT n [passed]`, `SCOPE-ENDS name`. */
const toy: Format = {
  name: 'toy',
  url: 'about:blank',
  hints: [
    'FAIL-STATUS',
    'DETAIL-OF',
    'SUMMARY-OF',
    'TALLY-OF-IT',
    'SCOPE-ENDS',
    'PASSED-AFTER-ALL',
    'MUST-LOOK-BACK',
    'STOPPED-EARLY',
  ],
  outcomeHints: ['PASS-STATUS'],
  reader: out => ({
    line(line) {
      const [word, name = ''] = line.text.split(' ') as [string, string?];
      switch (word) {
        case 'FAIL-STATUS':
          out.part('status', name, line);
          return 'mine';
        case 'PASS-STATUS':
          out.outcome('passed', name, line);
          return 'mine';
        case 'SUMMARY-OF':
          out.part('summary', name, line, { message: 'from the summary' });
          return 'mine';
        case 'DETAIL-OF': {
          const draft = out.part('detail', name, line);
          return {
            line(next) {
              if (!next.text.startsWith('  ')) return undefined;
              draft.fields.message ??= next.text.trim();
              draft.add(next);
              return 'more';
            },
          };
        }
        case 'PASSED-AFTER-ALL':
          out.drop(name);
          out.outcome('passed', name, line, { attempt: 2 });
          return 'mine';
        case 'TALLY-OF-IT':
          out.tally({ failed: Number(name) }, line);
          return 'mine';
        case 'SCOPE-ENDS':
          out.close((fields, key) => {
            fields.suite = name;
            fields.id = `${name} ${key}`;
          });
          return 'mine';
        case 'MUST-LOOK-BACK': {
          const before = out.back(Number(name));
          if (before) out.claim(before);
          out.failure({ kind: 'build', message: `before: ${before?.text} (${before?.no})` }, before ?? line, line);
          return 'mine';
        }
        case 'STOPPED-EARLY':
          out.early('failFast');
          return 'mine';
        default:
          return undefined;
      }
    },
    excuse: line => line.text.startsWith('toy: '),
  }),
};

/** Never stops, but for the end of its stream or a bound. */
const greedy: Format = {
  name: 'greedy',
  url: 'about:blank',
  hints: ['SWALLOW'],
  reader: out => ({
    line(line) {
      if (line.text !== 'SWALLOW') return undefined;
      const draft = out.failure({ kind: 'crash', message: 'swallowed' }, line);
      return {
        line(next) {
          draft.add(next);
          return 'more';
        },
        end: () => {
          draft.fields.code = 'ended';
        },
      };
    },
  }),
};

const consequences: Format = {
  name: 'after',
  url: 'about:blank',
  hints: ['IT-FOLLOWS'],
  reader: out => ({
    line(line) {
      const kind = line.text.endsWith('died') ? 'crash' : 'build';
      out.consequence({ kind, message: line.text }, line);
      return 'mine';
    },
  }),
};

const formats = [toy, greedy, consequences];
const run = (text: string, options = {}) => read(Buffer.from(text), { formats, ...options });
const failures = (records: AidoRecord[]) => records.filter((record): record is Failure => record.type === 'failure');
const unread = (records: AidoRecord[]) => records.filter((record): record is Unread => record.type === 'unread');
const suites = (records: AidoRecord[]) => records.filter((record): record is Suite => record.type === 'suite');
const summary = (records: AidoRecord[]) => records.at(-1) as Summary;

test('status, detail and summary of one test are one failure, whatever their order', t => {
  const parts = ['FAIL-STATUS a\n', 'DETAIL-OF a\n  boom\n', 'SUMMARY-OF a\n'];
  for (const [i, j, k] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const) {
    const found = failures(run(`${parts[i]}${parts[j]}${parts[k]}TALLY-OF-IT 1\nSCOPE-ENDS s\n`));
    t.equal(found.length, 1);
    t.match(found[0], { id: 's a', suite: 's', name: 'a', detail: '  boom' });
  }
  t.end();
});

test('a second status of the same test is a second attempt, written once', t => {
  const records = run('FAIL-STATUS a\nFAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\n', { outcomes: true });
  t.equal(failures(records).length, 1);
  t.same(
    records.filter(r => r.type === 'outcome').map(r => (r as { attempt?: number }).attempt),
    [undefined, 2],
  );
  t.end();
});

test('what passed on a later attempt is no failure, and its attempts are told', t => {
  const records = run('FAIL-STATUS a\nPASSED-AFTER-ALL a\nTALLY-OF-IT 0\nSCOPE-ENDS s\n', { outcomes: true });
  t.same(failures(records), []);
  t.same(
    records.filter(r => r.type === 'outcome').map(r => (r as { result?: string }).result),
    ['failed', 'passed'],
  );
  t.equal(suites(records)[0]?.agrees, true);
  t.end();
});

test('the tally is held against what was read', t => {
  t.equal(suites(run('FAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\n'))[0]?.agrees, true);
  const wrong = run('FAIL-STATUS a\nTALLY-OF-IT 2\nSCOPE-ENDS s\n');
  t.match(suites(wrong)[0], { suite: 's', failed: 2, result: 'failed', agrees: false });
  t.match(summary(wrong), { complete: false, reason: 'tally', disagree: 1 });
  t.end();
});

test('what is known of the end', t => {
  const cases: [string, object][] = [
    ['', { complete: false, reason: 'noRun' }],
    ['nothing of ours\n', { complete: false, reason: 'noRun' }],
    ['FAIL-STATUS a\n', { complete: false, reason: 'truncated' }],
    ['FAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\n', { complete: true }],
    ['FAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\nFAIL-STATUS b\n', { complete: false, reason: 'truncated' }],
    ['FAIL-STATUS a\nSTOPPED-EARLY\nTALLY-OF-IT 1\nSCOPE-ENDS s\n', { complete: false, reason: 'failFast' }],
    ['IT-FOLLOWS: Error 1\n', { complete: true }],
    ['IT-FOLLOWS: it died\n', { complete: false, reason: 'noRun' }],
    ['FAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\nIT-FOLLOWS: it died\n', { complete: true }],
  ];
  for (const [text, wanted] of cases) t.match(summary(run(text)), wanted, text);
  t.end();
});

test('a last line without a line end may be cut', t => {
  const whole = 'FAIL-STATUS a\nTALLY-OF-IT 1\nSCOPE-ENDS s\n';
  const cases: [string, object][] = [
    [whole.trimEnd(), { complete: true }],
    [`${whole}nothing of ours`, { complete: true }],
    [`${whole}toy: error is what I always say`, { complete: true }],
    [`${whole}an erro`, { complete: true }],
    [`${whole}an error occ`, { complete: false, reason: 'truncated' }],
    [`${whole}an error occ\n`, { complete: true }],
    [`${whole}boom error\nMUST-LOOK-BACK 1`, { complete: false, reason: 'truncated' }],
    [`${whole}MUST-LOOK-BACK 1\n`, { complete: true }],
    ['an error occ', { complete: false, reason: 'truncated' }],
    ['IT-FOLLOWS: Err', { complete: false, reason: 'truncated' }],
  ];
  for (const [text, wanted] of cases) t.match(summary(run(text)), wanted, text);
  const cut = (text: string) => failures(run(text)).map(({ id, cut, weakId }) => [id, cut, weakId]);
  t.same(cut(`${whole}FAIL-STATUS b`).at(-1), ['b', true, true]);
  t.same(cut(`${whole}FAIL-STATUS b\n`).at(-1), ['b', undefined, undefined]);
  t.same(cut('FAIL-STATUS a\nSUMMARY-OF a'), [['a', undefined, undefined]], 'it says nothing new');
  t.same(cut('FAIL-STATUS a\nSUMMARY-OF ab'), [
    ['a', undefined, undefined],
    ['ab', true, true],
  ]);
  t.same(cut('MUST-LOOK-BACK 1')[0]?.slice(1), [true, true]);
  const told = run('FAIL-STATUS a', { outcomes: true }).filter(record => record.type === 'outcome');
  t.match(told, [{ id: 'a', weakId: true }]);
  t.end();
});

test('consequences are failures only when nothing explains them', t => {
  const message = (text: string) => failures(run(text)).map(found => found.message);
  t.same(message('IT-FOLLOWS: Error 1\n'), ['IT-FOLLOWS: Error 1']);
  t.same(message('FAIL-STATUS a\nIT-FOLLOWS: Error 1\n'), [undefined]);
  t.same(message('IT-FOLLOWS: Error 1\nFAIL-STATUS a\n'), [undefined], 'whichever comes first');
  const two = 'Attaching to web-1, db-1\nweb-1  | FAIL-STATUS a\ndb-1   | IT-FOLLOWS: Error 1\n';
  t.same(message(two), [undefined, 'IT-FOLLOWS: Error 1'], 'each stream for itself');
  t.end();
});

test('a line that looks like a failure and that nobody explains is said', t => {
  const cases: [string, string[]][] = [
    ['an error occurred\n', ['an error occurred']],
    ['TypeError: x is not a function\n', ['TypeError: x is not a function']],
    ['0 errors, no failures\n', []],
    ['terror and failsafe\n', []],
    ['toy: error is what I always say\n', []],
    ['an error here\nand there: fatal\n', ['an error here\nand there: fatal']],
    ['boom error\nMUST-LOOK-BACK 1\n', []],
  ];
  for (const [text, wanted] of cases)
    t.same(
      unread(run(text)).map(record => record.text),
      wanted,
      text,
    );
  const far = `first error\n${'fine\n'.repeat(20_000)}second error\n`;
  t.same(
    unread(run(far)).map(record => record.log.first),
    [1, 20_002],
    'a record a chunk',
  );
  t.match(summary(run(far)), { exactChunks: 23, chunks: 25 });
  t.end();
});

test('look-back: the lines before, up to 64 KiB', t => {
  const message = (text: string) => failures(run(text))[0]?.message;
  t.equal(message('one\ntwo\nMUST-LOOK-BACK 1\n'), 'before: two (2)');
  t.equal(message('one\r\n\x1b[31mtwo\x1b[0m\r\nMUST-LOOK-BACK 2\n'), 'before: one (1)');
  t.equal(message('MUST-LOOK-BACK 1\n'), 'before: undefined (undefined)');
  t.equal(message(`far\n${'x\n'.repeat(40_000)}MUST-LOOK-BACK 40001\n`), 'before: undefined (undefined)');
  t.equal(message(`far\n${'x\n'.repeat(30_000)}MUST-LOOK-BACK 30001\n`), 'before: far (1)');
  t.end();
});

test('a block that never ends is ended: by a bound, or by the end of the input', t => {
  const long = failures(run(`SWALLOW\n${'fine\n'.repeat(3000)}FAIL-STATUS a\n`));
  t.same(
    long.map(found => found.code ?? found.id),
    ['ended', 'a'],
  );
  t.equal(failures(run('SWALLOW\nlast words'))[0]?.detail, 'last words');
  t.match(failures(run(`SWALLOW\n${'x'.repeat(5000)}\n`))[0], { cut: true });
  t.end();
});

test('over-long lines: the head is read, the rest counted', t => {
  const long = run(`FAIL-STATUS a ${'x'.repeat(200_000)} FAIL-STATUS b\nFAIL-STATUS c\n${'y'.repeat(70_000)}\n`);
  t.same(
    failures(long).map(found => found.id),
    ['a', 'c'],
  );
  t.match(summary(long), { lines: 3, longLines: 1 });
  t.end();
});

test('more open drafts than are held: the oldest go out, cut, and what comes later of them joins nothing', t => {
  const names = Array.from({ length: 2500 }, (_, i) => `t${i}`);
  const status = names.map(name => `FAIL-STATUS ${name}\n`).join('');
  const detail = names.map(name => `DETAIL-OF ${name}\n  boom\n`).join('');
  const records = run(`${status}${detail}TALLY-OF-IT 2500\nSCOPE-ENDS s\n`);
  t.equal(failures(records).length, 2500);
  t.equal(failures(records).filter(found => found.cut && found.weakId).length, 500);
  t.equal(suites(records)[0]?.agrees, true);
  t.end();
});

test('a test of several attempts that goes out early is one test', t => {
  const others = Array.from({ length: 2500 }, (_, i) => `FAIL-STATUS t${i}\n`).join('');
  const records = run(`FAIL-STATUS a\nFAIL-STATUS a\n${others}TALLY-OF-IT 2501\nSCOPE-ENDS s\n`);
  t.equal(suites(records)[0]?.agrees, true);
  t.end();
});

test('other clothes: UTF-16, byte order mark, no line end at the end', t => {
  const wanted = failures(run('FAIL-STATUS ä\nTALLY-OF-IT 1\nSCOPE-ENDS s\n'));
  const little = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('FAIL-STATUS ä\r\nTALLY-OF-IT 1\r\nSCOPE-ENDS s', 'utf16le'),
  ]);
  const big = Buffer.from(little).swap16();
  for (const log of [little, big, Buffer.from('\ufeffFAIL-STATUS ä\nTALLY-OF-IT 1\nSCOPE-ENDS s')]) {
    t.same(failures(read(log, { formats })), wanted);
    t.same(failures(read(log, { formats }, Array.from(log.keys()))), wanted, 'byte by byte');
  }
  t.end();
});

test('--root and --prefix', t => {
  const paths: Format = {
    name: 'paths',
    url: 'about:blank',
    hints: ['ERROR-IN'],
    reader: out => ({
      line(line) {
        out.failure({ kind: 'build', file: line.text.slice(9), message: 'm' }, line);
        return 'mine';
      },
    }),
  };
  const cases: [string, object, string][] = [
    ['/src/app/a.c', { root: '/src/app' }, 'a.c'],
    ['/src/app/a.c', { root: '/src/app/' }, 'a.c'],
    ['/src/application/a.c', { root: '/src/app' }, '/src/application/a.c'],
    ['a.c', { prefix: 'packages/x' }, 'packages/x/a.c'],
    ['/abs/a.c', { prefix: 'packages/x' }, '/abs/a.c'],
    ['C:\\a.c', { prefix: 'packages/x/' }, 'C:\\a.c'],
    ['/src/app/a.c', { root: '/src', prefix: 'y' }, 'y/app/a.c'],
  ];
  for (const [path, options, wanted] of cases) {
    const [found] = failures(read(Buffer.from(`ERROR-IN ${path}\n`), { formats: [paths], ...options }));
    t.match(found, { file: wanted, id: `${wanted}: m` }, `${path} ${JSON.stringify(options)}`);
  }
  t.end();
});
