#!/bin/sh
# Runs tests with random seeds and with the BLAS kernels of every processor:
#   scripts/dev/soak.sh [ROUNDS [TEST...]]       TEST as area/name, such as placers/placers
#
# The tests of what multiplies matrices run once for each core type of OpenBLAS that this processor can
# execute; those that draw random cases run ROUNDS times (10), each time with another seed, and go from core
# type to core type if they multiply matrices. CORES="Haswell Zen" asks for these types alone. A failure prints
# the line that repeats it; nothing stops before the end, and the last line has the counts.
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
  GSETTINGS_BACKEND=memory GTK_A11Y=none OPENBLAS_NUM_THREADS=1 LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# --- core types ---------------------------------------------------------------------------------

known_cores="Prescott Core2 Penryn Dunnington Nehalem Sandybridge Haswell SkylakeX Cooperlake SapphireRapids
  Atom Nano Opteron Opteron_SSE3 Barcelona Bobcat Bulldozer Piledriver Steamroller Excavator Zen
  ARMV8 CORTEXA53 CORTEXA57 CORTEXA72 CORTEXA73 NEOVERSEN1 NEOVERSEN2 NEOVERSEV1 POWER8 POWER9 POWER10"

# Whether this processor executes the kernels of type $1, and OpenBLAS uses them if they are asked for.
has_core () {
  # The shell reports an illegal instruction on its own stderr.
  { used=$(OPENBLAS_CORETYPE=$1 "$folder/tests/blas-core"); } 2>/dev/null && [ "$used" = "$1" ]
}

# Prints the types to run with; "own" is what OpenBLAS chooses by itself.
find_cores () {
  echo own
  for core in ${CORES-$known_cores}; do
    if has_core "$core"; then
      echo "$core"
    elif [ "${CORES+given}" ]; then
      say "OpenBLAS has no kernels of type $core, or this processor cannot execute them: left out"
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
        print(test["name"], os.path.relpath(program), *(a for a in args[:i] + args[i + 2:] if a != "--tap"))
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

# run TEST CORE SEED
run () {
  program=$(program_of "$1")
  args=$(args_of "$1")
  n_runs=$((n_runs + 1))
  # shellcheck disable=SC2086
  if (
    [ "$2" = own ] || export OPENBLAS_CORETYPE="$2"
    exec timeout 900 "$program" --tap --seed "$3" $args
  ) >"$work/log" 2>&1; then
    return
  fi
  n_failures=$((n_failures + 1))
  core=
  [ "$2" = own ] || core="OPENBLAS_CORETYPE=$2 "
  say "FAILED: $1, core type $2: $core$program --seed $3 $args"
  grep -E '^not ok|ERROR|Bail out' "$work/log" | head -n 3 >&2 || tail -n 3 "$work/log" >&2
}

[ -x "$folder/tests/blas-core" ] || die "build first: ninja -C $folder"
find_tests >"$work/tests"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cut -d ' ' -f 1 "$work/tests")
random=
products=
n_random=0
n_products=0
for test; do
  [ -x "$(program_of "$test")" ] || die "there is no program of $test: mend the name, or build first: ninja -C $folder"
  if is_random "$test"; then
    random="$random $test"
    n_random=$((n_random + 1))
  fi
  if multiplies_matrices "$test"; then
    products="$products $test"
    n_products=$((n_products + 1))
  fi
done
find_cores >"$work/cores"
cores=$(tr '\n' ' ' <"$work/cores")
n_cores=$(grep -c . "$work/cores")
say "core types: $cores"

# The cases of every check, for whatever kernels there are.
for core in $cores; do
  for test in $products; do
    run "$test" "$core" R02S00000000000000000000000000000001
  done
  say "core type $core: $n_products programs, $n_failures failures so far"
done

round=0
while [ "$round" -lt "$rounds" ]; do
  number=$((round % n_cores + 1))
  core=$(sed -n "${number}p" "$work/cores")
  for test in $random; do
    seed=R02S$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    if multiplies_matrices "$test"; then
      run "$test" "$core" "$seed"
    else
      run "$test" own "$seed"
    fi
  done
  round=$((round + 1))
  [ $((round % 10)) -ne 0 ] || say "round $round of $rounds: $n_failures failures so far"
done

echo "soak: $n_runs runs, $n_failures failures; $n_products programs by $n_cores core types," \
  "$n_random programs by $rounds random seeds"
[ "$n_failures" -eq 0 ]
