#!/bin/sh
# Rewrites tests/golden from what the program does now. Review the diff like code.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-_b}
[ -f "$build/build.ninja" ] || meson setup "$build"
GOBAN_GOLDEN_UPDATE=1 meson test -C "$build" --print-errorlogs sim/trace session/session-file
git diff --stat -- tests/golden
