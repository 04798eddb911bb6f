#!/bin/sh
# Runs tests with random seeds and with OpenBLAS's kernels for several kinds of processor:
#   scripts/dev/soak.sh [ROUNDS [TEST...]]       TEST as area/name, such as placers/placers
#
# 1. The tests of what multiplies matrices run once with each kernel that this processor can execute
#    (OPENBLAS_CORETYPE).
# 2. The programs that can draw random numbers run with the seed of every check and with two random
#    ones. Each test case that draws is recorded (tests/support/test-draws.c).
# 3. Those cases alone run ROUNDS times (10), each time with another seed, and go from kernel to
#    kernel if they multiply matrices.
#
# KERNELS="Haswell Prescott" asks for these kernels alone, BUILD for the programs of another folder
# than _b, and JOBS for so many programs at a time (1). A failure prints the line that repeats it;
# nothing stops before the end. The last lines have the cases that take longest, the counts and the
# processor time.
set -eu
cd "$(dirname "$0")/../.."

say () {
  printf '%s\n' "$*" >&2
}

die () {
  say "$*"
  exit 1
}

# is_number VALUE: one of digits alone, and not 0.
is_number () {
  case $1 in
    '' | *[!0-9]* | 0*) return 1 ;;
  esac
}

folder=${BUILD:-_b}
jobs=${JOBS:-1}
rounds=${1:-10}
[ $# -gt 0 ] && shift
is_number "$rounds" || die "ROUNDS is a number: scripts/dev/soak.sh [ROUNDS [TEST...]]"
is_number "$jobs" || die "JOBS is a number: JOBS=2 scripts/dev/soak.sh"

settings="G_DEBUG=fatal-criticals G_TEST_SRCDIR=$PWD/tests GOBAN_SOURCE_ROOT=$PWD
  GSETTINGS_BACKEND=memory GTK_A11Y=none OPENBLAS_NUM_THREADS=1 LC_ALL=C.UTF-8"
# shellcheck disable=SC2086,SC2163
export $settings
work=$(mktemp -d)
workers=
# shellcheck disable=SC2086
trap '[ -z "$workers" ] || kill $workers 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Prints the kinds of processor that OpenBLAS has kernels for and this one can execute; of them
# those that were asked for, and says which cannot run. On other architectures the usual kernels alone.
find_kernels () {
  {
    grep -qw sse2 /proc/cpuinfo && echo Prescott
    grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && printf 'Haswell\nZen\n'
    grep -qw avx512vl /proc/cpuinfo && echo SkylakeX
    true
  } >"$work/usable"
  [ -s "$work/usable" ] || echo usual >"$work/usable"
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
    learn/* | placers/*) return 0 ;;
  esac
  return 1
}

# --- runs ---------------------------------------------------------------------------------------

# The file with the cases of test $1 that draw.
draws_of () {
  echo "$work/draws-${1%%/*}-${1#*/}"
}

# run TEST KERNEL SEED [CASE] into LOG: without CASE all of them, and those that draw are recorded.
run () {
  program=$(program_of "$1")
  args="$(args_of "$1")${4:+ -p $4}"
  # In the background: a signal ends `wait` at once, and the trap then ends the program.
  # shellcheck disable=SC2086
  (
    if [ -z "${4:-}" ]; then
      GOBAN_DRAWS=$(draws_of "$1")
      export LD_PRELOAD="$recorder" GOBAN_DRAWS
      export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
    fi
    OPENBLAS_CORETYPE=$2 exec timeout 900 "$program" $args --tap --seed "$3"
  ) >"$log" 2>&1 &
  child=$!
  if wait "$child" && grep -q '^ok' "$log"; then
    child=
    return
  fi
  child=
  echo "$*" >>"$work/failures"
  # shellcheck disable=SC2086
  say "FAILED: $1${4:+ $4}, kernel $2:" \
    $settings "OPENBLAS_CORETYPE=$2 $program$args --seed $3"
  grep -E '^not ok|ERROR|Bail out' "$log" | head -n 3 >&2 || tail -n 3 "$log" >&2
}

