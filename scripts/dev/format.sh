#!/bin/sh
# Formats every C file of the project, or just the files given.
set -eu
cd "$(dirname "$0")/../.."
style=file:scripts/dev/clang-format.yml
if [ $# -gt 0 ]; then
  exec clang-format -i --style="$style" "$@"
fi
git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i --style="$style"
