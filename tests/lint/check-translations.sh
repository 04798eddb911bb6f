#!/bin/sh
# The words of po/ are those of the sources, and the translations are sound: check-translations.sh
# ROOT
cd "$1" || exit 1
for tool in xgettext msgfmt msgcmp; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
# Sources come without git too.
printf '#!/bin/sh\nexit 127\n' >"$work/git"
chmod +x "$work/git"
PATH=$work:$PATH scripts/dev/make-pot.sh "$work/goban.pot" || {
  echo "scripts/dev/make-pot.sh fails"
  exit 1
}
cmp -s "$work/goban.pot" po/goban.pot || {
  echo "po/goban.pot is stale: scripts/dev/make-pot.sh"
  status=1
}
cmp -s "$work/POTFILES" po/POTFILES || {
  echo "po/POTFILES is stale: scripts/dev/make-pot.sh"
  status=1
}
while read -r language; do
  msgfmt -c -o /dev/null "po/$language.po" || status=1
  # Words that nobody has translated yet are shown in English.
  msgcmp --use-untranslated "po/$language.po" po/goban.pot >"$work/said" 2>&1 ||
    {
      echo "po/$language.po lacks words: msgmerge -N -U po/$language.po po/goban.pot"
      head -n 5 "$work/said"
      status=1
    }
done <po/LINGUAS
exit $status
