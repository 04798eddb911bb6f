#!/bin/sh
# check-screenshots.sh [--stamp]: whether data/screenshots shows the window of this version.
#
# made-from.txt beside the pictures has the version and a sum of the window's sources, which --stamp
# prints. Another version is an error: a release has new pictures (screenshots.sh --publish). Another
# sum alone is told, for a change of the window is no reason to take all pictures at once; neither
# needs the history of the clone. A picture that a document shows must be there.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n "s/^  version: '\\(.*\\)',/\\1/p" meson.build)
sum=$(find ui -name '*.[ch]' | LC_ALL=C sort | xargs cat | cksum | cut -d' ' -f1)
[ "${1:-}" != --stamp ] || { echo "$version $sum"; exit 0; }

status=0
read -r made_version made_sum <data/screenshots/made-from.txt
[ "$made_version" = "$version" ] || {
  echo "data/screenshots shows version $made_version, not $version:" \
    "run scripts/dev/screenshots.sh --publish"
  status=1
}
[ "$made_sum" = "$sum" ] || echo "The window's sources have changed since the screenshots were made."
for picture in $(grep -oh 'data/screenshots/[a-z-]*\.png' README.md docs/*.md data/*.metainfo.xml); do
  [ -e "$picture" ] || { echo "there is no $picture"; status=1; }
done
exit $status
