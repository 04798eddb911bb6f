# gui-lib.sh PROGRAM SAMPLES: common functions of scripts that use the program from outside. Sourced
# first by scripts that gui-run.sh runs; these set n_checks to the number of their checks.
#
# What people do is done again until it shows, so all of it may be done twice. Nothing here hangs
# on time: keys wait in the window's queue.
program=$1
samples=$2

echo "1..$n_checks"
if ! command -v xdotool >/dev/null; then
  for i in $(seq "$n_checks"); do echo "ok $i # SKIP xdotool is not installed"; done
  exit 0
fi

work=$(mktemp -d)
# A script may write beside the graph that is open: the scripts' graph is a copy in the work folder.
toy=$work/toy.dot
cp "$samples/toy.dot" "$toy"
status=0
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT

# wait_for SECONDS COMMAND...: until it succeeds; 1 when it has not by then.
wait_for () {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# act_until CONDITION ACTION...: what takes four minutes hangs. With patience=SECONDS before it,
# what may be done more often than every 20 seconds.
act_until () {
  local condition=$1 seconds=${patience:-20}
  shift
  for _ in $(seq $((240 / seconds))); do
    "$@"
    wait_for "$seconds" "$condition" && return 0
  done
  return 1
}

check () { # NUMBER NAME COMMAND...
  local number=$1 name=$2
  shift 2
  if "$@"; then echo "ok $number $name"; else echo "not ok $number $name"; status=1; fi
}

# start ARGUMENT...: the program; what it says is in the log.
start () {
  "$program" "$@" >>"$work/log" 2>&1 &
  pid=$!
}

# has_window TITLE: which is $window then.
has_window () {
  window=$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -n 1)
  [ -n "$window" ]
}

is_in_place () {
  [ "$(xdotool getwindowfocus 2>/dev/null)" = "$window" ] &&
    [ "$(xdotool getwindowgeometry --shell "$window" 2>/dev/null |
      grep -cxE 'X=0|Y=0|WIDTH=1280|HEIGHT=800')" = 4 ]
}

put_in_place () {
  xdotool windowsize "$window" 1280 800 windowmove "$window" 0 0 windowfocus "$window"
}

is_gone () { ! kill -0 "$pid" 2>/dev/null; }

# run_by_keys LUA: in the console, which F12 opens; where it is open, a click finds the prompt.
run_by_keys () {
  if [ "${console_of:-}" = "$pid" ]; then
    xdotool mousemove 640 750 click 1
  else
    xdotool key F12
    console_of=$pid
  fi
  xdotool type "$1"
  xdotool key Return
}

# Ends the script: with what the program said, and whether all went well.
finish () {
  [ -s "$work/log" ] && sed 's/^/# /' "$work/log"
  exit $status
}
