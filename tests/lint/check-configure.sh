#!/bin/sh
# check-configure.sh ROOT MESON: the build is configured with the tools of the BUILD packages alone,
# and an installation runs those tools that update caches which it finds.
#
# Meson sees a PATH that has these tools and nothing else, whatever is installed here.
root=$1
meson=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

mkdir "$work/bin"
for tool in ar as basename bash cat cc cp dirname echo env expr gcc gcc-ar gdbus-codegen \
    glib-compile-resources glib-compile-schemas grep ld ln ls mkdir mktemp mv msgfmt msginit \
    msgmerge ninja nm objcopy pkg-config pkgconf protoc protoc-c protoc-gen-c ranlib rm rmdir sed \
    sh sort strip tail test tr uname uniq xgettext; do
  program=$(command -v "$tool") && ln -s "$program" "$work/bin/$tool"
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/bin/python3"

# Compiler wrappers and flags of the build that runs this test do not matter here.
if ! env -u CC -u CC_LD -u CFLAGS -u LDFLAGS PATH="$work/bin" "$meson" setup "$work/build" "$root" \
    >"$work/log" 2>&1; then
  echo "The build cannot be configured with the tools of the BUILD packages alone:"
  tail -n 5 "$work/log"
  status=1
fi

# No tool at all: nothing is said, nothing fails.
refresh () {
  MESON_INSTALL_PREFIX=/prefix PATH=$work/tools \
    "$work/bin/sh" "$root/data/refresh-caches.sh" "$1" 2>&1
}
mkdir "$work/tools"
said=$(refresh share) || { echo "refresh-caches.sh fails if there are no tools"; status=1; }
[ -z "$said" ] || { echo "refresh-caches.sh says without tools: $said"; status=1; }

# Each tool is run once on its folder, and one that fails stops neither the others nor the
# installation.
for tool in glib-compile-schemas gtk4-update-icon-cache update-desktop-database \
    update-mime-database; do
  printf '#!%s\nfor last; do :; done\necho "ran %s $last"\nexit 1\n' \
    "$work/bin/sh" "$tool" >"$work/tools/$tool"
  chmod +x "$work/tools/$tool"
done
# expect DATADIR FOLDER
expect () {
  said=$(refresh "$1") || { echo "refresh-caches.sh $1 fails if a tool does"; status=1; }
  for want in "glib-compile-schemas $2/glib-2.0/schemas" "gtk4-update-icon-cache $2/icons/hicolor" \
      "update-desktop-database $2/applications" "update-mime-database $2/mime"; do
    [ "$(printf '%s\n' "$said" | grep -cxF "ran $want")" = 1 ] ||
      { echo "refresh-caches.sh $1 does not run once: $want"; status=1; }
  done
}
expect share /prefix/share
expect /elsewhere/share /elsewhere/share
exit $status
