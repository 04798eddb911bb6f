#!/usr/bin/env python3
"""Refuses a glossary that is unsorted, repeats a term, or names a file or term that does not exist.

docs/glossary.md is a list of "### term" headings, each with a text that names the defining header
in backticks. Links such as [slack](#slack) must lead to a term of the glossary.
"""
import pathlib
import re
import sys

TERM = re.compile(r'^### (.+)$', re.M)
PATH = re.compile(r'`((?:engine|ui|app|tests|scripts|data|docs)/[\w./-]+)`')
LINK = re.compile(r'\]\(#([^)]*)\)')
AFTER_TERMS = '\n## '


def anchor(term):
    """The anchor that a heading gets on code hosting sites."""
    return re.sub(r'[^a-z0-9 -]', '', term.lower()).replace(' ', '-')


def complaints(root, text):
    terms = TERM.findall(text)
    for before, after in zip(terms, terms[1:]):
        if before.lower() >= after.lower():
            yield f'"{after}" stands after "{before}": terms are sorted, each once'
    anchors = {anchor(term) for term in terms}
    for link in LINK.findall(text):
        if link not in anchors:
            yield f'#{link} is not a term'
    for path in PATH.findall(text):
        if not (root / path).exists():
            yield f'there is no {path}'
    for term, entry in zip(terms, TERM.split(text)[2::2]):
        if not PATH.search(entry.split(AFTER_TERMS)[0]):
            yield f'"{term}" names no file that defines it'


def main(root):
    text = (root / 'docs/glossary.md').read_text(encoding='utf-8')
    found = list(complaints(root, text))
    for complaint in found:
        print(f'docs/glossary.md: {complaint}')
    return 1 if found or not TERM.search(text) else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
