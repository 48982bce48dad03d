/**
 * Makes the logs of the benchmark: deterministic, of a given size, in the folder `bench/`.
 *
 *   node scripts/bench/logs.mjs FOLDER MEGABYTES
 */
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Line shapes of green runs, one function each: i is the line's number. */
export const GREEN = [
  i => `test parser::lexer::tokens_${i % 977} ... ok`,
  i => `tests/unit/test_module_${i % 211}.py::TestCase::test_case_${i} PASSED [ ${i % 100}%]`,
  i => `ok  \tgithub.com/example/project/internal/pkg${i % 331}\t0.${i % 1000}s`,
  i => `   Compiling serde_derive v1.0.${i % 300}`,
  i => `    renders the component number ${i} with all its children (${i % 40} ms)`,
  i =>
    `[INFO] Downloaded from central: https://repo.example.org/maven2/org/example/artifact-${i}.jar (${i % 900} kB at 2.1 MB/s)`,
  i => `[ ${i % 100}%] Building CXX object src/CMakeFiles/core.dir/file_${i % 800}.cpp.o`,
  i => `npm http fetch GET 200 https://registry.example.org/package-${i} ${i % 500}ms (cache hit)`,
  i => `PASS packages/app-${i % 57}/src/__tests__/view-${i}.test.ts`,
  i =>
    `2024-05-01 12:${10 + (i % 50)}:07,${100 + (i % 900)} DEBUG [worker-${i % 16}] org.example.Service - handled request ${i} in ${i % 90} ms`,
  i => `gcc -O2 -Wall -Iinclude -c -o build/obj/unit_${i % 1200}.o src/unit_${i % 1200}.c`,
  i => `ok ${i} - the answer to question ${i} is stable`,
  i => `Step ${i % 30}/30 : RUN pip install --no-cache-dir -r requirements-${i % 9}.txt`,
  i => `-- Installing: /usr/local/include/example/header_${i % 700}.hpp`,
  i =>
    `#14 ${i % 90}.${i % 1000} Get:${i % 99} http://deb.example.org/debian bookworm/main amd64 libexample${i % 400} amd64 1.2-3 [45.6 kB]`,
  i => `> Task :module-${i % 77}:compileJava UP-TO-DATE`,
  i => `  Downloaded example-crate-${i % 500} v0.12.${i % 9}`,
  i => `Collecting example-package-${i % 300}==1.2.${i % 20} (from -r requirements.txt (line ${i % 120}))`,
  i => `  inflating: assets/images/icon-${i}.png`,
  i => `[12:34:${10 + (i % 50)}] Finished 'scripts:${i % 40}' after ${i % 900} ms`,
  i => `  ./src/components/view-${i}.tsx ${i % 90}.4 KiB [built] [code generated]`,
  i => `Uploading artifact ${i % 60} of 60: coverage/lcov-${i}.info (${i % 800} kB)`,
  i => `removing '/tmp/build/cache/objects/${(i * 2654435761) >>> 0}'`,
  i => `2024/05/01 12:00:${10 + (i % 50)} GET /api/v1/items/${i} 200 ${i % 40}ms`,
];

/** Ends of suites and test points, which are read even where all is green: three lines in a hundred. */
const READ = new Set(GREEN.flatMap((line, n) => (/^(?:ok |PASS )/.test(line(1)) ? [n] : [])));
const green = i => {
  const n = i % GREEN.length;
  return GREEN[READ.has(n) && Math.floor(i / GREEN.length) % 4 ? n + 1 : n](i);
};

const RED = [
  i => `test parser::lexer::tokens_${i % 97} ... FAILED`,
  i => `src/module_${i % 300}.c:${i % 900}:12: error: 'value_${i % 50}' undeclared (first use in this function)`,
  i => `FAILED tests/test_mod_${i % 40}.py::test_case_${i % 999} - AssertionError: assert ${i % 7} == ${i % 5}`,
  i => `not ok ${i} - the answer to question ${i % 999} is stable`,
];

const stamp = i =>
  `2024-05-01T10:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}.${String(i % 10_000_000).padStart(7, '0')}Z `;

const KINDS = {
  green,
  ci: i => `${stamp(i)}\x1b[32m✓\x1b[0m ${green(i)} \x1b[2m– größer\x1b[22m`,
  red: i => (i % 100 === 0 ? RED[(i / 100) % RED.length](i) : `✔ ${green(i)}`),
};

if (import.meta.filename === process.argv[1]) make(...process.argv.slice(2));

function make(folder = 'bench', megabytes = '300') {
  mkdirSync(folder, { recursive: true });
  for (const [kind, line] of Object.entries(KINDS)) {
    const file = join(folder, `${kind}-${megabytes}.log`);
    if (existsSync(file)) continue;
    const fd = openSync(file, 'w');
    let size = 0;
    for (let i = 0; size < Number(megabytes) * 1e6; ) {
      let text = '';
      for (let end = i + 5000; i < end; i++) text += `${line(i)}\n`;
      size += writeSync(fd, text);
    }
    closeSync(fd);
  }
}
