#!/usr/bin/env python3
"""Refuses headers that do not open with "NAME: " and a noun phrase, or have over 15 functions.

The opening sentence names what the module is or does, in at most two lines: "history.h: undo and
redo stacks of immutable session states." Openings such as "what ..." or "how ..." are riddles.
Functions are those that a header declares or defines, private headers included. Exceptions may
only shrink: one that allows more than there are fails, too.
"""
import pathlib
import re
import sys

MAX_LINES = 2
RIDDLES = re.compile(r'(what|whatever|how|however|where|wherever|when|whenever|who|whoever|whom|'
                     r'whose|which|whether|why|if|of|is|are|does|do|as|not|no)\b', re.I)
MAX_FUNCTIONS = 15
# How many functions these headers may have, and why.
EXCEPTIONS = {
    'engine/study/analysis/difference/difference.h': (16, 'a value and its fields'),
    'engine/core/json-reader.h': (34, 'a getter for each kind of value'),
    'engine/machine/cluster/cluster.h': (21, 'a value and its fields'),
    'engine/machine/cluster/cost-model.h': (25, 'a value and its fields'),
    'engine/session/document/session-file.h': (22, 'a value that is written, read and opened'),
    'engine/graph/graph-builder.h': (18, 'one step of building a graph each'),
    'engine/graph/graph.h': (26, 'a value and its fields'),
    'engine/io/onnx/onnx-ops.h': (20, 'one rule of shapes and work each'),
    'engine/learn/nn/params.h': (25, 'a table of tensors: fields, arrays and file'),
    'engine/machine/plan/placement-record.h': (20, 'a value and its fields'),
    'engine/machine/plan/plan.h': (30, 'a value: its fields read and set'),
    'engine/study/report/report.h': (18, 'one report each, as text and as JSON'),
    'engine/learn/rl/curriculum.h': (20, 'four lists, each added to and read'),
    'engine/learn/rl/go/problem.h': (18, 'a value and its fields'),
    'engine/study/run/run.h': (18, 'a value and its fields'),
    'engine/session/state.h': (16, 'a value: its fields read and set'),
    'engine/sim/trace.h': (22, 'a value and its fields'),
    'engine/graph/workloads/tape-ops.h': (40, 'a language: one function an operation'),
    'engine/graph/workloads/tape.h': (23, 'the words of that language that operations are made of'),
    'ui/draw/palette.h': (16, 'the colours of a theme and their contrast'),
    'ui/draw/pen.h': (26, 'one drawing interface, which every painter uses as a whole'),
}
# Larger than they should be; only to shrink.
TO_SHRINK = {
    'ui/graph/graph-view-private.h': 33,
    'ui/timeline/timeline-view-private.h': 39,
}


def functions(text):
    """The names of the functions that a header declares or defines."""
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S).replace('\\\n', ' ')
    text = re.sub(r'^\s*#.*$', '', text, flags=re.M)
    inner = None
    while inner != text:
        inner, text = text, re.sub(r'\{[^{}]*\}', ';', text)
    names = []
    for statement in text.split(';'):
        if statement.strip().startswith('typedef'):
            continue
        statement = re.sub(r'\b[A-Z][A-Z0-9_]+ \([^()]*\)', '', statement)
        found = re.search(r'(?<![\w(*])\*?([a-z]\w*) \(', statement)
        if found:
            names.append(found.group(1))
    return names


def crowd(path, text):
    """What is wrong with the number of a header's functions, else None."""
    n = len(functions(text))
    most = EXCEPTIONS[path][0] if path in EXCEPTIONS else TO_SHRINK.get(path, MAX_FUNCTIONS)
    if n > most:
        return f'{n} functions, at most {most}: a header for each part of it'
    if most > MAX_FUNCTIONS and n < most:
        return f'{n} functions: lower its bound of {most} in check-headers.py'
    return None


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
        text = (root / path).read_text(encoding='utf-8')
        crowded = None if path.parts[0] == 'tests' else crowd(str(path), text)
        for said in complaint(path.name, opening(text)), crowded:
            if said:
                print(f'{path}: {said}')
                bad += 1
    for path in [*EXCEPTIONS, *TO_SHRINK]:
        if not (root / path).exists():
            print(f'{path}: is gone: take it out of the list in check-headers.py')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
