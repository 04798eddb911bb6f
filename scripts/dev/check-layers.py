#!/usr/bin/env python3
"""Refuses an include that crosses the layers: each folder has a list of what it may include.

A prefix ending in '/' is a folder of ours; any other word is a library's header. A folder may
always include itself, the C library and GLib. What a file sees through headers counts as if it
named it: a header that need not show a type declares it. See the table in docs/architecture.md.
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
VALUES = {'engine/apply/apply.h', 'engine/base/', 'engine/ranks/',
          'engine/graph/graph.h',
          'engine/graph/training.h', 'engine/cluster/',
          'engine/plan/plan.h', 'engine/plan/decision.h', 'engine/plan/improvement.h',
          'engine/plan/placement-record.h', 'engine/plan/plan-chain.h', 'engine/plan/refusal.h',
          'engine/policy/decision-log.h', 'engine/policy/decision-record.h',
          'engine/policy/step-probabilities.h', 'engine/rl/curve.h',
          'engine/sim/trace.h', 'engine/workloads/workload.h', 'engine/run/',
          'engine/analysis/', 'engine/jobs/', 'engine/bench/', 'engine/training/',
          *(f'engine/measure/{part}.h' for part in ('calibration', 'hand-over', 'measure-report',
                                                   'measured-run', 'measurement', 'measurer',
                                                   'spread')),
          'engine/report/', 'engine/log/', 'engine/session/', 'engine/document/',
          'engine/teaching/'}
LUA_HOST = {f'app/lua/{part}.h' for part in ('lua-host', 'lua-chunk', 'lua-modules',
                                              'core/lua-paths', 'core/lua-types')}
BELOW_RUNS = {f'engine/{folder}/' for folder in (
    'base', 'ranks', 'graph', 'io', 'workloads', 'cluster', 'plan', 'parallel', 'fusion', 'sim',
    'placers', 'nn', 'policy', 'rl', 'roster')}
WIDGETS = VALUES | {'ui/draw/', 'gtk/'} | CAIRO | GOBJECT
FRAME = WIDGETS | {'gtksourceview/'} | {f'ui/{folder}/' for folder in (
    'widgets', 'panels', 'graph', 'timeline', 'table', 'console', 'training', 'compare', 'steps')}

ALLOWED = {
    # GObject for attached-object, which folders of several tiers need
    'engine/base': {'libintl.h', 'glib-object.h'},
    # the module with MPI is loaded; where messages are waited for, others run
    'engine/ranks': {'engine/base/', 'dlfcn.h', 'sched.h', 'mpi.h'},
    'engine/graph': {'engine/base/'},
    # gio for its unpacking of gzip
    'engine/io': {'engine/base/', 'engine/graph/', 'graphviz/', 'protobuf-c/', 'onnx'} | GOBJECT,
    'engine/workloads': {'engine/base/', 'engine/graph/'},
    'engine/cluster': {'engine/base/', 'engine/graph/collectives.h', 'engine/graph/graph.h'},
    'engine/plan': {'engine/base/', 'engine/graph/graph.h', 'engine/cluster/'},
    'engine/parallel': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/'},
    'engine/apply': {'engine/base/', 'engine/graph/graph.h', 'engine/cluster/', 'engine/plan/',
                     'engine/io/', 'engine/parallel/', 'protobuf-c/'},
    'engine/fusion': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/'},
    'engine/sim': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                   'engine/fusion/'},
    'engine/placers': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                       'engine/fusion/', 'engine/sim/', 'engine/parallel/', 'metis.h', 'coin/'},
    'engine/nn': {'engine/base/', 'cblas.h'},
    'engine/policy': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                      'engine/sim/', 'engine/placers/', 'engine/nn/'},
    'engine/rl': {'engine/base/', 'engine/ranks/', 'engine/graph/', 'engine/cluster/',
                  'engine/plan/', 'engine/fusion/', 'engine/sim/', 'engine/placers/', 'engine/nn/',
                  'engine/policy/', 'engine/workloads/'},
    'engine/roster': {'engine/base/', 'engine/graph/graph.h', 'engine/cluster/', 'engine/plan/',
                      'engine/placers/', 'engine/rl/'},
    'engine/run': BELOW_RUNS | GOBJECT,
    # the runtime is loaded, not linked; threads are pinned
    'engine/measure': BELOW_RUNS | {'engine/run/', 'protobuf-c/', 'onnx', 'dlfcn.h', 'sched.h'}
                      | GOBJECT,
    'engine/analysis': BELOW_RUNS | {'engine/run/'} | GOBJECT,
    'engine/jobs': {'engine/base/'} | GOBJECT,
    'engine/bench': BELOW_RUNS | {'engine/run/', 'engine/jobs/'} | GOBJECT,
    'engine/training': (BELOW_RUNS | {'engine/run/', 'engine/jobs/', 'engine/bench/'} | GOBJECT),
    'engine/report': (BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/bench/'} | GOBJECT),
    'engine/log': BELOW_RUNS | {'engine/run/', 'engine/analysis/'} | GOBJECT,
    'engine/session': (BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/log/',
                                     'engine/jobs/'} | GOBJECT),
    'engine/document': (BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/log/',
                                      'engine/jobs/', 'engine/session/'} | GOBJECT),
    'engine/teaching': {'engine/base/'} | GOBJECT,
    'ui/draw': VALUES | CAIRO | GOBJECT | {'png.h', 'share-resources.h'},
    'ui/widgets': WIDGETS | {'goban-templates.h'},
    'ui/console': WIDGETS | {'ui/widgets/', 'gtksourceview/'},
    'ui/graph': WIDGETS | {'ui/widgets/'},
    'ui/lessons': WIDGETS | {'ui/widgets/', 'ui/console/console-evaluator.h'},
    'ui/table': WIDGETS | {'ui/widgets/'},
    'ui/timeline': WIDGETS | {'ui/widgets/'},
    'ui/training': WIDGETS | {'ui/widgets/'},
    'ui/compare': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/table/', 'ui/timeline/'},
    'ui/steps': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/timeline/'},
    'ui/panels': WIDGETS | {'ui/widgets/', 'gtksourceview/'},
    'ui/dialogs': WIDGETS | {'ui/widgets/'},
    'ui/frame': FRAME,
    'ui/documents': FRAME | {'ui/frame/', 'ui/dialogs/'},
    'ui/commands': FRAME | {'ui/frame/', 'ui/dialogs/', 'ui/documents/', 'ui/lessons/'},
    'ui/shell': WIDGETS | {'ui/', 'gtksourceview/', 'goban-resources.h'},
    'app/lua': VALUES | {'cairo.h', 'ui/draw/', 'prelude-resources.h',
                         'ui/console/console-evaluator.h', 'lua.h', 'lauxlib.h', 'lualib.h'}
               | GOBJECT,
    'app/cli': VALUES | {'cairo.h', 'ui/draw/'} | LUA_HOST | GOBJECT,
    'app': VALUES | {'ui/', 'app/', 'gtk/', 'glib-unix.h'} | GOBJECT,
}
# One file each: the only places where a library's header may be named.
ALONE = {'graphviz/': 'engine/io/dot', 'metis.h': 'engine/placers/metis',
         'coin/': 'engine/placers/m-sct',
         'lua.h': 'app/lua/', 'cblas.h': 'engine/nn/gemm', 'png.h': 'ui/draw/export/export-png',
         'libintl.h': 'engine/base/i18n', 'mpi.h': 'engine/ranks/mpi-link'}
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


def main(root):
    files = includes.read(root)
    bad = 0
    told = set()
    for path, headers in files.items():
        folder = folder_of(path)
        if folder is None:
            print(f'{path}: its folder is not in the table of layers')
            bad += 1
            continue
        for header in named(path, folder, headers):
            print(f'{path}: may not include {header}')
            bad += 1
        for header, via in seen(files, path, folder):
            if (folder, header, via) not in told:
                told.add((folder, header, via))
                print(f'{path}: may not see {header}, which {via} includes')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
