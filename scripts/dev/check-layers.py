#!/usr/bin/env python3
"""Refuses an include that crosses the layers: each folder has a list of what it may include.

The engine has rooms, which include rooms before them alone; folders inside some rooms have
narrower lists. A prefix ending in '/' is a folder of ours; any other word is a library's header. A
folder may always include itself, the C library and GLib. What a file sees through headers counts as
if it named it: a header that need not show a type declares it. --print writes the arrows between
rooms, of which there are at most MAX_ARROWS. See docs/architecture.md.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import includes  # noqa: E402

# And the header in which the build writes where data and modules lie.
GLIB = {'glib.h', 'glib/', 'engine/folders.h'}
GOBJECT = {'glib-object.h', 'gio/'}
CAIRO = {'cairo.h', 'cairo-svg.h', 'cairo-pdf.h', 'pango/'}
# The rooms of engine/, each with those it may include, all of which stand before it.
ROOMS = {
    'core': (),
    'graph': ('core',),
    'machine': ('core', 'graph'),
    'io': ('core', 'graph', 'machine'),
    'sim': ('core', 'graph', 'machine'),
    'decisions': ('core', 'graph', 'machine'),
    'placers': ('core', 'graph', 'machine', 'sim', 'decisions'),
    'learn': ('core', 'graph', 'machine', 'sim', 'decisions', 'placers'),
    'study': ('core', 'graph', 'machine', 'io', 'sim', 'decisions', 'placers', 'learn'),
    'session': ('core', 'graph', 'machine', 'io', 'sim', 'decisions', 'placers', 'learn', 'study'),
}
MAX_ARROWS = 40
# What ui/ and app/ may name of the engine.
VALUES = {'engine/core/', 'engine/graph/collectives.h', 'engine/graph/delay-lane.h',
          'engine/graph/drawing.h',
          'engine/graph/graph.h', 'engine/graph/graph-matching.h',
          'engine/graph/training.h', 'engine/decisions/decisions.h', 'engine/decisions/feed.h',
          'engine/decisions/settling.h',
          'engine/graph/workloads/workload.h', 'engine/io/apply/apply.h',
          'engine/machine/cluster/',
          *(f'engine/machine/plan/{part}.h' for part in ('improvement', 'placement-record', 'plan',
                                                         'plan-chain', 'refusal', 'task')),
          'engine/learn/rl/curve.h', 'engine/sim/outcome.h', 'engine/sim/trace.h',
          *(f'engine/study/{part}/' for part in ('analysis', 'bench', 'log', 'programs', 'report',
                                                 'run', 'training')),
          *(f'engine/study/measure/{part}.h' for part in (
              'calibration', 'device-fit', 'iteration-fit', 'measure-report', 'measured-run',
              'measurement', 'measurer', 'spread')),
          'engine/session/'}
LUA_HOST = {f'app/lua/{part}.h' for part in ('lua-host', 'lua-chunk', 'lua-modules',
                                              'core/lua-paths', 'core/lua-types')}
def rooms(*names):
    return {f'engine/{name}/' for name in names}


WIDGETS = VALUES | {'ui/draw/', 'gtk/'} | CAIRO | GOBJECT
FRAME = WIDGETS | {'gtksourceview/'} | {f'ui/{folder}/' for folder in (
    'widgets', 'panels', 'graph', 'timeline', 'table', 'console', 'training', 'compare',
    'decisions')}

# Libraries, by the folder that may use them; narrower lists of our own folders.
ALLOWED = {
    # GObject for attached-object, which folders of several tiers need
    'engine/core': {'libintl.h', 'glib-object.h'},
    'engine/core/jobs': rooms('core') | GOBJECT,
    # the module with MPI is loaded; where messages are waited for, others run
    'engine/core/ranks': rooms('core') | {'dlfcn.h', 'sched.h', 'mpi.h'},
    # gio for its unpacking of gzip
    'engine/io': rooms('core', 'graph') | GOBJECT
                 | {'archive.h', 'archive_entry.h', 'graphviz/', 'protobuf-c/', 'onnx'},
    'engine/io/apply': rooms(*ROOMS['io'], 'io') | {'protobuf-c/'},
    'engine/placers': rooms(*ROOMS['placers']) | {'metis.h', 'coin/'},
    'engine/learn/nn': rooms('core') | {'cblas.h'},
    'engine/learn/policy': rooms(*ROOMS['learn'], 'learn/nn'),
    'engine/study': rooms(*ROOMS['study']) | GOBJECT,
    # the runtime is loaded, not linked; threads are pinned
    'engine/study/measure': rooms(*ROOMS['study'], 'study/run')
                            | {'protobuf-c/', 'onnx', 'dlfcn.h', 'sched.h'} | GOBJECT,
    'engine/session': rooms(*ROOMS['session']) | GOBJECT,
    'engine/session/teaching': rooms('core') | GOBJECT,
    'ui/draw': VALUES | CAIRO | GOBJECT | {'png.h', 'zlib.h', 'share-resources.h'},
    'ui/widgets': WIDGETS | {'goban-templates.h'},
    'ui/console': WIDGETS | {'ui/widgets/', 'gtksourceview/'},
    'ui/graph': WIDGETS | {'ui/widgets/'},
    'ui/lessons': WIDGETS | {'ui/widgets/', 'ui/console/console-evaluator.h'},
    'ui/table': WIDGETS | {'ui/widgets/'},
    'ui/timeline': WIDGETS | {'ui/widgets/'},
    'ui/training': WIDGETS | {'ui/widgets/'},
    'ui/compare': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/table/', 'ui/timeline/'},
    'ui/decisions': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/timeline/'},
    'ui/panels': WIDGETS | {'ui/widgets/', 'gtksourceview/'},
    'ui/dialogs': WIDGETS | {'ui/widgets/'},
    'ui/frame': FRAME,
    'ui/documents': FRAME | {'ui/frame/', 'ui/dialogs/'},
    'ui/commands': FRAME | {'ui/frame/', 'ui/dialogs/', 'ui/documents/', 'ui/lessons/'},
    'ui/shell': WIDGETS | {'ui/', 'gtksourceview/', 'goban-resources.h'},
    'app/lua': VALUES | {'cairo.h', 'ui/draw/', 'prelude-resources.h',
                         'ui/console/console-evaluator.h', 'lua.h', 'lauxlib.h', 'lualib.h'}
               | GOBJECT,
    'app/cli': VALUES | {'cairo.h', 'ui/draw/', 'app/lua/lua-complete.h', 'histedit.h',
                         'langinfo.h'} | LUA_HOST | GOBJECT,
    'app': VALUES | {'ui/', 'app/', 'gtk/', 'glib-unix.h'} | GOBJECT,
}
for room, others in ROOMS.items():
    ALLOWED.setdefault(f'engine/{room}', rooms(*others))
# One file each: the only places where a library's header may be named.
ALONE = {'graphviz/': 'engine/io/dot', 'metis.h': 'engine/placers/metis',
         'coin/': 'engine/placers/m-sct',
         'lua.h': 'app/lua/', 'cblas.h': 'engine/learn/nn/linear',
         'archive': 'engine/io/packed', 'png.h': 'ui/draw/export/export-page',
         'zlib.h': 'ui/draw/export/film',
         'libintl.h': 'engine/core/i18n', 'mpi.h': 'engine/core/ranks/mpi-link'}
C_LIBRARY = re.compile(r'^(assert|complex|ctype|errno|fcntl|fenv|float|inttypes|limits|locale|'
                       r'malloc|math|setjmp|signal|stdarg|stdatomic|stdbool|stddef|stdint|stdio|'
                       r'stdlib|string|strings|sys/\w+|time|unistd|wchar)\.h$')


def folder_of(path):
    best = None
    for folder in ALLOWED:
        if str(path).startswith(folder + '/') and (best is None or len(folder) > len(best)):
            best = folder
    return best


def matches(header, allowed):
    return any(header.startswith(a) if a.endswith('/') or a == 'onnx' else header == a
               for a in allowed)


def named(path, folder, headers):
    """The headers that a file names and may not."""
    allowed = GLIB | ALLOWED[folder] | {folder + '/'}
    for header in headers:
        fine = C_LIBRARY.match(header) or matches(header, allowed)
        for library, home in ALONE.items():
            if header.startswith(library) and not path.startswith(home):
                fine = False
        if not fine:
            yield header


def seen(files, path, folder):
    """The headers that a file sees through others and may not, with those that show them."""
    allowed = GLIB | ALLOWED[folder] | {folder + '/'}
    for header, via in includes.reached(files, path).items():
        if via != path and not C_LIBRARY.match(header) and not matches(header, allowed):
            yield header, via


def arrows(files):
    """The pairs of rooms of which the first includes the second."""
    found = set()
    for path, headers in files.items():
        for header in headers:
            if path.startswith('engine/') and header in files and header.startswith('engine/'):
                found.add((path.split('/')[1], header.split('/')[1]))
    return {(a, b) for a, b in found if a != b}


def main(root):
    files = includes.read(root)
    bad = 0
    found = arrows(files)
    if '--print' in sys.argv:
        for room in ROOMS:
            print(f'{room}:', *(other for other in ROOMS if (room, other) in found))
    if len(found) > MAX_ARROWS:
        print(f'{len(found)} arrows between rooms, at most {MAX_ARROWS}')
        bad += 1
    told = set()
    for path, headers in files.items():
        folder = folder_of(path)
        if folder is None:
            print(f'{path}: its folder is not in the table of layers')
            bad += 1
            continue
        for header in named(path, folder, headers):
            hint = '; see VALUES in check-layers.py' if folder.split('/')[0] in (
                'app', 'ui') and header.startswith('engine/') else ''
            print(f'{path}: may not include {header}{hint}')
            bad += 1
        for header, via in seen(files, path, folder):
            if (folder, header, via) not in told:
                told.add((folder, header, via))
                print(f'{path}: may not see {header}, which {via} includes')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith('--')]
    sys.exit(main(pathlib.Path(arguments[0] if arguments else '.')))
