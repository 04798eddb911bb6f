#!/bin/bash
# screenshots.sh [-o FOLDER] [-p PROGRAM] [MODE...]: the window in every mode, at two sizes, light
# and dark.
#
# Writes FOLDER/MODE-WIDTH-light.png and so on, to be looked at: without -o into
# goban-out/screenshots. Of all modes, or those that are named. --publish takes those of
# data/screenshots instead, which README and AppStream show, with few colours. GOBAN_SHOTS
# ("1280x800:light 1600x1000:dark") has other sizes and colours, GOBAN_LANGUAGE ("de") another
# language. Needs Xvfb, xdotool and ImageMagick.
#
# A mode is a function of its name: it opens its file with "open", and drives the window by its
# actions, by keys and by Lua. Another mode is another function and its name in modes.
set -eu
cd "$(dirname "$0")/../.."

modes="start explore groups zoom timeline what-if why playback search table notes palette
  preferences histogram lanes compare compare-lanes compare-scale compare-time overlay difference
  steps decision devices drag export generate lesson task challenge glossary shortcuts plots
  pictures records controls measure measured pipeline pipelined copies
  collective menu training networks train train-kind-moves train-kind-regal train-kind-go
  learning-hdp learning-placeto learning-go learning-moves learning-post
  variation decisions-empty decisions-large compare-empty compare-changes race train-empty
  train-new script script-empty script-run place place-more present present-decisions drawing
  parallel llm eight-devices all-rows drawer share film-dialog lesson-1 lesson-2 lesson-3 lesson-4
  lesson-5 lesson-6 lesson-7 lesson-8 lesson-9 lesson-10"

