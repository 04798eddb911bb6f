#!/bin/sh
# Rewrites tests/golden from what the program does now: golden-update.sh [BUILD]. Review the diff
# like code.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-_b}
[ -f "$build/build.ninja" ] || meson setup "$build"
# Every test that compares with a file of tests/golden.
GOBAN_GOLDEN_UPDATE=1 meson test -C "$build" --print-errorlogs \
  io/json-page sim/trace session/session-file study/hierarchy study/hierarchy-cells \
  draw/compare draw/graph-groups draw/graph-layout draw/graph-painter draw/raster \
  draw/steps draw/timeline-relations draw/values
git diff --stat -- tests/golden
