#!/bin/bash
# gui-end-to-end.sh PROGRAM SAMPLES: the program as people use it: a pointer and keys from
# outside, and what the window says of itself in its title. Run by gui-run.sh.
set -u
program=$1
samples=$2

echo "1..6"
if ! command -v xdotool >/dev/null; then
  for i in 1 2 3 4 5 6; do echo "ok $i # SKIP xdotool is not installed"; done
  exit 0
fi

work=$(mktemp -d)
"$program" "$samples/toy.dot" >"$work/log" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT
status=0

# wait_for PATTERN: until a window's title matches, at most ten seconds.
wait_for () {
  for _ in $(seq 100); do
    window=$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -n 1)
    [ -n "$window" ] && return 0
    sleep 0.1
  done
  return 1
}

check () { # NUMBER NAME COMMAND...
  local number=$1 name=$2
  shift 2
  if "$@"; then echo "ok $number $name"; else echo "not ok $number $name"; status=1; fi
}

check 1 "opens the file of its argument" wait_for 'toy\.dot'
xdotool windowsize --sync "$window" 1280 800 windowmove "$window" 0 0 windowfocus "$window"
sleep 1

# The click brings the focus to the prompt; the file shows that what was typed has run.
xdotool mousemove 640 745 click 1
sleep 0.3
xdotool type 'graph.load("/nonexistent"); g:save("'"$work"'/saved.json")'
xdotool key Return
saved () {
  for _ in $(seq 50); do
    [ -s "$work/saved.json" ] && return 0
    sleep 0.1
  done
  return 1
}
check 2 "runs what is typed in the console" saved

xdotool key ctrl+w
gone () {
  for _ in $(seq 50); do
    kill -0 $pid 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
check 3 "Ctrl+W closes the window and ends the program" gone

"$program" "$samples/toy.dot" >>"$work/log" 2>&1 &
pid=$!
check 4 "opens again" wait_for 'toy\.dot'
xdotool windowsize --sync "$window" 1280 800 windowmove "$window" 0 0 windowfocus "$window"
sleep 1
xdotool mousemove 640 745 click 1
sleep 0.3
xdotool type 'while true do end'
xdotool key Return
sleep 0.5
xdotool key ctrl+q
check 5 "ends though a script runs for ever" gone
check 6 "says nothing on the terminal" test ! -s "$work/log"
[ -s "$work/log" ] && sed 's/^/# /' "$work/log"
exit $status
