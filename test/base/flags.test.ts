import { test } from 'tap';
import { parseFlags } from '../../src/base/flags.js';

const table = {
  outcomes: { short: 'a', help: '' },
  exitCode: { short: 'e', help: '' },
  from: { short: 'f', arg: 'FILE', help: '' },
  maxFailures: { short: 'n', arg: 'N', as: 'count', help: '' },
  status: { arg: 'N', as: 'integer', help: '' },
  with: { arg: 'TEXT', many: true, help: '' },
} as const;

test('flags and operands', t => {
  const cases: [argv: string[], flags: object, operands: string[]][] = [
    [[], {}, []],
    [['-'], {}, ['-']],
    [['-a', '-', 'x'], { outcomes: true }, ['-', 'x']],
    [['-ae'], { outcomes: true, exitCode: true }, []],
    [['-a', '-a'], { outcomes: true }, []],
    [['x', '-a', 'y'], { outcomes: true }, ['x', 'y']],
    [['-a', 'true'], { outcomes: true }, ['true']],
    [['--outcomes', 'false'], { outcomes: true }, ['false']],
    [['-fX'], { from: 'X' }, []],
    [['-aefX'], { outcomes: true, exitCode: true, from: 'X' }, []],
    [['-f', 'X'], { from: 'X' }, []],
    [['-f', '-'], { from: '-' }, []],
    [['--from=X'], { from: 'X' }, []],
    [['--from=a=b'], { from: 'a=b' }, []],
    [['--from=-x'], { from: '-x' }, []],
    [['--from=1e3'], { from: '1e3' }, []],
    [['--from', 'a\nb'], { from: 'a\nb' }, []],
    [['--from=a\nb'], { from: 'a\nb' }, []],
    [['--from', 'a', '--from', 'b'], { from: 'b' }, []],
    [['--with', 'a', '--with=b'], { with: ['a', 'b'] }, []],
    [['--with', 'a'], { with: ['a'] }, []],
    [['--max-failures', '7'], { maxFailures: 7 }, []],
    [['-n7'], { maxFailures: 7 }, []],
    [['--max-failures=0'], { maxFailures: 0 }, []],
    [['--status', '-1'], { status: -1 }, []],
    [['--status=-1073741819'], { status: -1073741819 }, []],
    [['--', '-a', '--'], {}, ['-a', '--']],
    [['x', '--', '-'], {}, ['x', '-']],
    [['1.0', '007'], {}, ['1.0', '007']],
    [[''], {}, ['']],
  ];
  for (const [argv, flags, operands] of cases)
    t.strictSame(parseFlags(table, argv), { flags, operands }, argv.join(' '));
  t.end();
});

test('what is refused, and what is said', t => {
  const cases: [argv: string[], message: RegExp][] = [
    [['--outcome'], /^unknown flag --outcome; did you mean --outcomes\?$/],
    [['--max-failure=3'], /did you mean --max-failures\?$/],
    [['--form', 'x'], /did you mean --from\?$/],
    [['--maxFailures', '3'], /did you mean --max-failures\?$/],
    [['--no-outcomes'], /^unknown flag --no-outcomes; did you mean --outcomes/],
    [['--zzzzzz'], /^unknown flag --zzzzzz; see --help$/],
    [['--=x'], /^unknown flag --; see/],
    [['-z'], /^unknown flag -z; see/],
    [['-az'], /^unknown flag -z; see/],
    [['--a'], /^unknown flag --a; see/],
    [['---a'], /^unknown flag ---a/],
    [['-f'], /^-f needs a value: -f FILE$/],
    [['--from'], /^--from needs a value: --from FILE$/],
    [['--from='], /^--from needs a value/],
    [['--from', ''], /^--from needs a value/],
    [['--from', '--outcomes'], /^--from needs a value/],
    [['--from', '--', 'x'], /^--from needs a value/],
    [['--outcomes=true'], /^--outcomes takes no value$/],
    [['--outcomes='], /^--outcomes takes no value$/],
    [['-n', 'x'], /^--max-failures x: not a whole number, 0 or more$/],
    [['-n', '-1'], /^--max-failures -1: not a whole number, 0 or more$/],
    [['-n', '1.5'], /1\.5: not a whole/],
    [['-n', '1e3'], /1e3: not a whole/],
    [['-n=5'], /=5: not a whole/],
    [['--status', 'red'], /^--status red: not a whole number$/],
    [['-n', 'x', '-n', '1'], /x: not a whole/],
  ];
  for (const [argv, message] of cases) {
    t.throws(() => parseFlags(table, argv), { code: 'BAD_INVOCATION', message }, argv.join(' '));
  }
  t.end();
});
