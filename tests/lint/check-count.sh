#!/bin/sh
# The last line of ./scripts/check counts what really ran: crashes and time-outs too.
cd "$1" || exit 1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
status=0

# expect LINE EXIT_CODE: of the log as it is
expect () {
  said=$(python3 scripts/dev/count-tests.py "$log" 2>/dev/null)
  code=$?
  said=$(printf '%s\n' "$said" | tail -n 1)
  if [ "$said" != "$1" ] || [ "$code" -ne "$2" ]; then
    echo "said “$said” with $code instead of “$1” with $2"
    status=1
  fi
}

record () {
  printf '{"name": "%s", "result": "%s", "stdout": "%s"}\n' "$1" "$2" "$3" >>"$log"
}

expect '0 passed, 0 failed' 1
record all OK '1..3\nok 1 /a\nok 2 /b\nok 3 /c # SKIP no data\n# ok, a message'
expect '2 passed, 0 failed, 1 skipped' 0
record exits OK ''
expect '3 passed, 0 failed, 1 skipped' 0
record crashed ERROR '1..3\nok 1 /a\n'
expect '4 passed, 1 failed, 1 skipped' 1
record late TIMEOUT '1..3\nok 1 /a\nok 2 /b\n'
expect '6 passed, 2 failed, 1 skipped' 1
record refused ERROR '1..3\nok 1 /a\nnot ok 2 /b\nnot ok 3 /c\n'
expect '7 passed, 4 failed, 1 skipped' 1
record bare FAIL ''
record absent SKIP ''
expect '7 passed, 5 failed, 2 skipped' 1
python3 scripts/dev/count-tests.py "$log" | grep -A 1 'ERROR .*refused' | grep -q 'not ok 2 /b' || {
  echo "what failed is not named"
  status=1
}
printf '{"name": "long", "result": "OK", "duration": 12.3, "stdout": ""}\n' >>"$log"
python3 scripts/dev/count-tests.py "$log" | head -n 1 | grep -q '12.3 s .*long' || {
  echo "no times"
  status=1
}
echo '{' >>"$log"
python3 scripts/dev/count-tests.py "$log" >/dev/null 2>&1 && { echo "a torn log passes"; status=1; }
exit $status