start () { open; }
explore () { open samples/inception-v3.onnx; select_node 40; hide_panes console; }
groups () {
  open gnmt:layers=8
  wait_s 6
  lua 'view.expand "encoder"'
  lua 'view.expand "decoder"'
  activate fit
}
zoom () {
  open samples/inception-v3.onnx
  select_node 150
  hide_panes timeline console
  set_state critical-path true
  activate zoom-selection
  for _ in 1 2 3; do activate zoom-out; done
}
timeline () {
  open samples/inception-v3.onnx
  select_node 60
  hide_panes left right console
  set_state critical-path true
  drag_edge 792 330
}
what-if () {
  open samples/inception-v3.onnx
  lua 'g:nodes "60-66":move "gpu:1"'
  hide_panes console
}
why () {
  open samples/inception-v3.onnx
  select_node 90
  hide_panes console
  activate why
}
playback () {
  open samples/inception-v3.onnx
  lua 'view.time(r.makespan / 2)'
  hide_panes console
}
search () { open samples/inception-v3.onnx; activate search; keys 'cost > 20us'; }
table () { open samples/inception-v3.onnx; select_node 40; set_state table-pane true; }
notes () {
  open samples/inception-v3.onnx
  lua 'app.notes("# Which cut is best?\n\n- plan:heft puts the two towers apart; see [["..g:node(40).name.."]]\n- the pool after it waits for **both**\n")'
  set_state notes-pane true
}
palette () { open samples/inception-v3.onnx; activate palette; keys 'exp'; }
preferences () { open samples/inception-v3.onnx; activate preferences; }
histogram () { open samples/inception-v3.onnx; set_state color "'slack'"; hide_panes console; }
lanes () { open samples/inception-v3.onnx; hide_panes timeline console; activate morph; }
compare () { open samples/inception-v3.onnx; lua 'compare.show(4, 5)'; hide_panes console; }
compare-lanes () {
  open samples/inception-v3.onnx
  lua 'compare.show(4, 5)'
  lua 'compare.lanes "all"'
  hide_panes console
}
compare-time () {
  open samples/inception-v3.onnx
  lua 'compare.show(4, 5)'
  hide_panes console
  activate compare-time
}
compare-scale () {
  open samples/inception-v3.onnx
  lua 'compare.show(4, 5)'
  lua 'view.color "start"'
  hide_panes console
}
overlay () {
  open samples/inception-v3.onnx
  lua 'compare.show(4, 5)'
  lua 'compare.mode "overlay"'
  hide_panes console
}
difference () {
  open gnmt:layers=8
  wait_s 6
  lua 'compare.show(3, 5)'
  lua 'compare.mode "difference"'
  hide_panes console
}
steps () {
  open samples/inception-v3.onnx
  lua 'view.show(sim.run(plan.go_one(g, { evals = 200 })))'
  wait_s 8
  lua 'view.workspace "decisions"'
  lua 'view.moment(3)'
  hide_panes console
}
decision () {
  open samples/inception-v3.onnx
  lua 'view.show(sim.run(plan.heft(g)))'
  lua 'view.workspace "decisions"'
  lua 'view.moment(60)'
  hide_panes console
}
devices () { open samples/inception-v3.onnx; activate devices "''"; }
drag () {
  open samples/inception-v3.onnx
  select_node 60-75
  hide_panes console
  activate device-key
}
export () { open samples/inception-v3.onnx; activate export-graph; }
generate () { open; activate generate; }
lesson () { open; activate lesson "'01-placement'"; wait_s 3; activate lesson-next; wait_s 2; hide_panes console; }
task () {
  open
  activate lesson "'contention'"
  wait_s 3
  for _ in 1 2 3; do activate lesson-next; wait_s 1; done
  activate lesson-check
  activate lesson-hint
}
challenge () {
  open
  activate lesson "'challenge-2-inception'"
  wait_s 5
  activate lesson-solve
  wait_s 2
}
glossary () { open samples/toy.dot; activate glossary; wait_s 1; keys 'path'; }
shortcuts () { open samples/toy.dot; activate shortcuts; }
plots () {
  open samples/inception-v3.onnx
  lua 'plot(g:nodes(), { x = "cost", y = "bytes", log = "xy", title = "Nodes" })'
  lua 'plot(compare.policies(g, {"heft", "metis", "m-etf"}).runs)'
}
pictures () {
  open samples/inception-v3.onnx
  lua 'show(compare(1, 3))'
  lua 'show(r)'
}
records () {
  open samples/inception-v3.onnx
  lua 'function f(v) return sim.run(plan.random(g, v.seed, "equal:" .. v.n)) end'
  lua 'rows = sweep{ n = {1, 2, 4, 8}, seed = {1, 2, 3}, run = f }'
  lua 'rows'
  lua 'plot(rows)'
  lua 'g:nodes():top(9, "cost")'
}
controls () {
  open samples/inception-v3.onnx
  lua 'c = cluster.preset "p100x4"'
  lua 'function f(v) c:link("gpu:0", "gpu:1").bandwidth = v * 1e9 '\
'show(plot{ before = r.makespan, now = sim.run(g, p, c).makespan }) end'
  lua 'ui.slider("GB/s between gpu:0 and gpu:1", 1, 100, 12, f)'
  lua 'ui.choice("Policy", { "heft", "metis" }, function(n) view.show(sim.run(plan[n](g))) end)'
  lua 'ui.button("Best plan", function() view.show(1) end)'
}
measure () { open samples/inception-v3.onnx; activate measure; }
# With the library that scripts/dev/onnxruntime.sh names.
measured () {
  open samples/inception-v3.onnx
  lua "measure.run{ model = app.sample 'inception-v3.onnx', policies = { 'heft', 'single' }, "\
'runs = 3, force = true }:show()'
  wait_s 60
}
pipeline () { open samples/transformer-xl-coarse.json; activate make-pipeline; wait_s 1; }
pipelined () { pipeline; key alt+m; wait_s 2; hide_panes console; }
copies () { open samples/transformer-xl-coarse.json; activate copy-model; wait_s 1; }
collective () { open samples/transformer-xl-coarse.json; activate simulate-collective; wait_s 1; }
menu () { open samples/inception-v3.onnx; key F10; }
training () {
  open samples/inception-v3.onnx
  lua 'o = { steps = 120, every = 20, settings = "lessons=20,validation=4,imitations=20,labels=9" }'
  lua 'o.policy = "builder"'
  for name in shot-a shot-b; do
    rm -rf "goban-out/$name.net" "goban-out/$name.net.run"
    lua "o.output = \"goban-out/$name.net\"; o.seed = (o.seed or 0) + 1; job.train(o)"
    wait_s 8
  done
  activate compare-trainings
  hide_panes console
}
# The pane while each of the other networks is trained.
train_kind () { # NETWORK OPTIONS SECONDS
  open samples/inception-v3.onnx
  rm -rf "goban-out/shot-$1.net" "goban-out/shot-$1.net.run"
  lua "job.train{ policy = \"$1\", output = \"goban-out/shot-$1.net\", $2 }"
  hide_panes console
  wait_s "$3"
}
train-kind-moves () { train_kind moves 'steps = 400, every = 10' 30; }
train-kind-regal () { train_kind regal 'steps = 400' 25; }
train-kind-go () { train_kind go 'steps = 400, every = 0' 20; }
# The pane while a policy learns on the open graph.
learning () { # POLICY SECONDS
  open samples/inception-v3.onnx
  call Activate place-with "[<('$1', uint64 0, uint64 0, 600.0, '')>]" {}
  hide_panes console
  wait_s "$2"
}
learning-hdp () { learning hdp 12; }
learning-placeto () { learning placeto 25; }
learning-go () { learning go 12; }
learning-moves () { learning go-finetune 25; }
learning-post () { learning post 12; }
networks () { open samples/inception-v3.onnx; activate networks; }
train () {
  open samples/inception-v3.onnx
  activate train
  wait_s 1
  key space Down Down Return
}

