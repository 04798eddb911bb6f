#!/usr/bin/env python3
"""Refuses decisions in NOTES.md files that are misnumbered, too long, or cited but missing.

An entry is a paragraph "**E12. Title** (2026-11, `file`) text". In each NOTES.md the numbers of a
letter are 1, 2, 3 ... without gaps, in order; a letter belongs to one file. An entry has at most
100 words, names an existing file and says when to revisit it. Citations are "decision E12"
anywhere, and "E12" within NOTES.md files. A bare number in brackets elsewhere is refused, because
nobody could find it. Entries that no source cites are counted: the bound may only fall; --uncited
prints them.
"""
import pathlib
import re
import sys

MAX_WORDS = 100
MAX_UNCITED = 0
ENTRY = re.compile(r'^\*\*([A-Z])(\d+)\. ')
HEAD = re.compile(r'^\*\*[A-Z]\d+\. [^*]+\*\* \(\d{4}-\d\d, `([^`]+)`\)')
CITATION = re.compile(r'\bdecisions?\s+([A-Z]\d{1,3}\b(?:(?:,\s*|\s+and\s+)[A-Z]\d{1,3}\b)*)', re.I)
TOPS = ('app', 'data', 'docs', 'engine', 'samples', 'scripts', 'tests', 'ui')
SUFFIXES = ('.c', '.h', '.py', '.sh', '.lua', '.md', '.build', '.css')


def paragraphs(text):
    """Yields (line number, text) of each paragraph."""
    number, lines = 1, []
    for i, line in enumerate([*text.splitlines(), ''], 1):
        if line.strip():
            number = number if lines else i
            lines.append(line)
        elif lines:
            yield number, '\n'.join(lines)
            lines = []


def read_entries(root, path, owners):
    """Yields complaints about the entries of a file, and adds them to owners: entry -> path."""
    counts = {}
    for number, paragraph in paragraphs((root / path).read_text(encoding='utf-8')):
        match = ENTRY.match(paragraph)
        if not match:
            continue
        letter, index = match.group(1), int(match.group(2))
        name = letter + str(index)
        where = f'{path}:{number}: {name}'
        counts[letter] = counts.get(letter, 0) + 1
        if index != counts[letter]:
            yield f'{where}: the next one is {letter}{counts[letter]}'
            counts[letter] = index
        if owners.setdefault(name, path) != path:
            yield f'{where} stands in {owners[name]} already'
        n_words = len(paragraph.split())
        if n_words > MAX_WORDS:
            yield f'{where}: {n_words} words, at most {MAX_WORDS}'
        head = HEAD.match(paragraph)
        if not head:
            yield f'{where}: does not begin with "**{name}. Title** (YEAR-MONTH, `file`)"'
        elif not (root / head.group(1)).is_file():
            yield f'{where}: there is no {head.group(1)}'
        if not re.search(r'Revisit\s+(when|with)\b', paragraph):
            yield f'{where}: does not say "Revisit when ..."'


def citations(path, text, letters):
    """Yields (line number, entry) of each citation; the entry is None if it is bare."""
    for match in CITATION.finditer(text):
        for name in re.findall(r'[A-Z]\d+', match.group(1)):
            yield text.count('\n', 0, match.start()) + 1, name
    if path.name == 'NOTES.md':
        for match in re.finditer(rf'(?<!\*\*)\b[{letters}]\d{{1,3}}\b', text):
            yield text.count('\n', 0, match.start()) + 1, match.group()
    else:
        for match in re.finditer(rf'\([{letters}]\d{{1,3}}\)', text):
            yield text.count('\n', 0, match.start()) + 1, None


def main(root):
    owners, found = {}, []
    for path in sorted(path.relative_to(root) for path in root.glob('*/NOTES.md')):
        found += read_entries(root, path, owners)
    letters = ''.join(sorted({name[0] for name in owners}))
    sources = [path for top in TOPS for path in (root / top).rglob('*') if path.suffix in SUFFIXES]
    cited = set()
    for path in sorted([*sources, *root.glob('*.md'), root / 'meson.build']):
        name = path.relative_to(root)
        for number, entry in citations(path, path.read_text(encoding='utf-8'), letters):
            if entry is None:
                found.append(f'{name}:{number}: write "decision" before the number of an entry')
            elif entry not in owners:
                found.append(f'{name}:{number}: there is no decision {entry}')
            elif path.suffix != '.md':
                cited.add(entry)
    for complaint in found:
        print(complaint)
    uncited = sorted(set(owners) - cited, key=lambda name: (name[0], int(name[1:])))
    if '--uncited' in sys.argv:
        print(*uncited)
    if len(uncited) != MAX_UNCITED:
        found.append(f'{len(uncited)} entries are cited nowhere')
        print(f'{len(uncited)} entries are cited nowhere (--uncited), not {MAX_UNCITED}: cite them '
              'from the code they explain, or lower MAX_UNCITED')
    return 1 if found or not owners else 0


if __name__ == '__main__':
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith('--')]
    sys.exit(main(pathlib.Path(arguments[0] if arguments else '.')))
