#!/usr/bin/env python3
"""Refuses .ui files that do not agree with their source, their resource or the translations.

Each is listed in ui/ui.gresource.xml, sorted, and lies beside the C file of its name. The source
binds each child and each handler that the file has a name for, and no others. What people read is
marked translatable="yes", or "no" if it is the same in every language. Needs no display: a name
that only one side has fails here, on any machine.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree

LISTING = 'ui/ui.gresource.xml'
READ = {'label', 'title', 'tooltip-text', 'placeholder-text', 'text', 'tooltip-markup'}
SPOKEN = {'label', 'description', 'value-text', 'help-text', 'placeholder', 'role-description'}
CHILDREN = re.compile(r'GOBAN_TEMPLATE_(?:CHILDREN \(\s*\w+,\s*\w+|PART \(\s*\w+,\s*\w+,\s*\w+),'
                      r'([\w\s,]+)\)')
OTHER_CHILD = re.compile(r'GOBAN_TEMPLATE_BIND \(\s*\w+,\s*\w+,\s*"(\w+)"|'
                         r'goban_template_(?:get|take|load) \(\s*[^()]+,\s*"(\w+)"\)')
CALLBACKS = re.compile(r'GOBAN_TEMPLATE_CALLBACKS \(\s*\w+,([\w\s,]+)\)')
LOADED = re.compile(r'goban_template_(?:set|load) \([^"()]*"([^"]*)"')


def unmarked(tree):
    """Yields strings that people read and that are not marked either way."""
    for parent in tree.iter():
        for node in parent:
            is_read = (node.tag == 'item' and parent.tag == 'items'
                       or node.tag == 'attribute' and node.get('name') == 'label'
                       or node.tag == 'property' and node.get('name', '').replace('_', '-')
                       in (SPOKEN if parent.tag == 'accessibility' else READ))
            text = ''.join(node.itertext()).strip()
            if is_read and text and node.get('translatable') not in ('yes', 'no'):
                yield text


def names(pattern, code):
    """The names in the lists that @pattern finds."""
    return re.findall(r'\w+', ' '.join(pattern.findall(code)))


def disagreements(tree, code):
    """Yields what is named by the file and not by its source, or the other way round."""
    ids = {node.get('id') for node in tree.iter() if node.get('id')}
    used = {node.text for node in tree.iter('property')} | {
        node.get('bind-source') for node in tree.iter('property')}
    bound = set(names(CHILDREN, code)) | {a or b for a, b in OTHER_CHILD.findall(code)}
    handlers = {node.get('handler') for node in tree.iter('signal')} | {
        node.get('function') for node in tree.iter('closure')}
    callbacks = set(names(CALLBACKS, code))
    for name in sorted(bound - ids):
        yield f'has no object "{name}", which the source binds'
    for name in sorted(ids - bound - used):
        yield f'nothing uses the object "{name}"'
    for name in sorted(handlers - callbacks):
        yield f'the source does not bind the handler {name}'
    for name in sorted(callbacks - handlers):
        yield f'no signal has the handler {name}, which the source binds'
    template = tree.find('template')
    if template is not None and not re.search(
            rf'^G_DEFINE_\w+ \({template.get("class")},', code, re.M):
        yield f'the source does not define {template.get("class")}'


def check_file(path, name):
    source = path.with_suffix('.c')
    if not source.exists():
        yield f'there is no {source.name} beside it'
        return
    code = source.read_text(encoding='utf-8')
    if name not in LOADED.findall(code):
        yield f'{source.name} does not load it'
    try:
        tree = xml.etree.ElementTree.parse(path).getroot()
    except xml.etree.ElementTree.ParseError as error:
        yield str(error)
        return
    for text in unmarked(tree):
        yield f'"{text}" is not marked as translatable'
    yield from disagreements(tree, code)


def main(root):
    listed = re.findall(r'<file>(.*)</file>', (root / LISTING).read_text(encoding='utf-8'))
    files = sorted(path.relative_to(root / 'ui') for path in (root / 'ui').rglob('*.ui'))
    bad = 0
    if listed != [str(path) for path in files]:
        odd = sorted(set(listed) ^ {str(path) for path in files})
        print(f'{LISTING}: not the .ui files of the tree, sorted: {" ".join(odd)}')
        bad += 1
    for source in sorted((root / 'ui').rglob('*.c')):
        for name in LOADED.findall(source.read_text(encoding='utf-8')):
            own = source.with_suffix('.ui')
            if root / 'ui' / name != own or not own.exists():
                print(f'{source.relative_to(root)}: loads {name}, which is not its own')
                bad += 1
    for path in files:
        for fault in check_file(root / 'ui' / path, str(path)):
            print(f'ui/{path}: {fault}')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
