#!/bin/sh
# Updates the caches of icons, settings, desktop files and file types after an installation.
#
# refresh-caches.sh DATADIR, relative to MESON_INSTALL_PREFIX. Meson runs it after installing into
# the real prefix, never for a DESTDIR: packages leave the caches to the package manager. A desktop
# that uses a cache has its tool; a tool that is missing is skipped, and building depends on none of
# them.
set -u
case $1 in
  /*) share=$1 ;;
  *) share=${MESON_INSTALL_PREFIX:?}/$1 ;;
esac

refresh () {
  command -v "$1" >/dev/null 2>&1 || return 0
  echo "Running $*"
  "$@" || echo "$1 failed; the files are installed all the same." >&2
}

refresh glib-compile-schemas "$share/glib-2.0/schemas"
if command -v gtk4-update-icon-cache >/dev/null 2>&1; then
  refresh gtk4-update-icon-cache -q -t -f "$share/icons/hicolor"
else
  refresh gtk-update-icon-cache -q -t -f "$share/icons/hicolor"
fi
refresh update-desktop-database -q "$share/applications"
refresh update-mime-database "$share/mime"
