#!/bin/sh
# make-pot.sh [OUT]: collects the words of the sources into OUT, po/goban.pot unless said otherwise,
# and their files into po/POTFILES beside it.
#
# Words of Lua are marked by translate("..."). The same sources give the same bytes: no dates, and
# no line numbers unless LOCATION=full. Needs gettext.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-po/goban.pot}
files=$(dirname "$out")/POTFILES

# GtkBuilder's files are read by the rules that come with gettext: what is marked as translatable.
# The sources may come without git. Files of the engine speak by its errors; those of the headless
# tool do not.
find engine ui app scripts/prelude -name '*.[ch]' -o -name '*.ui' -o -name '*.lua' |
  grep -v '^app/cli/' | LC_ALL=C sort |
  xargs grep -lE \
    '\b(N?_|goban_(i18n_get_plural|set_error|(json_(stream_)?)?refuse|session_say)) \(|translatable="yes"|\btranslate\("' |
  grep -vE '^engine/((core/(words|error)|sim/.*check.*)\.c|(core|session)/.*\.h)$' >"$files"
xgettext --from-code=UTF-8 --add-location="${LOCATION:-file}" --package-name=goban \
  --keyword=_ --keyword=N_ --keyword=goban_i18n_get_plural:1,2 --keyword=goban_set_error:3 \
  --keyword=goban_refuse:3 --keyword=goban_json_refuse:3 --keyword=goban_json_stream_refuse:4 \
  --keyword=goban_session_say:3 --keyword=goban_search_go_on:2 --keyword=translate \
  --flag=goban_set_error:3:c-format --flag=goban_refuse:3:c-format \
  --flag=goban_json_refuse:3:c-format --flag=goban_json_stream_refuse:4:c-format \
  --flag=goban_session_say:3:c-format \
  --files-from="$files" --output="$out.new" 2>"$out.said" || { cat "$out.said"; exit 1; }
rm -f "$out.said"
grep -v '^"POT-Creation-Date' "$out.new" >"$out"
rm -f "$out.new"
