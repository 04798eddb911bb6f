#!/bin/sh
# Looks for data races in the engine, the sessions and the tool: scripts/dev/tsan.sh [TEST...]
#
# Builds with the thread sanitizer in _tsan and runs the tests without a window under a library that
# tells the sanitizer of GLib's locks. Before that, the sanitizer has to find a race that is
# planted, and to find nothing in the same program with its locks. TEST is area/name, such as
# session/job. The last line has the counts.
set -eu
cd "$(dirname "$0")/../.."

say () {
  printf '%s\n' "$*" >&2
}

die () {
  say "$*"
  exit 1
}

folder=_tsan
[ -f "$folder/build.ninja" ] ||
  meson setup "$folder" -Db_sanitize=thread -Db_lundef=false >/dev/null

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Races are counted by their reports, not by the exit code of a program that may fail for another
# reason. Every race of a program is reported, and none in GLib itself, which is not instrumented.
export TSAN_OPTIONS="exitcode=66 halt_on_error=0 suppressions='$PWD/tests/support/tsan.supp'"
export GOBAN_SOURCE_ROOT="$PWD" G_TEST_SRCDIR="$PWD/tests" GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8

# One line a test: its name, what has to be built for it, joined by commas, the program and its
# arguments, of which some are paths from the folder of the build.
find_tests () {
  meson introspect "$folder" --targets >"$work/targets"
  meson introspect "$folder" --tests | python3 -c '
import json, os, sys
folder, targets = sys.argv[1], {t["id"]: t for t in json.load(open(sys.argv[2]))}
for test in json.load(sys.stdin):
    if "--seed" in test["cmd"] and "/" in test["name"]:
        built = [os.path.relpath(targets[i]["filename"][0], folder) for i in test["depends"]]
        print(test["name"], ",".join(sorted(built)), *test["cmd"])
' "$folder" "$work/targets"
}

# run LOG PROGRAM ARG...: with the library that tells of locks, in the folder of the build, where
# meson runs tests. Slow tests take minutes by themselves.
run () {
  log=$1
  shift
  (cd "$folder" && timeout 1800 env LD_PRELOAD="$shim" "$@" >"$log" 2>&1)
}

count_races () {
  grep -c 'WARNING: ThreadSanitizer' "$1" || true
}

find_tests >"$work/all"
[ -s "$work/all" ] || die "$folder has no tests"
if [ $# -gt 0 ]; then
  for test; do
    grep "^$test " "$work/all" >>"$work/tests" || die "there is no test $test"
  done
else
  grep -v '^ui/' "$work/all" >"$work/tests"
fi

# shellcheck disable=SC2046
ninja -C "$folder" -j "${JOBS:-2}" tests/libtsan-glib.so tests/tsan-probe \
  $(awk '{ gsub(",", " ", $2); print $2 }' "$work/tests") \
  >"$work/build" 2>&1 || {
  tail -n 30 "$work/build" >&2
  die "the build failed"
}
shim=$PWD/$folder/tests/libtsan-glib.so

# --- does the sanitizer see what it should? -----------------------------------------------------

for way in mutex once pool task idle; do
  run "$work/probe" tests/tsan-probe "$way" || {
    cat "$work/probe" >&2
    die "tsan: a program that hands over by $way is reported, though it is right"
  }
  run "$work/probe" tests/tsan-probe "$way" race || true
  [ "$(count_races "$work/probe")" -gt 0 ] || die "tsan: a race beside $way is not found"
done
say "a planted race beside each way of handing over is found, and nothing without it"

# --- the tests ----------------------------------------------------------------------------------

n_programs=0
n_racy=0
n_failed=0
while read -r name _ program args; do
  n_programs=$((n_programs + 1))
  status=0
  # shellcheck disable=SC2086
  run "$work/log" "$program" $args </dev/null || status=$?
  n=$(count_races "$work/log")
  if [ "$n" -gt 0 ]; then
    n_racy=$((n_racy + 1))
    say "RACE: $name: $n reports; the first:"
    sed -n '/WARNING: ThreadSanitizer/,/^SUMMARY/p' "$work/log" | head -n 40 >&2
  elif [ "$status" -ne 0 ]; then
    n_failed=$((n_failed + 1))
    say "FAILED: $name: exit code $status"
    grep -E '^not ok|ERROR|Bail out' "$work/log" | head -n 3 >&2 || tail -n 3 "$work/log" >&2
  fi
done <"$work/tests"

echo "tsan: $n_programs programs, $n_racy with races, $n_failed failed otherwise"
[ "$n_racy" -eq 0 ] && [ "$n_failed" -eq 0 ]
