#!/bin/sh
# `make recipes`: runs every ```sql block of docs/recipes.md over records made from the fixtures, so that they stay true.
# Needs npm: DuckDB is installed in a folder of its own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/runs"
for log in "$root"/fixtures/demo/*.log "$root"/fixtures/cargo/*.log; do
  "$root/bin/aido-fail" -a "$log" >"$work/runs/$(basename "$log" .log).ndjson"
done
# A fleet: each of three runs on a machine and a day of its own.
mkdir "$work/fleet"
for run in 1 2 3; do
  for machine in ant bee; do
    name=$machine/2026-11-2$run/$run
    "$root/bin/aido-fail" -a --run "$name" "$root/fixtures/flaky/go/run$run.verbose.log" >"$work/fleet/$machine-$run.ndjson"
  done
done
# Repositories, each with an audit of its own.
mkdir "$work/audits"
for audit in "$root"/fixtures/audit/*/cases/found*.json*; do
  name=$(echo "${audit#"$root"/fixtures/audit/}" | tr / -)
  case $audit in *.ndjson) continue ;; esac
  "$root/bin/aido-audit" --max 9999 "$audit" >"$work/audits/$name.ndjson"
done
cd "$work"
npm install --silent --no-save --prefix "$work" @duckdb/node-api >/dev/null
cp "$root/scripts/recipes.mjs" "$work"
PATH="$root/bin:$PATH" node recipes.mjs "$root/docs/recipes.md"
