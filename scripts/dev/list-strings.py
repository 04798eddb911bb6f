#!/usr/bin/env python3
"""Prints all translatable strings with their places, grouped, for a review of their wording.

    scripts/dev/list-strings.py [--odd] [FOLDER...]

Groups are folders, and in each: menu labels (with a mnemonic), short labels, phrases, sentences
(with a final period), and strings with a plural. --odd prints only strings that may break the
GNOME Human Interface Guidelines, each with the reason; a person decides. Needs gettext.
"""
import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile

N_SHORT = 3  # words of a short label
KINDS = ('menu labels', 'short labels', 'phrases', 'sentences', 'with a plural')
MNEMONIC = re.compile(r'(?<![\w{<])_[^\W\d_]|[^\W\d_]_[^\W\d_]')
QUOTED = re.compile(r'“[^”]*”|`[^`]*`|%[-+\d.*]*[lz]*[sdugfcxi]|\{[^}]*\}')
# Words that are capitalised anywhere: names, acronyms and the keys of the keyboard.
NAMES = re.compile(
    r'^(GO|HEFT|METIS|XLA|Lua|Perfetto|ONNX|Graphviz|PipeDream|MSR|STG|Moirai|SVG|PNG|PDF|CSV|JSON|'
    r'DOT|FIFO|PPO|CPU|GPU|FLOPs?|OpenGL|GTK|Goban|Markdown|Chrome|Ctrl|Shift|Alt|Enter|Esc|Escape|'
    r'Space|Home|End|F\d+|TensorFlow|Microsoft|REGAL|BRKGA|HDP|Placeto|English|UTF|HTML|P100s?|'
    r'V100s?|A4|X\d|Y\d|[A-Z]|[A-Z]{2,}\d*s?)$')


def unquote(lines):
    return ''.join(ast.literal_eval(line) for line in lines)


def entries(pot):
    """Yields (places, text, plural or None) of each message of a .pot file."""
    for block in pot.split('\n\n'):
        places = re.findall(r'(\S+:\d+)', ' '.join(re.findall(r'^#: (.*)$', block, re.M)))
        found = re.search(r'^msgid (".*"(?:\n".*")*)', block, re.M)
        text = unquote(found.group(1).split('\n')) if found else ''
        if not places or not text:
            continue
        found = re.search(r'^msgid_plural (".*"(?:\n".*")*)', block, re.M)
        yield places, text, unquote(found.group(1).split('\n')) if found else None


def kind_of(text, plural):
    if plural is not None:
        return 'with a plural'
    if text.rstrip().endswith('.'):
        return 'sentences'
    if MNEMONIC.search(text):
        return 'menu labels'
    return 'short labels' if len(text.split()) <= N_SHORT else 'phrases'


def oddities(place, text):
    """Reasons why a string may break the guidelines."""
    plain = QUOTED.sub('X', text).replace('_', '')
    words = plain.split()
    if '...' in text:
        yield 'three dots instead of …'
    if '"' in text:
        yield 'straight quotes'
    if text != text.strip():
        yield 'space at an end'
    if words and place.startswith('ui/') and re.match(r'[a-z]', words[0]):
        yield 'begins with a small letter'
    after_start = [re.sub(r"('s)?\W*$", '', word).lstrip('(')
                   for before, word in zip(words, words[1:])
                   if not before.endswith(('.', '?', '!', ':')) and re.match(r'\(?[A-Z]', word)]
    capitals = [word for word in after_start if not NAMES.match(word) and '+' not in word]
    if capitals and place.startswith(('ui/', 'app/')):
        yield 'capitals within: ' + ', '.join(capitals)
    inner = re.search(r'[.?!] \S', plain)
    if inner and place.startswith('ui/') and not plain.rstrip().endswith(('.', '?', '!', ':')):
        yield 'several sentences without a final period'
    if not inner and plain.rstrip().endswith('.') and len(words) < 7 and place.startswith('ui/'):
        yield 'a short label with a final period'


def make_pot():
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / 'goban.pot'
        subprocess.run(['scripts/dev/make-pot.sh', pot], check=True,
                       env={**os.environ, 'LOCATION': 'full'})
        return pot.read_text(encoding='utf-8')


def main(arguments):
    os.chdir(pathlib.Path(__file__).parents[2])
    only_odd = '--odd' in arguments
    wanted = tuple(a.rstrip('/') + '/' for a in arguments if not a.startswith('--'))
    groups = {}
    for places, text, plural in entries(make_pot()):
        place = places[0]
        if wanted and not place.startswith(wanted):
            continue
        reasons = list(oddities(place, text))
        if only_odd and not reasons:
            continue
        line = f'{place}: {text!r}' + (f' / {plural!r}' if plural else '')
        if len(places) > 1:
            line += f' (also {", ".join(places[1:])})'
        if only_odd:
            line += '  <- ' + '; '.join(reasons)
        folder = str(pathlib.PurePath(place).parent)
        groups.setdefault((folder, kind_of(text, plural)), []).append(line)
    for folder, kind in sorted(groups, key=lambda key: (key[0], KINDS.index(key[1]))):
        print(f'\n{folder}, {kind}:')
        for line in groups[folder, kind]:
            print('  ' + line)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
