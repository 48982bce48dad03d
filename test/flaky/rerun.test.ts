/** Commands that run a test again: what each runner is told, and that a shell hands it on as it is. */
import { execFileSync } from 'node:child_process';
import { test } from 'tap';
import { command, either, escaped } from '../../src/base/shell.js';
import { type Named, rerun } from '../../src/flaky/rerun.js';
import { random } from '../support/fixtures.js';

/** What a POSIX shell makes of a command: its words. */
const words = (text: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** What a test's id, suite and name are, by tool: as the readers of each have it. */
const of = (tool: string, id: string, suite?: string, name?: string, more = {}): Named => ({
  tool,
  id,
  suite,
  name,
  ...more,
});
const cargo = (suite: string, name: string) => of('cargo', `${suite} ${name}`, suite, name);
const go = (name: string, suite = 'example.com/shop') => of('go-test', `${suite} ${name}`, suite, name);
const js = (tool: string, file: string, ...titles: string[]) =>
  of(tool, [file, ...titles].join(' > '), file, titles.join(' > '));

test('what each runner is told', t => {
  const cases: [tests: Named[], expected: string[][]][] = [
    [
      [cargo('shop', 'tests::x')],
      [['cargo', 'test', '--workspace', '--no-fail-fast', '--lib', '--', '--exact', 'tests::x']],
    ],
    [
      [
        cargo('shop::it', 'a'),
        cargo('shop::bin/tool', 'b'),
        cargo('shop::it', 'c'),
        cargo('shop::doc', 'src/lib.rs - money::f (line 3)'),
        cargo('shop::doc', 'src/lib.rs - (line 7)'),
      ],
      [
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it', '--', '--exact', 'a', 'c'],
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--bin', 'tool', '--', '--exact', 'b'],
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--doc', '--', 'money::f', 'src/lib.rs'],
      ],
    ],
    [
      [cargo('shop::it_case', 'a')],
      [['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it[-_]case', '--', '--exact', 'a']],
    ],
    [
      [of('cargo', 'tests::x', undefined, 'tests::x')],
      [['cargo', 'test', '--workspace', '--no-fail-fast', '--', '--exact', 'tests::x']],
    ],
    [[of('pytest', 'a.py::t[x y]'), of('pytest', '-b.py::t')], [['pytest', 'a.py::t[x y]', './-b.py::t']]],
    [
      [of('unittest', 'test_x (mod.C.test_x)'), of('unittest', 'test_y (mod.C)')],
      [['python', '-m', 'unittest', 'mod.C.test_x', 'mod.C.test_y']],
    ],
    [
      [go('TestA'), go('TestB'), go('TestC/x.y/z'), go('TestA', 'example.com/other')],
      [
        ['go', 'test', '-count=1', '-run', '^(TestA|TestB)$', 'example.com/shop'],
        ['go', 'test', '-count=1', '-run', '^TestC$/^x\\.y$/^z$', 'example.com/shop'],
        ['go', 'test', '-count=1', '-run', '^TestA$', 'example.com/other'],
      ],
    ],
    [
      [js('jest', 'a.test.js', 'cart', 'adds (1)'), js('jest', 'a.test.js', 'x'), js('jest', '-b.test.js', '-v')],
      [
        ['jest', '-t', '^(cart( [>›])? adds \\(1\\)|x)$', '--runTestsByPath', 'a.test.js'],
        ['jest', '-t', '^-v$', '--runTestsByPath', './-b.test.js'],
      ],
    ],
    [[js('vitest', 'a.test.ts', 's', '$(x)')], [['vitest', 'run', '-t', '^s( [>›])? \\$\\(x\\)$', 'a.test.ts']]],
    [
      [of('cargo', 'it other', 'it', 'other', { weakId: true })],
      [['cargo', 'test', '--workspace', '--no-fail-fast', '--', '--exact', 'other']],
    ],
    [
      [of('cargo', 'src/lib.rs - f (line 1)', undefined, 'src/lib.rs - f (line 1)', { weakId: true })],
      [['cargo', 'test', '--workspace', '--no-fail-fast', '--doc', '--', 'f']],
    ],
    [
      [of('pytest', 'a.py::C::t (i=1)'), of('pytest', 'a.py::t[x y] [msg] (i=1)'), of('pytest', 'a.py::u[a (b)]')],
      [['pytest', 'a.py::C::t', 'a.py::t[x y]', 'a.py::u[a (b)]']],
    ],
    [
      [go('TestC/x'), go('TestC'), go('TestC/y'), go('TestD/z'), go('TestD/a|b'), go('TestD/a/b')],
      [
        ['go', 'test', '-count=1', '-run', '^TestC$', 'example.com/shop'],
        ['go', 'test', '-count=1', '-run', '^TestD$/^(z|a\\|b)$', 'example.com/shop'],
        ['go', 'test', '-count=1', '-run', '^TestD$/^a$/^b$', 'example.com/shop'],
      ],
    ],
    [[go('TestA/at_0x28734224')], [['go', 'test', '-count=1', '-run', '^TestA$/^at_0x[0-9a-f]+$', 'example.com/shop']]],
    [
      [of('go-test', 'sub TestA', 'sub', 'TestA', { weakId: true })],
      [['go', 'test', '-count=1', '-run', '^TestA$', './sub']],
    ],
    [
      [
        cargo('shop::it', '-dash'),
        cargo('shop::it', '$(x)'),
        cargo('shop::it', 'at 0x55b9f916 (1)'),
        cargo('shop::it', 'a::b'),
      ],
      [
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it', '--', '--exact', '--', '-dash'],
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it', '--', '--exact', '$(x)'],
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it', '--', 'at'],
        ['cargo', 'test', '--workspace', '--no-fail-fast', '--test', 'it', '--', '--exact', 'a::b'],
      ],
    ],
    [
      [{ ...js('vitest', 'a.test.ts', 'set up'), isGroup: true }],
      [['vitest', 'run', '-t', '^set up .*$', 'a.test.ts']],
    ],
    [
      [
        js('playwright', '[one] tests/a.spec.js', 's', 'x (1)'),
        js('playwright', '[two] tests/a.spec.js', 's', 'x (1)'),
      ],
      [['playwright', 'test', '-g', '(a\\.spec\\.js( [>›])? s( [>›])? x \\(1\\))$']],
    ],
    [
      [of('jest', 'a.test.js', 'a.test.js', 'a.test.js'), js('jest', 'a.test.js', 'x')],
      [['jest', '--runTestsByPath', 'a.test.js']],
    ],
    [[of('surefire', 'a.b.CTest', 'a.b.CTest', 'a.b.CTest')], [['mvn', 'test', '-Dtest=a.b.CTest']]],
    [[of('mocha', 'cart (1) "before all" hook for "x"', 'cart (1)')], [['mocha', '-g', '^cart \\(1\\) .*$']]],
    [[of('pytest', 'a.py::t[<O at 0x…>]')], [['pytest', 'a.py::t']]],
    [[of('mocha', 'at 0x… (1)')], [['mocha', '-g', '^at 0x[0-9a-f]+ \\(1\\)$']]],
    [
      [of('nextest', 'shop a,b(c)', 'shop', 'a,b(c)')],
      [['cargo', 'nextest', 'run', '-E', '(binary_id(=shop) & test(=a\\,b(c\\)))']],
    ],
    [[of('mocha', 'it\'s `a` "b" \\c')], [['mocha', '-g', '^it\'s `a` "b" \\\\c$']]],
    [[js('node-test', 'a.js', 's', '-x')], [['node', '--test', '--test-name-pattern=^(s|s > -x)$', 'a.js']]],
    [
      [of('surefire', 'a.b.CTest.m', 'a.b.CTest', 'm'), of('surefire', 'a.b.CTest.p[1]', 'a.b.CTest', 'p[1]')],
      [['mvn', 'test', '-Dtest=a.b.CTest#m,a.b.CTest#p*']],
    ],
    [[of('gradle', 'a.b.CTest.m')], [['gradle', 'test', '--tests', 'a.b.CTest.m']]],
    [[of('ctest', 'a+b', undefined, 'a+b')], [['ctest', '-R', '^a\\+b$']]],
    [
      [of('xctest', 'CartTests testAdds', 'CartTests', 'CartTests.testAdds')],
      [['swift', 'test', '--filter=CartTests/testAdds$']],
    ],
    [
      [of('exunit', 'M test x', 'M', 'test x', { file: 'test/m_test.exs', line: 3 })],
      [['mix', 'test', 'test/m_test.exs:3']],
    ],
    [[of('exunit', 'M test x', 'M', 'test x')], []],
    [
      [of('nextest', 'shop::it a::b', 'shop::it', 'a::b')],
      [['cargo', 'nextest', 'run', '-E', '(binary_id(=shop::it) & test(=a::b))']],
    ],
    [[of('plain', 'x'), of('junit', 'y')], []],
  ];
  for (const [tests, expected] of cases) {
    const found = rerun(tests);
    t.strictSame(found.map(words), expected, tests[0]?.id ?? '');
  }
  t.equal(
    rerun(Array.from({ length: 120 }, (_, i) => of('pytest', `a.py::t${i}`))).length,
    3,
    'a command line has an end',
  );
  t.end();
});

test('a shell hands on what it is given', t => {
  const next = random(3);
  const letters = [...'ab -=~#!*?[]{}()<>|&;$`"\'\\\n\té😀%@:'];
  for (let n = 0; n < 150; n++) {
    const all = Array.from({ length: 3 }, () =>
      Array.from({ length: Math.floor(next() * 8) }, () => letters[Math.floor(next() * letters.length)]).join(''),
    );
    t.strictSame(words(command(...all)), all);
  }
  t.equal(command('a', '--b', 'c.py::d', '-Dx=y'), 'a --b c.py::d -Dx=y', 'no quotes where none are needed');
  t.end();
});

test('a pattern matches its text and nothing else', t => {
  const texts = ['a', 'a.b', 'a|b', '^$', '(x)', '[0-9]+', 'a\\b', '$(x)', '{2}', 'ab'];
  const all = new RegExp(either(texts.map(escaped)));
  for (const text of texts) {
    t.ok(new RegExp(either([escaped(text)])).test(text) && all.test(text), text);
    t.notOk(
      texts.some(other => other !== text && new RegExp(either([escaped(text)])).test(other)),
      text,
    );
  }
  t.notOk(all.test('axb'));
  t.notOk(all.test('xa'));
  t.end();
});
