#!/bin/bash
# gui-signals.sh PROGRAM SAMPLES: a signal that ends the program loses no work, whatever the program
# is doing. Run by gui-run.sh.
set -u
n_checks=8
. "$(dirname "$0")/gui-lib.sh"
recovery=$XDG_STATE_HOME/goban/recovery

has_toy () { has_window 'toy\.dot'; }
has_edited () { [ -s "$work/edited" ]; }
has_recovery () { grep -qs '"name": "random"' "$recovery"/*.goban; }

# A file shows that the edit is done, so that the signal comes at once after it.
# edit_then SIGNAL LUA [CONDITION]: an edit, then work of the program, which the condition detects.
edit_then () {
  rm -rf "$recovery" "$work/edited"
  # A shell has background processes ignore Ctrl+C, and nohup ignores hang-ups.
  env --default-signal=HUP,INT,TERM "$program" "$toy" >>"$work/log" 2>&1 &
  pid=$!
  wait_for 240 has_toy && act_until is_in_place put_in_place
  act_until has_edited run_by_keys \
    'view.show(sim.run(plan.random(g, { seed = 7 }))); app.write("'"$work"'/edited", "yes"); '"$2"
  wait_for 60 "${3:-true}" && kill -s "$1" $pid
  wait_for 60 is_gone
}

ends_with_work () { edit_then "$@" && has_recovery; }

check 1 "SIGTERM leaves the last edit" ends_with_work TERM ''
check 2 "SIGHUP leaves the last edit" ends_with_work HUP ''
check 3 "SIGINT leaves the last edit" ends_with_work INT ''
check 4 "though a script runs for ever" ends_with_work TERM 'while true do end'
check 5 "though a search goes on" ends_with_work TERM 'plan.anneal(g, { evals = 100000000 })'

# What was typed just now is not the session's yet.
has_notes () { grep -qs "$1" "$recovery"/*.goban; }
has_first_words () { has_notes 'half a sentence'; }
type_first_words () { xdotool key ctrl+shift+n type 'half a sentence'; }
ends_with_notes () {
  rm -rf "$recovery"
  start "$toy"
  wait_for 240 has_toy && act_until is_in_place put_in_place
  act_until has_first_words type_first_words || return 1
  xdotool type ' and the rest'
  kill -TERM $pid
  wait_for 60 is_gone && has_notes 'half a sentence and the rest'
}
# The signal may overtake keys that the program has not received yet, which is not its loss. If it
# lost received keys, it would do so every time.
ends_with_notes_once () {
  for _ in 1 2 3 4 5; do
    ends_with_notes && return 0
  done
  return 1
}
check 6 "SIGTERM leaves notes that are being typed" ends_with_notes_once

ignores_hup () {
  (trap '' HUP; exec "$program" "$toy") >>"$work/log" 2>&1 &
  pid=$!
  wait_for 240 has_toy || return 1
  kill -HUP $pid
  sleep 1
  ! is_gone && kill -9 $pid && wait_for 60 is_gone
}
check 7 "a signal that is ignored on purpose stays so" ignores_hup

# METIS handles SIGTERM itself while it cuts a graph, in whatever thread, and the program does not.
is_cutting () {
  local caught
  caught=$(sed -n 's/^SigCgt:\s*/0x/p' /proc/$pid/status) && ((caught & 1 << 14))
}
check 8 "SIGTERM leaves the last edit while METIS cuts a graph" ends_with_work TERM \
  'l = graph.generate("gnmt:layers=4"); while true do plan.metis(l) end' is_cutting
finish
