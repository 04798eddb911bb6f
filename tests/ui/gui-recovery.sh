#!/bin/bash
# gui-recovery.sh PROGRAM SAMPLES: the program is killed with work that nobody saved, is started again, and gives it
# back. Run by gui-run.sh. As in gui-end-to-end.sh, what people do is done again until it shows.
set -u
program=$1
samples=$2

echo "1..6"
if ! command -v xdotool >/dev/null; then
  for i in 1 2 3 4 5 6; do echo "ok $i # SKIP xdotool is not installed"; done
  exit 0
fi

work=$(mktemp -d)
recovery=$XDG_STATE_HOME/goban/recovery
status=0
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT

wait_for () { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

act_until () { # CONDITION ACTION...
  local condition=$1
  shift
  for _ in $(seq 12); do
    "$@"
    wait_for 20 "$condition" && return 0
  done
  return 1
}

check () { # NUMBER NAME COMMAND...
  local number=$1 name=$2
  shift 2
  if "$@"; then echo "ok $number $name"; else echo "not ok $number $name"; status=1; fi
}

has_window () {
  window=$(xdotool search --onlyvisible --name "$title" 2>/dev/null | head -n 1)
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
type_line () {
  xdotool key F12 key F12 type "$1"
  xdotool key Return
}
start () { # TITLE ARGUMENT...
  title=$1
  shift
  "$program" "$@" >>"$work/log" 2>&1 &
  pid=$!
  wait_for 240 has_window && act_until is_in_place put_in_place
}

has_before () { [ -s "$work/before.json" ]; }
has_after () { [ -s "$work/after.json" ]; }
# The last thing that was done is in it.
has_recovery () { grep -qs '"name": "random"' "$recovery"/*.goban; }
has_none () { ! ls "$recovery"/*.goban >/dev/null 2>&1; }
is_restored () { title='toy\.dot' && has_window; }
is_gone () { ! kill -0 "$pid" 2>/dev/null; }
press_restore () { xdotool mousemove 1122 72 click 1; }
is_same () { cmp "$work/before.json" "$work/after.json"; }

start 'toy\.dot' "$samples/toy.dot"
act_until has_before type_line \
  'view.show(sim.run(plan.random(g, { seed = 7 }))); p:save("'"$work"'/before.json")'
check 1 "writes down what is not saved" wait_for 240 has_recovery
kill -9 $pid
wait $pid 2>/dev/null

start Goban
check 2 "offers it after the end" act_until is_restored press_restore
act_until is_in_place put_in_place
act_until has_after type_line 'p:save("'"$work"'/after.json")'
check 3 "gives the same plan back" is_same
check 4 "ends" act_until is_gone xdotool key ctrl+q

# Closed with changes, it is asked about again; saved and closed, it is not.
start Goban
act_until is_restored press_restore
act_until is_in_place put_in_place
has_saved () { [ -s "$work/toy.goban" ]; }
check 5 "saves the session" act_until has_saved type_line 'app.save_session("'"$work"'/toy.goban")'
act_until is_gone xdotool key ctrl+q
check 6 "leaves nothing behind what is saved" has_none
sed 's/^/# /' "$work/log"
exit $status
