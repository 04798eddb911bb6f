#!/usr/bin/env python3
"""Refuses names in README.md, CONTRIBUTING.md and docs/ that the tree no longer has.

Every path in backticks must exist, except placeholders with NAME or FOLDER. In the tour of the
code, docs/architecture.md, every function, written `name()` in `file`, must be in that file.
"""
import pathlib
import re
import sys

PATH = re.compile(r'`((?:\./)?(?:engine|ui|app|tests|scripts|data|samples|docs)/[\w./-]*)`')
FUNCTION = re.compile(r'`(\w+)\(\)`\s+in\s+`([\w./-]+)`')
ANY_FUNCTION = re.compile(r'`(goban_\w+)\(\)`')
TOUR = 'docs/architecture.md'
PLACEHOLDER = re.compile(r'NAME|FOLDER')


def missing_paths(root, text):
    for path in PATH.findall(text):
        if not PLACEHOLDER.search(path) and not (root / path).exists():
            yield f'there is no {path}'


def misplaced_functions(root, text):
    placed = FUNCTION.findall(text)
    for name, path in placed:
        file = root / path
        if file.exists() and not re.search(rf'\b{name}\b', file.read_text(encoding='utf-8')):
            yield f'{path} has no {name}()'
    for name in set(ANY_FUNCTION.findall(text)) - {name for name, _ in placed}:
        yield f'{name}() stands without its file: write `{name}()` in `FILE`'


def main(root):
    bad = 0
    for path in ['README.md', 'CONTRIBUTING.md', *sorted(
            str(path.relative_to(root)) for path in (root / 'docs').rglob('*.md'))]:
        text = (root / path).read_text(encoding='utf-8')
        found = list(missing_paths(root, text))
        if path == TOUR:
            found += misplaced_functions(root, text)
            found += [] if FUNCTION.search(text) else ['names no function']
        for complaint in found:
            print(f'{path}: {complaint}')
        bad += len(found)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
