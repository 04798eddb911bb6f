#!/usr/bin/env python3
"""Refuses names in docs/architecture.md that the tree no longer has.

Every path in backticks must exist, except placeholders with NAME or FOLDER. Every function, written `name()` in `file`, must be
in that file.
"""
import pathlib
import re
import sys

PATH = re.compile(r'`((?:engine|ui|app|tests|scripts)/[\w./-]*)`')
FUNCTION = re.compile(r'`(\w+)\(\)`\s+in\s+`([\w./-]+)`')
ANY_FUNCTION = re.compile(r'`(goban_\w+)\(\)`')
PLACEHOLDER = re.compile(r'NAME|FOLDER')


def complaints(root, text):
    for path in PATH.findall(text):
        if not PLACEHOLDER.search(path) and not (root / path).exists():
            yield f'there is no {path}'
    placed = FUNCTION.findall(text)
    for name, path in placed:
        file = root / path
        if file.exists() and not re.search(rf'\b{name}\b', file.read_text(encoding='utf-8')):
            yield f'{path} has no {name}()'
    for name in set(ANY_FUNCTION.findall(text)) - {name for name, _ in placed}:
        yield f'{name}() stands without its file: write `{name}()` in `FILE`'


def main(root):
    text = (root / 'docs/architecture.md').read_text(encoding='utf-8')
    found = list(complaints(root, text))
    for complaint in found:
        print(f'docs/architecture.md: {complaint}')
    return 1 if found or not FUNCTION.search(text) else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
