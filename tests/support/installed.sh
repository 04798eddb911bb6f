#!/bin/bash
# installed.sh MESON BUILD: what `meson install` puts into a folder of its own works from there.
#
# The folder is not the prefix that was built for, so whatever is found is found from the program's
# own place.
set -u
meson=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "1..9"
n=0
check () { # NAME COMMAND...
  local name=$1
  shift
  n=$((n + 1))
  if "$@" >"$work/out" 2>&1; then echo "ok $n $name"; else
    echo "not ok $n $name"
    sed 's/^/# /' "$work/out"
  fi
}

check "installs" env DESTDIR="$work/root" "$meson" install -C "$build" --no-rebuild --quiet
bin=$(dirname "$(find "$work/root" -path '*/bin/goban-cli')")
share=$bin/../share
export XDG_DATA_DIRS=$share

has_files () {
  local missing=0
  for file in applications/org.goban.Goban.desktop metainfo/org.goban.Goban.metainfo.xml \
      dbus-1/services/org.goban.Goban.service glib-2.0/schemas/org.goban.Goban.gschema.xml \
      icons/hicolor/scalable/apps/org.goban.Goban.svg man/man1/goban.1 man/man1/goban-cli.1 \
      man/man7/goban-lua.7 doc/goban/goban-lua.html \
      bash-completion/completions/goban-cli zsh/site-functions/_goban-cli \
      icons/hicolor/symbolic/apps/org.goban.Goban-symbolic.svg mime/packages/org.goban.Goban.xml; do
    ls "$share/$file" "$share/$file".gz >/dev/null 2>&1 || [ -e "$share/$file" ] || {
      echo "$file is missing"
      missing=1
    }
  done
  return $missing
}
from_there () { [ "$("$bin/goban-cli" -e "$1" | grep -c "^$work/root")" = 1 ]; }
has_lessons () {
  "$bin/goban-cli" -e 'print(#lesson.list(), lesson.term "makespan")' | grep -q "^1[0-9].*finish"
}
has_suites () { "$bin/goban-cli" bench | grep -q go14; }
opens_library_of_nothing () { ! ldd "$bin/goban-cli" | grep -q 'libgtk\|not found'; }

check "has every file of an application" has_files
check "goban-cli finds a sample of its own" from_there 'print(app.sample "toy")'
check "goban-cli places it" "$bin/goban-cli" -e \
  'print(sim.run(plan.heft(graph.load(app.sample "toy"))))'
check "goban-cli finds its suites" has_suites
check "goban-cli finds its lessons and the glossary" has_lessons
check "a trained policy is found" \
  "$bin/goban-cli" place "$share/goban/samples/toy.dot" --policy regal --evals 20
check "goban-cli needs no window system" opens_library_of_nothing
check "goban starts" "$bin/goban" --version
grep -q '' "$work/out" && exit 0
