#!/usr/bin/env python3
"""Refuses lines of more than 100 columns in *.c, *.h, *.py, *.sh, *.lua, meson.build and scripts.

Excepted are lines that cannot be broken: a word of more than 60 columns (a URL, a path, a string
without spaces). Folders that are not clean yet have a bound, which may only fall: the number of
their long lines. --print writes the table as it should be.
"""
import pathlib
import sys

MAX_COLUMNS = 100
MAX_WORD = 60
SUFFIXES = ('.c', '.h', '.py', '.sh', '.lua')
TOPS = ('app', 'data', 'engine', 'po', 'samples', 'scripts', 'tests', 'ui')
# folder: long lines in its own files
BOUNDS = {
    'scripts': 3,
    'scripts/dev': 23,
    'tests/support': 1,
}


def is_source(path):
    if path.suffix in SUFFIXES or path.name == 'meson.build':
        return True
    return not path.suffix and path.parts[0] == 'scripts'


def is_long(line):
    return len(line) > MAX_COLUMNS and not any(
        len(word) > MAX_WORD and any(map(str.isalnum, word)) for word in line.split())


def count(root):
    """Long lines by folder: {folder: ["path:line", ...]}."""
    found = {}
    for path in sorted(path for top in TOPS for path in (root / top).rglob('*') if path.is_file()):
        name = path.relative_to(root)
        if not is_source(name):
            continue
        for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            if is_long(line):
                found.setdefault(str(name.parent), []).append(f'{name}:{number}')
    for number, line in enumerate((root / 'meson.build').read_text().splitlines(), 1):
        if is_long(line):
            found.setdefault('.', []).append(f'meson.build:{number}')
    return found


def main(root):
    found = count(root)
    if '--print' in sys.argv:
        for folder, lines in found.items():
            print(f"    '{folder}': {len(lines)},")
        return 0
    bad = 0
    for folder in sorted({*found, *BOUNDS}):
        lines, bound = found.get(folder, []), BOUNDS.get(folder, 0)
        if len(lines) > bound:
            print(f'{folder}: {len(lines)} lines of more than {MAX_COLUMNS} columns, '
                  f'at most {bound}; among them {", ".join(lines[:bound + 3])}')
        elif len(lines) < bound:
            print(f'{folder}: {len(lines)} long lines are left: lower its bound from {bound}')
        bad += len(lines) != bound
    return 1 if bad else 0


if __name__ == '__main__':
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith('--')]
    sys.exit(main(pathlib.Path(arguments[0] if arguments else '.')))
