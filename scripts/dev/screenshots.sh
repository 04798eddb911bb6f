#!/bin/bash
# screenshots.sh [PROGRAM]: takes the pictures of data/screenshots on a display of its own.
#
# PROGRAM is _b/app/goban unless said otherwise. Needs Xvfb, xdotool and ImageMagick. The dark
# picture shows a graph of ../shared/data, and is left as it is where that is missing.
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${GOBAN_SCREENSHOTS:-}" ]; then
  export GOBAN_SCREENSHOTS=1 GEOMETRY=1600x1000
  exec tests/support/gui-run.sh "$0" "$@"
fi

program=${1:-_b/app/goban}
target=data/screenshots
mkdir -p "$target"
# Its commands are called over the bus, so it must have its name there.
unset GOBAN_NON_UNIQUE

call () { # METHOD ACTION PARAMETER...
  gdbus call --session -d org.goban.Goban -o /org/goban/Goban/window/1 \
    -m "org.gtk.Actions.$1" "${@:2}" >/dev/null
  sleep 1
}
activate () { call Activate "$1" "[${2:+<$2>}]" '{}'; }
set_state () { call SetState "$1" "<$2>" '{}'; }

begin () { # FILE...
  "$program" "$@" &
  pid=$!
  for _ in $(seq 100); do
    window=$(xdotool search --onlyvisible --pid $pid 2>/dev/null | tail -n 1) || true
    [ -n "$window" ] && break
    sleep 0.1
  done
  xdotool windowsize --sync "$window" 1600 1000 windowmove "$window" 0 0 windowfocus "$window"
  sleep 3
}

finish () { # NAME
  import -window root -dither None -colors 250 -strip "PNG8:$target/$1.png"
  activate quit
  wait $pid
}

begin samples/inception-v3.onnx
finish explore

begin
finish start

begin samples/inception-v3.onnx
set_state timeline-pane false
set_state console-pane false
set_state critical-path true
xdotool mousemove 620 400
sleep 0.3
for _ in $(seq 7); do xdotool click 4; sleep 0.1; done
xdotool mousemove 440 660 click 1 sleep 0.2 mousemove 1500 900
sleep 1
finish zoom

# 84,464 nodes at a glance, two of their groups open.
begin gnmt:layers=8
sleep 6
xdotool mousemove 740 180 click --repeat 2 --delay 60 1
sleep 2
xdotool mousemove 690 120 click --repeat 2 --delay 60 1
sleep 2
activate select-none
xdotool mousemove 1500 560
sleep 1
finish groups

# An op was dragged to another device: what ran before lies behind.
begin samples/inception-v3.onnx
xdotool mousemove 800 675 mousedown 1
sleep 0.5
xdotool mousemove 805 720
sleep 0.5
xdotool mousemove 812 790
sleep 1
xdotool mouseup 1 mousemove 1500 560
sleep 1
finish what-if

begin samples/inception-v3.onnx
xdotool mousemove 668 792 click 1 sleep 1 mousemove 1500 900
sleep 1
finish why

graph=../shared/data/pipedream/nasnetalarge.graph.txt
if [ -e "$graph" ]; then
  begin "$graph"
  set_state dark true
  set_state console-pane false
  activate cluster "'p100x4'"
  sleep 7
  finish dark
fi
