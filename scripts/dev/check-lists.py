#!/usr/bin/env python3
"""Refuses lists of files and tables of tests in meson.build files that are not sorted.

A list is a run of lines that hold one quoted C file each, or that begin with the quoted name of a
test and a colon. Rows given twice are refused, too.
"""
import pathlib
import re
import sys

ROW = re.compile(r"^\s+'([\w./-]+\.c)',?$|^\s+'([a-z][\w-]*/[\w-]+)': ")


def runs(lines):
    """Yields (line number, name) lists of consecutive rows."""
    run = []
    for number, line in enumerate(lines, 1):
        found = ROW.match(line)
        if found:
            run.append((number, found[1] or found[2]))
        elif run and not line.startswith('    '):
            yield run
            run = []
    yield run


def main(root):
    bad = 0
    for path in sorted(root.rglob('meson.build')):
        if path.relative_to(root).parts[0].startswith('_'):
            continue
        for run in runs(path.read_text(encoding='utf-8').splitlines()):
            for (_, before), (number, name) in zip(run, run[1:]):
                if name <= before:
                    print(f'{path.relative_to(root)}:{number}: {name} belongs before {before}')
                    bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