# The lines of file $1, TEST KERNEL SEED [CASE], one after the other. What `times` says after each
# adds up.
run_lines () {
  log=$1.log
  child=
  trap '[ -z "$child" ] || kill "$child" 2>/dev/null || true; exit 130' INT TERM
  { echo "-" && times; } >"$1.times"
  while read -r test kernel seed case; do
    run "$test" "$kernel" "$seed" "$case" </dev/null
    { echo "$test $case" && times; } >>"$1.times"
  done <"$1"
  cat "$1.times" >>"$work/times"
}

# The lines of file $1, divided among $jobs processes.
run_all () {
  workers=
  i=0
  while [ "$i" -lt "$jobs" ]; do
    awk -v n="$jobs" -v i="$i" 'NR % n == i' "$1" >"$1.$i"
    run_lines "$1.$i" &
    workers="$workers $!"
    i=$((i + 1))
  done
  # shellcheck disable=SC2086
  wait $workers
  workers=
}

n_failures () {
  grep -c . "$work/failures" || true
}

# Prints SECONDS RUNS TEST [CASE] of all that ran. Each record of `times` has the shell's own time in
# its second line, and the sum of its programs' in the third. A process begins with "-".
costs () {
  awk '
    function seconds(time) { split(time, part, /[ms]/); return 60 * part[1] + part[2] }
    NR % 3 == 1 { name = $0 }
    NR % 3 == 0 {
      now = seconds($1) + seconds($2)
      if (name != "-") { cost[name] += now - before; runs[name]++ }
      before = now
    }
    END { for (name in cost) print cost[name], runs[name], name }' "$work/times"
}

[ -f "$folder/tests/libtest-draws.so" ] || die "build first: ninja -C $folder"
recorder=$(realpath "$folder/tests/libtest-draws.so")
: >"$work/failures"
: >"$work/times"
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
# As in tests/meson.build.
check_seed=R02S00000000000000000000000000000001

random_seed () {
  echo "R02S$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
}

# The cases of every check, for whatever kernels there are.
for kernel in $kernels; do
  for test in $products; do
    echo "$test $kernel $check_seed"
  done >"$work/plan"
  run_all "$work/plan"
  say "kernel $kernel: $n_products programs, $(n_failures) failures so far"
done

# A case may draw under a condition: more than one seed finds it.
for test in $random; do
  multiplies_matrices "$test" || echo "$test $first $check_seed"
  echo "$test $first $(random_seed)"
  echo "$test $first $(random_seed)"
done >"$work/plan"
run_all "$work/plan"

# A child that a case starts draws for it. All cases are repeated if something is drawn outside of them.
for test in $random; do
  file=$(draws_of "$test")
  [ -f "$file" ] || continue
  sed 's|/subprocess.*||' "$file" | sort -u | sed "s|^|$test |"
done >"$work/cases"
n_cases=$(grep -c . "$work/cases" || true)
say "$n_cases cases of $n_random programs draw random numbers; $(n_failures) failures so far"

round=0
while [ "$round" -lt "$rounds" ]; do
  kernel=$(sed -n "$((round % n_kernels + 1))p" "$work/kernels")
  while read -r test case; do
    multiplies_matrices "$test" && used=$kernel || used=$first
    echo "$test $used $(random_seed) $case"
  done <"$work/cases" >"$work/plan"
  run_all "$work/plan"
  round=$((round + 1))
  [ $((round % 10)) -ne 0 ] || say "round $round of $rounds: $(n_failures) failures so far"
done

costs >"$work/costs"
say "The cases that take longest, in seconds of processor time by seed:"
awk 'NF == 4 { printf "%8.2f  %s %s\n", $1 / $2, $3, $4 }' "$work/costs" | sort -rn | head -n 15 >&2
awk -v cases="$n_cases" -v rounds="$rounds" '
  { all += $1; runs += $2 }
  NF == 4 { drawn += $1 }
  END {
    printf "soak: %d runs in %.0f s of processor time, %.1f s of it for each round\n",
      runs, all, drawn / rounds
  }' "$work/costs"
echo "soak: $n_products programs by $n_kernels kernels, $n_cases cases of $n_random programs by" \
  "$rounds random seeds, $(n_failures) failures"
[ "$(n_failures)" -eq 0 ]