variation () {
  open samples/inception-v3.onnx
  lua 'view.show(sim.run(plan.go_finetune(g, { evals = 200 })))'
  wait_s 8
  lua 'view.workspace "decisions"'
  lua 'view.moment(16)'
  hide_panes console
  key 3
  wait_s 1
  key Return
  wait_s 4
}
decisions-empty () {
  open samples/inception-v3.onnx
  lua 'view.show(sim.run(plan.single(g)))'
  lua 'view.workspace "decisions"'
  hide_panes console
}
decisions-large () {
  open gnmt:layers=8
  wait_s 6
  lua 'view.show(sim.run(plan.heft(g)))'
  wait_s 6
  lua 'view.workspace "decisions"'
  lua 'view.moment(4000)'
  hide_panes console
}
compare-empty () {
  open samples/toy.dot
  lua 'for i = #app.runs(), 2, -1 do app.runs()[i]:remove() end'
  lua 'view.workspace "compare"'
  hide_panes console
}
compare-changes () {
  open samples/inception-v3.onnx
  lua 'compare.show(1, 3)'
  hide_panes console
  key comma period
}
race () {
  open samples/inception-v3.onnx
  lua 'compare.show(1, 3)'
  hide_panes console
  activate compare-race
  wait_s 3
}
train-empty () {
  open samples/inception-v3.onnx
  lua 'view.workspace "train"'
  hide_panes console
}
train-new () { train-empty; activate train; wait_s 4; }
script () { controls; script_space; }
script_space () { lua 'view.workspace "script"'; hide_panes console; }
script-empty () { open samples/inception-v3.onnx; script_space; }
script-run () {
  script-empty
  activate open-path "'$PWD/scripts/examples/05-pictures.lua'"
  wait_s 1
  key F8
  wait_s 3
}
place () { open samples/inception-v3.onnx; activate choose-policy; wait_s 1; }
place-more () { place; keys 'go-fine'; }
present () { open samples/inception-v3.onnx; set_state presenter true; wait_s 1; }
present-decisions () { decision; set_state presenter true; wait_s 1; }
drawing () { open; lua 'app.open(graph.new{})'; hide_panes console; }
llm () { open gpt:layers=4; wait_s 2; hide_panes console; }
parallel () { llm; activate in-parallel; wait_s 3; }
eight-devices () {
  open samples/inception-v3.onnx
  lua 'view.show(sim.run(plan.heft(g, "p100x8")))'
  hide_panes console
}
all-rows () {
  open samples/inception-v3.onnx
  activate timeline-rows
  hide_panes console
}
drawer () { open samples/inception-v3.onnx; lua 'r'; lua 'g'; }
share () { open samples/inception-v3.onnx; activate export-page; wait_s 1; }
film-dialog () { open samples/inception-v3.onnx; activate export-film; wait_s 1; }
lesson_of () {
  open
  activate lesson "'$1'"
  wait_s 4
  activate lesson-next
  wait_s 2
  hide_panes console
}
lesson-1 () { lesson_of 01-placement; }
lesson-2 () { lesson_of 02-critical-path; }
lesson-3 () { lesson_of 03-contention; }
lesson-4 () { lesson_of 04-memory; }
lesson-5 () { lesson_of 05-heft; }
lesson-6 () { lesson_of 06-fusion; }
lesson-7 () { lesson_of 07-network; }
lesson-8 () { lesson_of 08-ppo; }
lesson-9 () { lesson_of 09-transfer; }
lesson-10 () { lesson_of 10-drawing; }

# What data/screenshots has: a mode, its size and its colours.
published="start:1280x800:light explore:1600x1000:light groups:1600x1000:light zoom:1600x1000:light
  what-if:1600x1000:light why:1600x1000:light histogram:1600x1000:dark
  compare:1600x1000:light steps:1600x1000:dark plots:1600x1000:light
  lesson:1600x1000:light"

