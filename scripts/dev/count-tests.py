#!/usr/bin/env python3
"""Counts the test cases of meson's testlog.json files: the longest programs, what failed with the
end of what it said, then the counts.

A program that crashed, timed out or failed without saying which case did counts as one failure
more than the cases it told of, which meson's own counts and its JUnit logs leave out. A program
that tells of no cases is one case itself. Exits with 1 if anything failed, nothing ran, or a log
cannot be read.
"""
import json
import re
import sys

CASE = re.compile(r'^(not )?ok\b([^#\n]*)(# *(skip|todo))?', re.M | re.I)
N_LONGEST = 15
N_LAST_LINES = 15
FINE = {'OK': (1, 0, 0), 'EXPECTEDFAIL': (1, 0, 0), 'SKIP': (0, 0, 1)}


def count_program(record):
    """(passed, failed, skipped) of one test program's record."""
    passed = failed = skipped = 0
    for refused, _, _, directive in CASE.findall(record.get('stdout') or ''):
        if directive:
            skipped += 1
        elif refused:
            failed += 1
        else:
            passed += 1
    if record['result'] not in FINE:
        return passed, max(failed, 1), skipped
    return (passed, failed, skipped) if passed + failed + skipped else FINE[record['result']]


def tell_failure(folder, record):
    """A log that is cut to its end still tells which case failed, and why."""
    print(f"{record['result']}  {folder}  {record.get('name', '?')}")
    said = (record.get('stdout') or '').splitlines()
    refused = [line for line in said if line.startswith('not ok') and not CASE.match(line)[3]]
    errors = (record.get('stderr') or '').splitlines()
    for line in refused + said[-N_LAST_LINES:] + errors[-N_LAST_LINES:]:
        print('    ' + line)


def main(paths):
    rows = [(0, 0, 0)]
    times = []
    failures = []
    for path in paths:
        try:
            with open(path, encoding='utf-8') as log:
                records = [json.loads(line) for line in log]
            rows += [count_program(record) for record in records]
            failures += [(path.split('/')[0], record) for record in records
                         if record['result'] not in FINE]
            times += [(record.get('duration', 0), path.split('/')[0], record.get('name', '?'))
                      for record in records]
        except (OSError, ValueError, KeyError) as error:
            print(f'{path}: {error}', file=sys.stderr)
            rows.append((0, 1, 0))
    for seconds, folder, name in sorted((t for t in times if t[0] > 0), reverse=True)[:N_LONGEST]:
        print(f'{seconds:7.1f} s  {folder}  {name}')
    for folder, record in failures:
        tell_failure(folder, record)
    passed, failed, skipped = map(sum, zip(*rows))
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
