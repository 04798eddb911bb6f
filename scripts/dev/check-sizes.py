#!/usr/bin/env python3
"""Refuses files of more than 1,200 lines, and words that promise a later change.

How long a function is, is its thought's business; check-merges.py finds what is cut too small.
"""
import pathlib
import re
import sys

MAX_LINES = 1200
PROMISES = re.compile(r'\b(' + 'TO' + r'DO|FIX' + r'ME|XX' + r'X)\b')


def main(root):
    bad = 0
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app', 'tests', 'scripts')
                       for p in (root / top).rglob('*') if p.suffix in ('.c', '.h', '.lua', '.py')):
        lines = (root / path).read_text(encoding='utf-8').splitlines()
        if len(lines) > MAX_LINES:
            print(f'{path}: {len(lines)} lines, at most {MAX_LINES}')
            bad += 1
        for number, line in enumerate(lines, 1):
            if PROMISES.search(line):
                print(f'{path}:{number}: write an issue or a NOTES.md entry instead')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
