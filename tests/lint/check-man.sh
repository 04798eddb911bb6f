#!/bin/sh
# The man pages are sound, and they name every verb and option; the reference of Lua, as a page and
# as HTML, has all of help(): check-man.sh ROOT GOBAN_CLI GOBAN goban-lua.7 goban-lua.html
cli=$(realpath "$2") && goban=$(realpath "$3") && lua=$(realpath "$4") && html=$(realpath "$5") \
  && cd "$1" || exit 1
status=0
page=data/man/goban-cli.1

# Without the dashes of troff: \- is a plain one to whoever searches.
plain=$(sed 's/\\-/-/g; s/\\f.//g' "$page")
verbs=$("$cli" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || { echo "$cli --help names no verb"; status=1; }
for verb in $verbs; do
  printf '%s\n' "$plain" | grep -q "^\.B[IR]* \"*$verb\b" || {
    echo "$page lacks the verb $verb"
    status=1
  }
  for option in $("$cli" "$verb" --help | sed -n 's/^  \(-., \)*\(--[a-z-]*\).*/\2/p'); do
    [ "$option" = --help ] && continue
    printf '%s\n' "$plain" | grep -q -e "$option\b" || {
      echo "$page lacks $option of $verb"
      status=1
    }
  done
done

plain=$(sed 's/\\-/-/g; s/\\f.//g' data/man/goban.1)
options=$("$goban" --help | sed -n '/Application Options/,$s/^  \(-., \)*\(--[a-z-]*\).*/\2/p')
[ -n "$options" ] || { echo "$goban --help names no option"; status=1; }
for option in $options; do
  [ "$option" = --display ] && continue
  printf '%s\n' "$plain" | grep -q -e "$option\b" || {
    echo "data/man/goban.1 lacks $option"
    status=1
  }
done

n=$("$cli" -e '#app.reference()')
n_dt=$(grep -c '^<dt' "$html") n_h3=$(grep -c '^<h3' "$html")
[ "$n" -gt 400 ] && [ $((n_dt + n_h3)) -eq "$n" ] || {
  echo "$html has $n_dt entries and $n_h3 headings, not all $n of help()"
  status=1
}
for name in graph.load s:move r.makespan apropos; do
  for file in "$lua" "$html"; do
    grep -q "$name" "$file" || { echo "$file lacks $name"; status=1; }
  done
done

# Without the formatter, the words are checked all the same.
for file in data/man/*.1 "$lua"; do
  if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
    said=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 "$file" 2>&1 >/dev/null)
  elif command -v groff >/dev/null 2>&1; then
    said=$(groff -man -ww -z -Tutf8 "$file" 2>&1)
  else
    said=
  fi
  [ -z "$said" ] || { echo "$file: $said"; status=1; }
done
exit $status
