#!/bin/sh
# Opens a shared page in a browser without a window, if one is installed, and uses it there.
set -eu
cli=$1
browser=
for name in chromium chromium-browser google-chrome-stable google-chrome; do
  command -v "$name" >/dev/null && browser=$name && break
done
if [ -z "$browser" ]; then
  echo "no Chromium is installed: the page is not looked at"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cli" compare "$GOBAN_SOURCE_ROOT/samples/inception-v3.onnx" --cluster p100x4 \
  --policies single,heft,anneal --evals 40 --report "$folder/page.html" >/dev/null

# On paper: a browser prints it, and both graphs take more than one page.
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
  --virtual-time-budget=5000 --print-to-pdf="$folder/page.pdf" "file://$folder/page.html" \
  >/dev/null 2>"$folder/err" || {
  tail -3 "$folder/err"
  echo "the browser does not start here"
  exit 77
}
grep -aq '/Count [2-9]' "$folder/page.pdf" || {
  echo "the printed page has less than two sheets"
  exit 1
}

# The page with what is done to it: the answers are read from the document.
{
  sed 's#</body>#<script>#; /<\/html>/d' "$folder/page.html"
  cat "$GOBAN_SOURCE_ROOT/tests/cli/share-in-browser.js"
  echo '</script></body></html>'
} >"$folder/used.html"
# A desk and a phone; the phone is a frame, because windows have a least width.
sed 's/&/\&amp;/g; s/"/\&quot;/g' "$folder/used.html" >"$folder/quoted.html"
{
  echo '<!DOCTYPE html><body style="margin:0">'
  echo '<iframe style="border:0;width:390px;height:844px" srcdoc="'
  cat "$folder/quoted.html"
  echo '"></iframe><script>setInterval(() => { document.body.dataset.said ='
  echo 'document.querySelector("iframe").contentDocument.body.dataset.said || ""; }, 100);</script></body>'
} >"$folder/phone.html"
for page in used phone; do
  timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
    --window-size=1280,1600 --virtual-time-budget=5000 --dump-dom "file://$folder/$page.html" \
    >"$folder/dom.html" 2>"$folder/err" || {
    tail -3 "$folder/err"
    echo "the browser does not start here"
    exit 77
  }
  said=$(sed -n 's/.*data-said="\([^"]*\)".*/\1/p' "$folder/dom.html" | head -1)
  echo "$page: $said" | tr ';' '\n'
  case $said in
    '' | *FAILS*) exit 1 ;;
  esac
done
