#!/bin/sh
# `make demo`: the main job on the output of a real run, in a folder of its own. Shows each command and what it says.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
logs=$here/fixtures/demo
PATH=$here/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$logs/main.log" "$logs/branch.log" .

show() {
  printf '\n$ %s\n' "$*"
  status=0
  sh -c "$*" || status=$?
  printf '# exit %s\n' "$status"
}

echo '# main.log and branch.log are what `cargo test --no-fail-fast` printed before and after a change.'
show 'aido-fail -p main.log'
show 'aido-baseline capture main.log'
show 'aido-fail branch.log | aido-baseline diff'
echo
echo '# Said in words:'
show 'aido-baseline diff branch.log | node -e '\''
  const lines = require("node:fs").readFileSync(0, "utf8").trim().split("\n").map(JSON.parse);
  for (const r of lines) if (r.id) console.log((r.baseline ?? r.type).padEnd(12), r.id);'\'''

echo
echo '# run1.log to run3.log are what three runs of one test suite printed.'
for run in 1 2 3; do cp "$here/fixtures/flaky/cargo/run$run.plain.log" "run$run.log"; done
show 'aido-flaky -p --max 3 run1.log run2.log run3.log'

echo
echo '# audit.json is what `npm audit --json` printed.'
cp "$here/fixtures/audit/npm/cases/found.json" audit.json
show 'aido-audit -p --max 3 audit.json'
show 'aido-audit -p --plan audit.json'
