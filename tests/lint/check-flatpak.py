#!/usr/bin/env python3
"""Compares the Flatpak manifest with what the build installs: check-flatpak.py ROOT

Ids and commands agree, and every source is one that cannot change: a checksum, or a commit.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

IDENTITY = 'org.goban.Goban'


def check_source(module, source):
    """Yields what is wrong with a source of a module."""
    kind = source.get('type')
    if kind == 'dir':
        if module != 'goban':
            yield f'{module}: only goban itself comes from a folder'
    elif not source.get('url', '').startswith('https://'):
        yield f'{module}: the address of a source begins with https://'
    elif kind == 'archive' and not re.fullmatch('[0-9a-f]{64}', source.get('sha256', '')):
        yield f'{module}: an archive needs its sha256'
    elif kind == 'git' and not re.fullmatch('[0-9a-f]{40}', source.get('commit', '')):
        yield f'{module}: a repository needs a commit'
    elif kind not in ('archive', 'git'):
        yield f'{module}: sources of type {kind} are not expected'


def check(root):
    """Yields what is wrong with the manifest."""
    path = root / 'data/flatpak' / (IDENTITY + '.json')
    manifest = json.loads(path.read_text(encoding='utf-8'))
    component = xml.parse(root / 'data' / (IDENTITY + '.metainfo.xml')).getroot()
    desktop = (root / 'data' / (IDENTITY + '.desktop')).read_text(encoding='utf-8')

    if manifest.get('id') != IDENTITY or component.findtext('id') != IDENTITY:
        yield f'the id of the manifest and of AppStream is {IDENTITY}'
    if f'Exec={manifest.get("command")} ' not in desktop:
        yield 'the command is not what the desktop file runs'
    if manifest.get('command') not in [b.text for b in component.iter('binary')]:
        yield 'the command is not a binary of AppStream'
    for key in ('runtime', 'runtime-version', 'sdk'):
        if not manifest.get(key):
            yield f'{key} is missing'

    modules = manifest.get('modules', [])
    if not modules or modules[-1].get('name') != 'goban':
        yield 'the last module is goban'
    for module in modules:
        if not module.get('sources'):
            yield f'{module.get("name")}: no sources'
        for source in module.get('sources', []):
            yield from check_source(module.get('name'), source)


def main(root):
    """Prints what is wrong; the exit code tells whether anything is."""
    problems = list(check(root))
    for problem in problems:
        print(f'data/flatpak/{IDENTITY}.json: {problem}')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1])))
