#!/usr/bin/env python3
"""Refuses includes that lead back to where they began.

Units are a source with its headers (x.c, x.h, x-private.h). At most three units of a folder may
include each other, and folders never. The exceptions may only shrink: one that is larger than
need be fails, too.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
import includes  # noqa: E402

MAX_UNITS = 3
# A folder, or the top of several: the largest circle of units that there still is.
UNITS = {}
# The folders of a circle that there still is, of which no more may be in one.
FOLDERS = set()


def is_in(unit, place):
    return unit.startswith(place + '/')


def check_units(files):
    largest = dict.fromkeys(UNITS, 0)
    for circle in includes.circles(includes.graph_of(files, includes.unit_of)):
        if len(circle) <= MAX_UNITS:
            continue
        home = next((place for place in UNITS if all(is_in(unit, place) for unit in circle)), None)
        if home is not None:
            largest[home] = max(largest[home], len(circle))
        if home is None or len(circle) > UNITS[home]:
            most = UNITS.get(home, MAX_UNITS)
            yield f'{len(circle)} sources include each other, at most {most}: ' + ' '.join(circle)
    for place, size in largest.items():
        if size < UNITS[place]:
            yield f'{place}: its largest circle has {size} sources: lower its bound of {UNITS[place]}'


def check_folders(files):
    left = set()
    for circle in includes.circles(includes.graph_of(files, includes.folder_of)):
        left |= set(circle)
        if not set(circle) <= FOLDERS:
            yield f'folders include each other: {" ".join(circle)}'
    if FOLDERS - left:
        yield 'no longer in a circle, to be removed here: ' + ' '.join(sorted(FOLDERS - left))


def main(root):
    files = includes.read(root)
    bad = [*check_units(files), *check_folders(files)]
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
