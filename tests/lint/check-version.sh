#!/bin/sh
# check-version.sh ROOT VERSION GOBAN_CLI GOBAN: everything that names a version names that of
# meson.build.
#
# NEWS, AppStream and Debian's changelog begin with it, NEWS and AppStream with one date; programs
# and man pages have it.
version=$2
cli=$(realpath "$3") && goban=$(realpath "$4") && cd "$1" || exit 1
status=0

# same WHAT FOUND EXPECTED
same () {
  [ "$2" = "$3" ] || { echo "$1 has “$2” instead of “$3”"; status=1; }
}

same "goban-cli --version" "$("$cli" --version)" "goban-cli $version"
same "goban --version" "$("$goban" --version)" "goban $version"
for page in goban goban-cli; do
  same "data/man/$page.1" \
    "$(sed -n '1s/^\.TH .* "Goban \([^"]*\)" .*/\1/p' data/man/$page.1)" "$version"
done

release=$(sed -n 's/.*<release \(.*\)>.*/\1/p' data/org.goban.Goban.metainfo.xml | head -n 1)
date=$(sed -n '1s/^Goban .* (\([0-9]*-[0-9]*-[0-9]*\))$/\1/p' NEWS)
same "The first line of NEWS" "$(head -n 1 NEWS)" "Goban $version ($date)"
same "The first release in data/org.goban.Goban.metainfo.xml" "$release" \
  "version=\"$version\" date=\"$date\""
same "The first line of data/debian/changelog" \
  "$(sed -n '1s/^goban (\(.*\)-[0-9]*) .*/\1/p' data/debian/changelog)" "$version"
exit $status
