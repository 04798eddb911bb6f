#!/usr/bin/env python3
"""Joins C sources for the compiler, about six at once.

join-sources.py --names PREFIX SOURCE...   prints the names of the units that they need, and a spare
join-sources.py UNIT... -- SOURCE...       writes the units; one that would be as before is left

The declarations of GLib and GTK, half of what a source costs the compiler, are read once for all of
a unit. Sources that give one name to different things, or of which one names something as another
does a type, come into different units.
"""
import functools
import os
import re
import sys

# The code's style: a function's name begins its line, what else is the file's own begins with
# static, typedef or a brace that closes a type. Nothing may be missed: two variables without values
# and of one name would be the same to the compiler.
DEFINED = re.compile(r'''
    ^([a-z]\w*)\ \(
  | ^(?:typedef|static)\ [^;={]*?\(\*(\w+)\)
  | ^typedef\ [^;{(]*?\b(\w+);
  | ^\}\ (\w+);
  | ^(?:typedef\ )?(?:struct|union|enum)\ (\w+)\s*\{
''', re.MULTILINE | re.VERBOSE)
VARIABLES = re.compile(r'^static ([^;={(]*)[;=]', re.MULTILINE)
DECLARED = re.compile(r'(\w+)(?:\[[^\]]*\])*\s*(?:,|$)')
ENUM = re.compile(r'^(?:typedef )?enum(?: \w+)?\s*\{(.*?)\}', re.MULTILINE | re.DOTALL)
MACRO = re.compile(r'^# *define (\w+)', re.MULTILINE)
MOST = 6
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
COMMENT = re.compile(r'/\*.*?\*/', re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
INCLUDED = re.compile(r'^#include "(.*)"', re.MULTILINE)


def read(path):
    with open(path, encoding='utf-8') as file:
        return COMMENT.sub(' ', file.read())


def defined_in(text):
    names = {name for found in DEFINED.findall(text) for name in found if name}
    for variables in VARIABLES.findall(text):
        names.update(DECLARED.findall(variables.strip()))
    for body in ENUM.findall(text):
        names.update(re.findall(r'(\w+)\s*(?:=[^,]*)?(?:,|$)', body.strip()))
    return names


@functools.cache
def names_of_header(path):
    """What it defines without the program's prefix; nothing of one that is made by the build."""
    if not os.path.exists(path):
        return set()
    return {name for name in defined_in(read(path)) if not name.lower().startswith('goban')}


class Source:
    def __init__(self, path):
        text = read(path)
        self.path = path
        self.words = set(re.findall(r'\w+', STRING.sub('', text)))
        self.macros = sorted(set(MACRO.findall(text)))
        self.defined = defined_in(text)
        self.types = {name for name in self.defined if not name[0].islower()}
        self.taken = set().union(*(names_of_header(os.path.join(ROOT, header))
                                   for header in INCLUDED.findall(text)))

    def goes_with(self, other):
        return not (self.defined & (other.defined | other.taken)
                    or self.taken & other.defined
                    or self.types & other.words or other.types & self.words)


def join(paths):
    units = []
    for path in paths:
        source = Source(path)
        for unit in units:
            if len(unit) < MOST and all(source.goes_with(other) for other in unit):
                unit.append(source)
                break
        else:
            units.append([source])
    return units


def write(output, unit):
    text = ''.join(f'#include "{os.path.abspath(source.path)}"\n'
                   + ''.join(f'#undef {macro}\n' for macro in source.macros) for source in unit)
    try:
        with open(output, encoding='utf-8') as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(output, 'w', encoding='utf-8') as file:
        file.write(text)


def main():
    if sys.argv[1] == '--names':
        for i in range(len(join(sys.argv[3:])) + 1):
            print(f'{sys.argv[2]}-{i}.c')
        return
    middle = sys.argv.index('--')
    outputs = sys.argv[1:middle]
    units = join(sys.argv[middle + 1:])
    if len(units) > len(outputs):
        sys.exit('Names have changed so that more units are needed: run meson setup --reconfigure')
    for output, unit in zip(outputs, units + [[]] * (len(outputs) - len(units))):
        write(output, unit)


main()
