#!/usr/bin/env python3
"""Finds headers and global functions with a single other user: they belong into that user.

A user is a source with its headers (x.c, x.h, x-private.h). A contract with a test of its own
stays: a file of tests/ includes the header and calls the function, or one function of the header.
So does a method of an opaque type, which alone sees the fields, and what EXCEPTIONS names. Each
room has a bound, which may only fall.

--list ROOM prints what is found in a room (or a folder of it); --print the table of bounds as it
should be.
"""
import collections
import pathlib
import re
import sys

import includes

# Fewer than the bound by more than these: lower it.
SLACK = 10
# How many there are in a room, at most.
BOUNDS = {
    'app': 1,
    'app/cli': 10,
    'app/lua': 124,
    'engine/core': 8,
    'engine/decisions': 7,
    'engine/graph': 14,
    'engine/io': 49,
    'engine/learn': 81,
    'engine/machine': 29,
    'engine/placers': 14,
    'engine/session': 40,
    'engine/sim': 15,
    'engine/study': 77,
    'ui/commands': 7,
    'ui/compare': 6,
    'ui/console': 13,
    'ui/decisions': 1,
    'ui/dialogs': 3,
    'ui/documents': 6,
    'ui/draw': 84,
    'ui/frame': 4,
    'ui/graph': 40,
    'ui/lessons': 1,
    'ui/panels': 5,
    'ui/shell': 3,
    'ui/table': 3,
    'ui/timeline': 40,
    'ui/training': 3,
    'ui/widgets': 8,
}
# A header, or a function, and why it stays although one other file uses it.
EXCEPTIONS = {
    'engine/core/ranks/ranks-start.h': 'MPI is loaded by the engine, whichever program asks',
    'goban_graph_scene_new_empty': 'tests of painters fill their scenes by hand',
    'goban_outline_is_within': 'what goban_outline_meet() promises is said with it',
    'goban_timeline_describe_difference': 'the words that a picture of words cannot be tested by',
}
# An object's life has all its functions, whoever calls them.
LIFE = re.compile(r'_(new|copy|ref|unref|free|clear|init|get_type|error_quark)$')
DEFINITION = re.compile(r'^(\w+) \(', re.M)
STRUCT = re.compile(r'^struct _?(\w+)\n\{', re.M)
COMMENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def room_of(path):
    return '/'.join(path.split('/')[:2]) if path.count('/') > 1 else path.split('/')[0]


def read_code(root, top):
    """The text of each C file without its comments and strings."""
    return {str(path.relative_to(root)):
            COMMENT.sub(lambda m: ' ' if m[0].startswith('/*') else '""',
                        path.read_text(encoding='utf-8'))
            for path in sorted((root / top).rglob('*.[ch]'))}


def declared(text):
    """The functions that a header declares or defines, with their declaration."""
    text = re.sub(r'^\s*#.*$', '', text.replace('\\\n', ' '), flags=re.M)
    inner = None
    while inner != text:
        inner, text = text, re.sub(r'\{[^{}]*\}', ';', text)
    found = {}
    for statement in text.split(';'):
        if statement.strip().startswith('typedef'):
            continue
        statement = re.sub(r'\b[A-Z][A-Z0-9_]+ \([^()]*\)', '', statement)
        match = re.search(r'(?<![\w(*])\*?([a-z]\w*) \(', statement)
        if match:
            found[match.group(1)] = statement[match.end():]
    return found


def find(root):
    """(path, what is found) of every header and function with less than two other users."""
    code = {}
    for top in includes.TOPS:
        code.update(read_code(root, top))
    tests = read_code(root, 'tests')
    named = {path: set(includes.INCLUDE.findall((root / path).read_text(encoding='utf-8')))
             for path in [*code, *tests]}
    words = {path: set(re.findall(r'\w+', text)) for path, text in [*code.items(), *tests.items()]}
    homes = {name: includes.unit_of(path) for path, text in code.items() if path.endswith('.c')
             for name in DEFINITION.findall(text)}
    opaque = {name: includes.unit_of(path) for path, text in code.items()
              if path.endswith(('.c', '-private.h')) for name in STRUCT.findall(text)}
    users = collections.defaultdict(set)
    for path in code:
        for word in words[path]:
            users[word].add(path)
    tested = collections.defaultdict(set)
    for path in tests:
        for header in named[path]:
            tested[header] |= words[path]

    for path in (path for path in code if path.endswith('.h') and path not in EXCEPTIONS):
        functions = declared(code[path])
        calls = set(functions) & tested[path]
        own = includes.unit_of(path)
        others = sorted({includes.unit_of(user) for user in code if path in named[user]} - {own})
        if len(others) < 2 and not calls and (own + '.c' in code or others):
            yield path, f'only {others[0]} includes it' if others else 'only its own source uses it'
            continue
        for name, parameters in functions.items():
            home = homes.get(name, own)
            if (name in calls or name in EXCEPTIONS or LIFE.search(name)
                    or any(opaque.get(type_) == home for type_ in re.findall(r'\w+', parameters))):
                continue
            others = sorted({includes.unit_of(user) for user in users[name] - {path}} - {home})
            if len(others) < 2:
                yield path, f'{name}: ' + (f'only {others[0]} uses it' if others else
                                           'no other file uses it')


def main(root, room=None, is_table=False):
    found = collections.defaultdict(list)
    for path, said in find(root):
        found[room_of(path)].append((path, said))
    if room:
        for path, said in (pair for pairs in found.values() for pair in pairs):
            if path.startswith(room.rstrip('/') + '/'):
                print(f'{path}: {said}')
        return 0
    if is_table:
        for name in sorted(found):
            print(f"    '{name}': {len(found[name])},")
        return 0
    bad = 0
    for name in sorted({*found, *BOUNDS}):
        count, bound = len(found[name]), BOUNDS.get(name, 0)
        if count > bound:
            print(f'{name}: {count} headers and functions with a single other user, at most '
                  f'{bound}: merge yours into its user (check-merges.py --list {name} names them)')
        elif count < bound - SLACK:
            print(f'{name}: {count} are left: lower its bound from {bound} in check-merges.py')
        bad += not bound - SLACK <= count <= bound
    for name in EXCEPTIONS:
        if name.endswith('.h') and not (root / name).exists():
            print(f'{name}: is gone: take it out of the exceptions in check-merges.py')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    arguments = sys.argv[1:]
    listed = arguments.index('--list') if '--list' in arguments else None
    chosen = arguments[listed + 1] if listed is not None else None
    rest = [a for i, a in enumerate(arguments)
            if not a.startswith('--') and (listed is None or i != listed + 1)]
    sys.exit(main(pathlib.Path(rest[0] if rest else '.'), chosen, '--print' in arguments))
