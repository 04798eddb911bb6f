#!/bin/sh
# check-symbols.sh LIBRARY...: no function of ours is defined twice.
#
# In a static library the linker would take one of them and say nothing.
set -eu
twice=$(for library in "$@"; do nm -g --defined-only "$library"; done |
  awk '$2 ~ /^[TDBR]$/ { print $3 }' | sort | uniq -d)
if [ -n "$twice" ]; then
  echo "defined more than once:"
  echo "$twice"
  exit 1
fi
