#!/bin/bash
# gui-end-to-end.sh PROGRAM SAMPLES: the program as people use it: a pointer and keys from
# outside, and what the window says of itself in its title. Run by gui-run.sh.
set -u
n_checks=10
. "$(dirname "$0")/gui-lib.sh"

is_open () { has_window 'toy\.dot'; }

# Only where the prompt is drawn, a click finds it.
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

start "$toy"
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

start "$toy"
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
finish
