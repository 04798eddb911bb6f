#!/bin/bash
# gui-end-to-end.sh PROGRAM SAMPLES: the program as people use it: a pointer and keys from
# outside, and what the window says of itself in its title. Run by gui-run.sh.
#
# What people do is done again until it shows, so all of it may be done twice. Nothing here hangs
# on time: keys wait in the window's queue, and F12 twice brings the focus to the prompt wherever
# that is by then. Only where it is drawn, a click finds it.
set -u
program=$1
samples=$2

echo "1..10"
if ! command -v xdotool >/dev/null; then
  for i in 1 2 3 4 5 6 7 8 9 10; do echo "ok $i # SKIP xdotool is not installed"; done
  exit 0
fi

work=$(mktemp -d)
status=0

start () {
  "$program" "$samples/toy.dot" >>"$work/log" 2>&1 &
  pid=$!
}
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

# act_until CONDITION ACTION...: what takes four minutes hangs.
act_until () {
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

is_open () {
  window=$(xdotool search --onlyvisible --name 'toy\.dot' 2>/dev/null | head -n 1)
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

run_by_keys () {
  xdotool key F12 key F12 type "$1"
  xdotool key Return
}

run_by_click () {
  xdotool mousemove 640 745 click 1 type "$1"
  xdotool key Return
}

# press_in_graph KEY...: in the graph, which a click gives the focus, and then says where all is.
press_in_graph () {
  xdotool mousemove 400 250 click 1 key "$@"
  run_by_keys 'app.write("'"$work"'/places", p:device "input" .. " " .. p:device "fuse")'
}
is_moved () { [ "$(cat "$work/places" 2>/dev/null)" = "gpu:1 gpu:1" ]; }
is_elsewhere () { [ -s "$work/places" ] && ! is_moved; }

# Files show that what was typed has run.
has_saved () { [ -s "$work/saved.json" ]; }
has_clicked () { [ -s "$work/clicked.json" ]; }
has_begun () { [ -s "$work/begun.json" ]; }
is_gone () { ! kill -0 "$pid" 2>/dev/null; }

start
check 1 "opens the file of its argument" wait_for 240 is_open
act_until is_in_place put_in_place
check 2 "runs what is typed in the console" act_until has_saved \
  run_by_keys 'graph.load("/nonexistent"); g:save("'"$work"'/saved.json")'
check 3 "a click brings the focus to the prompt" act_until has_clicked \
  run_by_click 'g:save("'"$work"'/clicked.json")'
check 4 "D and 1 moves what is selected" act_until is_moved press_in_graph ctrl+a d 1
check 5 "Ctrl+Z takes it back" act_until is_elsewhere press_in_graph ctrl+z
check 6 "Ctrl+Shift+Z does it again" act_until is_moved press_in_graph ctrl+shift+z
check 7 "Ctrl+W closes the window and ends the program" act_until is_gone xdotool key ctrl+w

start
check 8 "opens again" wait_for 240 is_open
act_until is_in_place put_in_place
act_until has_begun run_by_keys 'g:save("'"$work"'/begun.json"); while true do end'
check 9 "ends though a script runs for ever" act_until is_gone xdotool key ctrl+q
# One warning is GTK's own: its text view, shown again with new text, moves its scrollbar while
# both are painted. Whether text comes just then is a matter of time.
says_nothing () {
  ! grep -qvE '^$|Gtk-WARNING.*Trying to snapshot GtkGizmo' "$work/log"
}
check 10 "says nothing on the terminal" says_nothing
[ -s "$work/log" ] && sed 's/^/# /' "$work/log"
exit $status
