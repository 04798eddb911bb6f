#!/bin/bash
# gui-run.sh COMMAND...: runs a command on a display, a bus and in folders of its own.
#
# The exit status is the command's; 77, which meson counts as skipped, where the display
# server or the bus is missing. GEOMETRY=1600x1000 is the size of the screen; GUI_RUN_LEAKS=no looks
# for no leaks. GUI_RUN_SERVER is the display server's process.
#
# Decision U56 (ui/NOTES.md).
set -u

for tool in Xvfb dbus-run-session; do
  if ! command -v "$tool" >/dev/null; then
    echo "1..0 # SKIP $tool is not installed"
    exit 77
  fi
done

work=$(mktemp -d)
# GTK's libraries keep no frame pointers, so only the slow unwinder sees who allocated, which takes
# four fifths of a window test's time. Whether anything is lost, and our own code in its stack,
# shows without it. That alone is no failure: what is reported decides, below.
asan_options=${ASAN_OPTIONS:+$ASAN_OPTIONS:}
lsan_options=${LSAN_OPTIONS:-}
export ASAN_OPTIONS="${asan_options}log_path=$work/sanitizer" LSAN_OPTIONS="${lsan_options:+$lsan_options:}exitcode=0"
export XDG_RUNTIME_DIR=$work/run XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
mkdir -p "$XDG_CONFIG_HOME/gtk-4.0" "$XDG_DATA_HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME"
mkdir -m 700 "$XDG_RUNTIME_DIR"
printf '[Settings]\ngtk-font-name=DejaVu Sans 10\ngtk-enable-animations=0\ngtk-cursor-blink=0\n' \
  >"$XDG_CONFIG_HOME/gtk-4.0/settings.ini"

export GDK_BACKEND=x11 GSK_RENDERER=${GSK_RENDERER:-cairo} GTK_A11Y=${GTK_A11Y:-none}
# As app/main.c chooses.
export GDK_DEBUG=${GDK_DEBUG:-gl-disable}
export GSETTINGS_BACKEND=memory GTK_USE_PORTAL=0 LC_ALL=C.UTF-8 TZ=UTC GOBAN_NON_UNIQUE=1
export LANGUAGE=${GOBAN_LANGUAGE:-}
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS DISPLAY

# Without MIT-SHM: cairo would make new shared segments for every frame.
Xvfb -displayfd 7 -screen 0 "${GEOMETRY:-1600x1000}x24" -nolisten tcp -noreset \
  -extension MIT-SHM 7>"$work/display" >"$work/xvfb.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$work"' EXIT

# A minute, unless the server gives up before.
for _ in $(seq 1200); do
  [ -s "$work/display" ] && break
  kill -0 $server 2>/dev/null || break
  sleep 0.05
done
if [ ! -s "$work/display" ]; then
  echo "1..0 # SKIP Xvfb does not start"
  exit 77
fi
DISPLAY=:$(cat "$work/display")
export DISPLAY GUI_RUN_SERVER=$server

# is_quarks REPORT: just the table of 2048 quarks that GLib makes before main and leaves behind when
# it grows. Behind g_malloc its stack, if it goes on, is within GLib and the loader; without symbols
# lsan.supp has no names for it.
is_quarks () {
  grep -q '^SUMMARY: AddressSanitizer: 16384 byte(s) leaked in 1 allocation(s)\.$' "$1" &&
    grep -q '^ *#1 .* in g_malloc ' "$1" &&
    ! grep '^ *#[0-9]' "$1" | grep -v '^ *#[01] ' | grep -qvE '/(libglib-2\.0|ld-linux[^/]*)\.so'
}

# run_with_whole_stacks COMMAND...: takes five times as long.
run_with_whole_stacks () {
  ASAN_OPTIONS="${asan_options}fast_unwind_on_malloc=0:malloc_context_size=30" LSAN_OPTIONS="$lsan_options" \
    dbus-run-session -- "$@"
}

if [ "${GUI_RUN_LEAKS:-}" = no ]; then
  asan_options="${asan_options}detect_leaks=0:"
  ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
fi
dbus-run-session -- "$@"
status=$?
reports=()
for report in "$work"/sanitizer.*; do
  [ ! -e "$report" ] || is_quarks "$report" || reports+=("$report")
done
if [ ${#reports[@]} -gt 0 ]; then
  cat "${reports[@]}" >&2
  # Only whole stacks tell a library's leaks from ours.
  echo "gui-run.sh: once more, with whole stacks" >&2
  run_with_whole_stacks "$@" >&2
  again=$?
  if grep -qE 'ERROR: AddressSanitizer|runtime error' "${reports[@]}"; then
    status=$((status == 0 ? 1 : status))
  else
    status=$again
  fi
fi
exit $status
