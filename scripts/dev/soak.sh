#!/bin/sh
# Runs tests with random seeds and with every kernel that multiplies matrices:
#   scripts/dev/soak.sh [ROUNDS [TEST...]]       TEST as area/name, such as placers/placers
#
# The tests of what multiplies matrices run once with each kernel that this processor can execute
# (engine/nn/gemm.h); those that draw random cases run ROUNDS times (10), each time with another
# seed, and go from kernel to kernel if they multiply matrices. KERNELS="avx512 plain" asks for
# these alone, and BUILD for the programs of another folder than _b. A failure prints the line that
# repeats it; nothing stops before the end, and the last line has the counts.
set -eu
cd "$(dirname "$0")/../.."

say () {
  printf '%s\n' "$*" >&2
}

die () {
  say "$*"
  exit 1
}

folder=${BUILD:-_b}
rounds=${1:-10}
[ $# -gt 0 ] && shift
case $rounds in
  '' | *[!0-9]*) die "ROUNDS is a number: scripts/dev/soak.sh [ROUNDS [TEST...]]" ;;
esac

export G_DEBUG=fatal-criticals G_TEST_SRCDIR="$PWD/tests" GOBAN_SOURCE_ROOT="$PWD" \
  GSETTINGS_BACKEND=memory GTK_A11Y=none LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Prints those that were asked for, and says which of them cannot run; all that can if none was.
find_kernels () {
  "$folder/tests/kernel-probe" >"$work/usable"
  for kernel in ${KERNELS-$(cat "$work/usable")}; do
    if grep -qx "$kernel" "$work/usable"; then
      echo "$kernel"
    else
      say "there is no kernel $kernel, or this processor cannot execute it: left out"
    fi
  done
}

# --- programs -----------------------------------------------------------------------------------

# One line a test: its name, the program and what it is run with beside seed and protocol.
find_tests () {
  meson introspect "$folder" --tests | python3 -c '
import json, os, sys
for test in json.load(sys.stdin):
    program, *args = test["cmd"]
    if "--seed" in args and "/" in test["name"]:
        i = args.index("--seed")
        print(test["name"], os.path.relpath(program),
              *(a for a in args[:i] + args[i + 2:] if a != "--tap"))
'
}

# The program of test $1, or its arguments.
program_of () {
  awk -v name="$1" '$1 == name { print $2 }' "$work/tests"
}

args_of () {
  awk -v name="$1" '$1 == name { $1 = $2 = ""; print }' "$work/tests"
}

# Random cases may also be drawn by what is linked in.
is_random () {
  nm -u "$(program_of "$1")" | grep -q 'g_test_rand_'
}

multiplies_matrices () {
  case $1 in
    nn/* | policy/* | rl/* | placers/*) return 0 ;;
  esac
  return 1
}

# --- runs ---------------------------------------------------------------------------------------

n_runs=0
n_failures=0

# run TEST KERNEL SEED
run () {
  program=$(program_of "$1")
  args=$(args_of "$1")
  n_runs=$((n_runs + 1))
  # shellcheck disable=SC2086
  if (
    GOBAN_KERNEL=$2 exec timeout 900 "$program" --tap --seed "$3" $args
  ) >"$work/log" 2>&1; then
    return
  fi
  n_failures=$((n_failures + 1))
  say "FAILED: $1, kernel $2: GOBAN_KERNEL=$2 $program --seed $3 $args"
  grep -E '^not ok|ERROR|Bail out' "$work/log" | head -n 3 >&2 || tail -n 3 "$work/log" >&2
}

[ -x "$folder/tests/kernel-probe" ] || die "build first: ninja -C $folder"
find_tests >"$work/tests"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cut -d ' ' -f 1 "$work/tests")
random=
products=
n_random=0
n_products=0
for test; do
  [ -x "$(program_of "$test")" ] ||
    die "there is no program of $test: mend the name, or build first: ninja -C $folder"
  if is_random "$test"; then
    random="$random $test"
    n_random=$((n_random + 1))
  fi
  if multiplies_matrices "$test"; then
    products="$products $test"
    n_products=$((n_products + 1))
  fi
done
find_kernels >"$work/kernels"
kernels=$(tr '\n' ' ' <"$work/kernels")
n_kernels=$(grep -c . "$work/kernels")
first=${kernels%% *}
[ -n "$first" ] || die "none of the kernels can run"
say "kernels: $kernels"

# The cases of every check, for whatever kernels there are.
for kernel in $kernels; do
  for test in $products; do
    run "$test" "$kernel" R02S00000000000000000000000000000001
  done
  say "kernel $kernel: $n_products programs, $n_failures failures so far"
done

round=0
while [ "$round" -lt "$rounds" ]; do
  number=$((round % n_kernels + 1))
  kernel=$(sed -n "${number}p" "$work/kernels")
  for test in $random; do
    seed=R02S$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    if multiplies_matrices "$test"; then
      run "$test" "$kernel" "$seed"
    else
      run "$test" "$first" "$seed"
    fi
  done
  round=$((round + 1))
  [ $((round % 10)) -ne 0 ] || say "round $round of $rounds: $n_failures failures so far"
done

echo "soak: $n_runs runs, $n_failures failures; $n_products programs by $n_kernels kernels," \
  "$n_random programs by $rounds random seeds"
[ "$n_failures" -eq 0 ]
