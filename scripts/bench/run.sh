#!/bin/sh
# `make bench`: speed side by side with a bare split2 loop and grep on the same logs, in one run; of what reads records,
# beside a loop that parses each line of JSON. Ratios, not seconds,
# are what to compare between machines. Needs hyperfine (Debian: apt-get install hyperfine).
#
#   MB=300 RUNS=5 CORPUS=FILE sh scripts/bench/run.sh      CORPUS: one more log to read, for instance many real ones in a row
set -eu
cd "$(dirname "$0")/../.."
command -v hyperfine >/dev/null || { echo "bench needs hyperfine (Debian: apt-get install hyperfine)" >&2; exit 1; }
mb=${MB:-300}
runs=${RUNS:-5}
words='error|fail|panic|fatal|crash|exception|assertion'
node scripts/bench/logs.mjs bench "$mb"

compare() {
  log=$1
  echo
  echo "== $log ($(($(wc -c <"$log") / 1000000)) MB)"
  hyperfine --style none --warmup 1 --runs "$runs" --export-json bench/result.json -i \
    -n split2 "node scripts/bench/split2.mjs $log" \
    -n aido-fail "bin/aido-fail $log" \
    -n 'split2, pipe' "cat $log | node scripts/bench/split2.mjs" \
    -n 'aido-fail, pipe' "cat $log | bin/aido-fail" \
    -n grep "grep -Eci '$words' $log | cat" >/dev/null 2>&1
  node scripts/bench/ratios.mjs bench/result.json split2 "$log"
}

echo '== start-up'
hyperfine --style none --warmup 3 --runs 40 --export-json bench/result.json \
  -n 'node -e 0' 'node -e 0' \
  -n 'aido-fail' 'bin/aido-fail /dev/null' \
  -n 'aido-baseline' 'bin/aido-baseline --version' \
  -n 'aido-flaky' 'bin/aido-flaky --version' \
  -n 'aido-audit' 'bin/aido-audit --version' >/dev/null 2>&1
node scripts/bench/ratios.mjs bench/result.json 'node -e 0'

for kind in green ci red; do compare "bench/$kind-$mb.log"; done
if [ -n "${CORPUS:-}" ]; then compare "$CORPUS"; fi

echo
echo '== peak memory, 1 % failing lines'
node scripts/bench/logs.mjs bench 100
node scripts/bench/logs.mjs bench 1000
for size in 100 1000; do
  printf '%5s MB: ' "$size"
  node scripts/bench/rss.mjs aido-fail "bench/red-$size.log"
done

echo
echo '== aido-flaky: records of 1,000 runs of 5,000 tests'
for size in 100 1000; do node scripts/bench/outcomes.mjs "bench/outcomes-$size.ndjson" "$size" 5000; done
hyperfine --style none --warmup 0 --runs 3 --export-json bench/result.json \
  -n 'JSON.parse, split2' 'node scripts/bench/parse.mjs bench/outcomes-1000.ndjson' \
  -n 'JSON.parse' 'node scripts/bench/parse.mjs bench/outcomes-1000.ndjson bare' \
  -n 'aido-flaky' 'bin/aido-flaky bench/outcomes-1000.ndjson' \
  -n 'aido-flaky, pipe' 'cat bench/outcomes-1000.ndjson | bin/aido-flaky' >/dev/null 2>&1
node scripts/bench/ratios.mjs bench/result.json 'JSON.parse' bench/outcomes-1000.ndjson
for size in 100 1000; do
  printf '%5s runs: ' "$size"
  node scripts/bench/rss.mjs aido-flaky "bench/outcomes-$size.ndjson"
done

echo
echo '== aido-audit: an npm report of 100 MB'
node scripts/bench/npm-report.mjs 100 >bench/npm-100.json
hyperfine --style none --warmup 1 --runs "$runs" --export-json bench/result.json \
  -n 'JSON.parse' "node -e 'JSON.parse(require(\"node:fs\").readFileSync(\"bench/npm-100.json\", \"utf8\"))'" \
  -n 'aido-audit' 'bin/aido-audit bench/npm-100.json' \
  -n 'JSON.parse, pipe' "cat bench/npm-100.json | node -e 'JSON.parse(require(\"node:fs\").readFileSync(0, \"utf8\"))'" \
  -n 'aido-audit, pipe' 'cat bench/npm-100.json | bin/aido-audit' \
  -n 'aido-audit --plan' 'bin/aido-audit --plan bench/npm-100.json' >/dev/null 2>&1
node scripts/bench/ratios.mjs bench/result.json 'JSON.parse' bench/npm-100.json
node scripts/bench/rss.mjs aido-audit bench/npm-100.json