if [ -z "${GOBAN_SCREENSHOTS:-}" ]; then
  GOBAN_SCREENSHOTS=1 GEOMETRY=2560x1440 exec tests/support/gui-run.sh "$0" "$@"
fi

program=_b/app/goban
target=goban-out/screenshots
shots="${GOBAN_SHOTS:-1600x1000:light 1280x800:light 1600x1000:dark 1280x800:dark}"
colours=
while [ $# -gt 0 ]; do
  case $1 in
    -o) target=$2; shift 2 ;;
    -p) program=$2; shift 2 ;;
    --publish) colours=250; target=data/screenshots; shots=; shift ;;
    *) chosen="${chosen:-} $1"; shift ;;
  esac
done
mkdir -p "$target"
# Without a compositor what is transparent is black: popovers have no shadow here, and a ground.
cat >"$XDG_CONFIG_HOME/gtk-4.0/gtk.css" <<'CSS'
popover.background { background-color: @theme_bg_color; }
popover > contents, window.csd { box-shadow: none; }
CSS
# Its commands are called over the bus, so it must have its name there.
unset GOBAN_NON_UNIQUE

wait_s () { sleep "$1"; }
call () { # METHOD ACTION PARAMETER...
  gdbus call --session -d org.goban.Goban -o /org/goban/Goban/window/1 \
    -m "org.gtk.Actions.$1" "${@:2}" >/dev/null
  sleep 0.3
}
activate () { call Activate "$1" "[${2:+<$2>}]" '{}'; }
set_state () { call SetState "$1" "<$2>" '{}'; }
key () { xdotool key --delay 60 "$@"; sleep 0.3; }
keys () { xdotool type --delay 30 "$1"; sleep 1; }
hide_panes () { for pane in "$@"; do set_state "$pane-pane" false; done; }
drag_edge () { # FROM_Y TO_Y: the edge between two panes
  xdotool mousemove 800 "$1"
  sleep 0.3
  xdotool mousedown 1 mousemove 800 $(($1 - 20)) mousemove 800 "$2" mouseup 1 mousemove 1599 999
  sleep 0.3
}
# At the prompt, which is shown for that and hidden again where it was.
lua () {
  set_state console-pane true
  xdotool key F12 key F12
  sleep 0.3
  xdotool type --delay 12 "$1"
  key Return
  sleep 0.7
}
select_node () { lua "view.select(g:nodes \"$1\")"; }

resize () { # WIDTHxHEIGHT
  xdotool windowsize --sync "$window" "${1%x*}" "${1#*x}" windowmove "$window" 0 0 || true
  sleep 1
}

open () { # FILE...
  # What the mode before left unsaved is not asked about.
  rm -rf "${XDG_STATE_HOME:?}"/*
  "$program" "$@" 2>>"${XDG_RUNTIME_DIR:?}/log.txt" &
  pid=$!
  for _ in $(seq 300); do
    window=$(xdotool search --onlyvisible --pid $pid 2>/dev/null | tail -n 1) || true
    [ -n "$window" ] && break
    sleep 0.1
  done
  resize 1600x1000
  xdotool windowfocus "$window" mousemove 1599 999
  # A graph is placed by several policies before it is shown.
  [ $# -eq 0 ] || sleep "${GOBAN_SCREENSHOT_PATIENCE:-4}"
}

shoot () { # NAME SIZE COLOURS
  local dark=false
  [ "$3" = dark ] && dark=true
  set_state dark $dark
  resize "$2"
  sleep 1
  import -window root -crop "$2+0+0" +repage ${colours:+-dither None -colors $colours} -strip \
    "${colours:+PNG8:}$target/$1.png"
}

for mode in ${chosen:-$modes}; do
  wanted=$shots
  for entry in $published; do
    [ -n "$colours" ] && [ "${entry%%:*}" = "$mode" ] && wanted=${entry#*:}
  done
  [ -n "$wanted" ] || continue
  $mode
  for shot in $wanted; do
    shoot "$mode${colours:+}${shots:+-${shot%x*}-${shot#*:}}" "${shot%:*}" "${shot#*:}"
  done
  activate quit || kill $pid
  wait $pid || true
done

# Pictures are made anew at each release, not for every change of the window: lint/screenshots fails
# if they are of another version than the tree, and only says that the window has changed since.
if [ -n "$colours" ]; then
  scripts/dev/check-screenshots.sh --stamp >data/screenshots/made-from.txt
fi
