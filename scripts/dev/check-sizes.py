#!/usr/bin/env python3
"""Refuses files and functions too long to read, and words that promise a later change.

Sources: at most 1,200 lines; headers: 200; functions: 90.
"""
import pathlib
import re
import sys

MAX_SOURCE, MAX_HEADER, MAX_FUNCTION = 1200, 200, 90
# path: why it may be longer
EXCEPTIONS = {}
PROMISES = re.compile(r'\b(' + 'TO' + r'DO|FIX' + r'ME|XX' + r'X)\b')


def functions(lines):
    """Yields (first line, number of lines) of each brace block that starts in column one."""
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith('{'):
            start = number
        elif line.startswith('}') and start is not None:
            yield start, number - start - 1
            start = None


def main(root):
    bad = 0
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app', 'tests', 'scripts')
                       for p in (root / top).rglob('*') if p.suffix in ('.c', '.h', '.lua', '.py')):
        lines = (root / path).read_text(encoding='utf-8').splitlines()
        limit = MAX_HEADER if path.suffix == '.h' else MAX_SOURCE
        if len(lines) > limit and str(path) not in EXCEPTIONS:
            print(f'{path}: {len(lines)} lines, at most {limit}')
            bad += 1
        for number, line in enumerate(lines, 1):
            if PROMISES.search(line):
                print(f'{path}:{number}: write an issue or a NOTES.md entry instead')
                bad += 1
        if path.suffix == '.c':
            for start, length in functions(lines):
                text = '\n'.join(lines[max(0, start - 4):start])
                if length > MAX_FUNCTION and '=' not in text.splitlines()[-2]:
                    print(f'{path}:{start}: a function of {length} lines, at most {MAX_FUNCTION}')
                    bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
