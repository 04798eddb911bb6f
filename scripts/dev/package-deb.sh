#!/bin/sh
# Builds Debian packages of the committed files: package-deb.sh [OUTPUT_FOLDER] (default _deb)
#
#   goban-cli   the tool, its man page, the samples, suites and trained policies: no GTK
#   goban       the window, its desktop file, icons, translations; depends on goban-cli
#
# data/debian is copied to where Debian's tools look for it, and its build dependencies are those of
# packages.sh. The maintainer is that of the variables DEBFULLNAME and DEBEMAIL, if they are set.
# Needs debhelper and dpkg-dev, and checks the result by lintian, if that is installed. To try the
# packages on a minimal system: scripts/dev/fresh.sh _deb/*.deb
#
# Decision A12 (app/NOTES.md).
set -eu
caller=$PWD
cd "$(dirname "$0")/../.."
. scripts/dev/packages.sh

die () {
  printf 'package-deb.sh: %s\n' "$*" >&2
  exit 2
}

for tool in dpkg-buildpackage:dpkg-dev dh:debhelper git:git; do
  command -v "${tool%:*}" >/dev/null 2>&1 ||
    die "${tool%:*} is missing. Install it: apt-get install ${tool#*:}"
done
[ $# -le 1 ] || die "usage: package-deb.sh [OUTPUT_FOLDER]"
case ${1:-_deb} in
  /*) output=$1 ;;
  *) output=${1:+$caller/$1}
     output=${output:-$PWD/_deb} ;;
esac
git diff --quiet HEAD || echo "What is not committed is left out." >&2

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
tree=$work/goban-$version
git archive --prefix="goban-$version/" HEAD | tar -C "$work" -xf -
mv "$tree/data/debian" "$tree/debian"
# A compiler is part of what Debian builds every package with.
# shellcheck disable=SC2154,SC2086
build=$(printf '%s\n' $debian_BUILD | grep -vx gcc | sort | paste -s -d , | sed 's/,/, /g')
sed -i "s/@BUILD@/$build/" "$tree/debian/control"
set -- --build=binary --no-sign
[ -z "${DEBEMAIL:-}" ] || set -- "$@" "--release-by=${DEBFULLNAME:-$DEBEMAIL} <$DEBEMAIL>"
(cd "$tree" && dpkg-buildpackage "$@") >"$work/log" 2>&1 ||
  { tail -n 60 "$work/log" >&2; die "the packages cannot be built; see above."; }

! grep -lF "$work" "$tree"/debian/goban*/usr/bin/* ||
  die "these programs name the folder that they were built in."

mkdir -p "$output"
cp -t "$output" "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo
if command -v lintian >/dev/null 2>&1; then
  # The tag is for packages that Debian is asked to take in.
  lintian --tag-display-limit 0 --info --fail-on error,warning \
    --suppress-tags initial-upload-closes-no-bugs "$output"/*.changes
fi
ls "$output"/*.deb
