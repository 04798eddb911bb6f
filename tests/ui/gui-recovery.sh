#!/bin/bash
# gui-recovery.sh PROGRAM SAMPLES: the program is killed with unsaved work, is started again, and
# restores it; also if a script had opened another graph. Run by gui-run.sh.
set -u
n_checks=8
. "$(dirname "$0")/gui-lib.sh"
recovery=$XDG_STATE_HOME/goban/recovery

has_start_page () { has_window Goban; }
has_toy () { has_window 'toy\.dot'; }
put_window_in_place () { # CONDITION of its being there
  wait_for 240 "$1" && act_until is_in_place put_in_place
}

has_before () { [ -s "$work/before.json" ]; }
has_after () { [ -s "$work/after.json" ]; }
# The last thing that was done is in it.
has_recovery () { grep -qs '"name": "random"' "$recovery"/*.goban; }
has_none () { ! ls "$recovery"/*.goban >/dev/null 2>&1; }
# The offer may not be there yet; where it was, nothing else is pressed that matters.
press_restore () { xdotool mousemove 1122 72 click 1; }
restore () { patience=2 act_until has_toy press_restore; }
is_same () { cmp "$work/before.json" "$work/after.json"; }

start "$toy"
put_window_in_place has_toy
act_until has_before run_by_keys \
  'view.show(sim.run(plan.random(g, { seed = 7 }))); p:save("'"$work"'/before.json")'
check 1 "writes down what is not saved" wait_for 240 has_recovery
kill -9 $pid
wait $pid 2>/dev/null

start
put_window_in_place has_start_page
check 2 "offers it after the end" restore
act_until is_in_place put_in_place
act_until has_after run_by_keys 'p:save("'"$work"'/after.json")'
check 3 "gives the same plan back" is_same
check 4 "ends" act_until is_gone xdotool key ctrl+q

# Closed with changes, it is asked about again; saved and closed, it is not.
start
put_window_in_place has_start_page
restore
act_until is_in_place put_in_place
has_saved () { [ -s "$work/toy.goban" ]; }
check 5 "saves the session" act_until has_saved \
  run_by_keys 'app.save_session("'"$work"'/toy.goban")'
act_until is_gone xdotool key ctrl+q
check 6 "leaves nothing behind what is saved" has_none

# A script is not asked: what it takes the place of is offered at once, in the same window.
start "$toy"
put_window_in_place has_toy
rm -f "$work/before.json" "$work/after.json"
act_until has_before run_by_keys \
  'view.show(sim.run(plan.random(g, { seed = 8 }))); p:save("'"$work"'/before.json")'
has_generated () { has_window 'gnmt'; }
act_until has_generated run_by_keys 'view.open(graph.generate "gnmt:layers=2,granularity=coarse")'
check 7 "offers what a script took the place of" restore
act_until is_in_place put_in_place
act_until has_after run_by_keys 'p:save("'"$work"'/after.json")'
check 8 "gives that plan back too" is_same
kill -9 $pid
finish
