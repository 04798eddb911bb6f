#!/usr/bin/env python3
"""Refuses headers that do not open with "NAME: " and a noun phrase.

The opening sentence names what the module is or does, in at most two lines: "history.h: undo and
redo stacks of immutable session states." Openings such as "what ..." or "how ..." are riddles.
"""
import pathlib
import re
import sys

MAX_LINES = 2
RIDDLES = re.compile(r'(what|whatever|how|however|where|wherever|when|whenever|who|whoever|whom|'
                     r'whose|which|whether|why|if|of|is|are|does|do|as|not|no)\b', re.I)


def opening(text):
    """The lines of the first comment up to the end of its first paragraph, without the marks."""
    match = re.search(r'/\*(.*?)\*/', text, re.S)
    lines = []
    for line in match.group(1).splitlines() if match else []:
        line = re.sub(r'^\s*\* ?', '', line).strip()
        if not line:
            break
        lines.append(line)
    return lines


def complaint(name, lines):
    """What is wrong with an opening, else None."""
    if not lines or not lines[0].startswith(name + ': '):
        return f'its first comment does not open with "{name}: "'
    sentence = lines[0].removeprefix(name + ': ')
    if RIDDLES.match(sentence):
        return f'"{sentence.split()[0]} ...": open with a noun phrase, or a verb'
    ends = [i for i, line in enumerate(lines) if re.search(r'[.?!](\s|$)', line)]
    end = ends[0] if ends else len(lines) - 1
    if end >= MAX_LINES:
        return f'its opening sentence takes {end + 1} lines, at most {MAX_LINES}'
    return None


def main(root):
    bad = 0
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app', 'tests')
                       for p in (root / top).rglob('*.h')):
        said = complaint(path.name, opening((root / path).read_text(encoding='utf-8')))
        if said:
            print(f'{path}: {said}')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
