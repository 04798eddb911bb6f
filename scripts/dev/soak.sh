#!/bin/sh
# Runs the tests that draw random cases over and over, each time with other cases, until one fails:
#   scripts/dev/soak.sh [ROUNDS [TEST...]]       TEST as area-name, such as placers-placers
# A failure prints its seed; the program takes it back with --seed.
set -eu
cd "$(dirname "$0")/../.."

rounds=${1:-10}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- $(grep -l g_test_rand -r tests --include='test-*.c' \
  | sed 's|tests/\(.*\)/test-\(.*\)\.c|\1-\2|' | sort)

export G_DEBUG=fatal-criticals G_TEST_SRCDIR="$PWD/tests" GOBAN_SOURCE_ROOT="$PWD" \
  GSETTINGS_BACKEND=memory GTK_A11Y=none OPENBLAS_NUM_THREADS=1 LC_ALL=C.UTF-8
for round in $(seq "$rounds"); do
  for test; do
    seed=R02S$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    "_b/tests/test-$test" -q -k --seed "$seed" >/dev/null || {
      echo "$test fails with --seed $seed" >&2
      exit 1
    }
  done
  echo "round $round of $rounds: $# programs, no failure"
done
