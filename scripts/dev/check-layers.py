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
VALUES = {'engine/io/apply/apply.h', 'engine/core/', 'engine/core/ranks/',
          'engine/graph/graph.h',
          'engine/graph/training.h', 'engine/machine/cluster/',
          'engine/machine/plan/plan.h', 'engine/machine/plan/decision.h', 'engine/machine/plan/improvement.h',
          'engine/machine/plan/placement-record.h', 'engine/machine/plan/plan-chain.h', 'engine/machine/plan/refusal.h',
          'engine/learn/policy/decision-log.h', 'engine/learn/policy/decision-record.h',
          'engine/learn/policy/step-probabilities.h', 'engine/learn/rl/curve.h',
          'engine/sim/trace.h', 'engine/graph/workloads/workload.h', 'engine/study/run/',
          'engine/study/analysis/', 'engine/core/jobs/', 'engine/study/bench/', 'engine/study/training/',
          *(f'engine/study/measure/{part}.h' for part in ('calibration', 'hand-over', 'measure-report',
                                                   'measured-run', 'measurement', 'measurer',
                                                   'spread')),
          'engine/study/report/', 'engine/study/log/', 'engine/session/', 'engine/session/document/',
          'engine/session/teaching/'}
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
    'engine/core': {'libintl.h', 'glib-object.h'},
    # the module with MPI is loaded; where messages are waited for, others run
    'engine/core/ranks': {'engine/core/', 'dlfcn.h', 'sched.h', 'mpi.h'},
    'engine/graph': {'engine/core/'},
    # gio for its unpacking of gzip
    'engine/io': {'engine/core/', 'engine/graph/', 'graphviz/', 'protobuf-c/', 'onnx'} | GOBJECT,
    'engine/graph/workloads': {'engine/core/', 'engine/graph/'},
    'engine/machine/cluster': {'engine/core/', 'engine/graph/collectives.h', 'engine/graph/graph.h'},
    'engine/machine/plan': {'engine/core/', 'engine/graph/graph.h', 'engine/machine/cluster/'},
    'engine/machine/parallel': {'engine/core/', 'engine/graph/', 'engine/machine/cluster/', 'engine/machine/plan/'},
    'engine/io/apply': {'engine/core/', 'engine/graph/graph.h', 'engine/machine/cluster/', 'engine/machine/plan/',
                     'engine/io/', 'engine/machine/parallel/', 'protobuf-c/'},
    'engine/sim/fusion': {'engine/core/', 'engine/graph/', 'engine/machine/cluster/', 'engine/machine/plan/'},
    'engine/sim': {'engine/core/', 'engine/graph/', 'engine/machine/cluster/', 'engine/machine/plan/',
                   'engine/sim/fusion/'},
    'engine/placers': {'engine/core/', 'engine/graph/', 'engine/machine/cluster/', 'engine/machine/plan/',
                       'engine/sim/fusion/', 'engine/sim/', 'engine/machine/parallel/', 'metis.h', 'coin/'},
    'engine/learn/nn': {'engine/core/', 'cblas.h'},
    'engine/learn/policy': {'engine/core/', 'engine/graph/', 'engine/machine/cluster/', 'engine/machine/plan/',
                      'engine/sim/', 'engine/placers/', 'engine/learn/nn/'},
    'engine/learn/rl': {'engine/core/', 'engine/core/ranks/', 'engine/graph/', 'engine/machine/cluster/',
                  'engine/machine/plan/', 'engine/sim/fusion/', 'engine/sim/', 'engine/placers/', 'engine/learn/nn/',
                  'engine/learn/policy/', 'engine/graph/workloads/'},
    'engine/learn': {'engine/core/', 'engine/graph/graph.h', 'engine/machine/cluster/', 'engine/machine/plan/',
                      'engine/placers/', 'engine/learn/rl/'},
    'engine/study/run': BELOW_RUNS | GOBJECT,
    # the runtime is loaded, not linked; threads are pinned
    'engine/study/measure': BELOW_RUNS | {'engine/study/run/', 'protobuf-c/', 'onnx', 'dlfcn.h', 'sched.h'}
                      | GOBJECT,
    'engine/study/analysis': BELOW_RUNS | {'engine/study/run/'} | GOBJECT,
    'engine/core/jobs': {'engine/core/'} | GOBJECT,
    'engine/study/bench': BELOW_RUNS | {'engine/study/run/', 'engine/core/jobs/'} | GOBJECT,
    'engine/study/training': (BELOW_RUNS | {'engine/study/run/', 'engine/core/jobs/', 'engine/study/bench/'} | GOBJECT),
    'engine/study/report': (BELOW_RUNS | {'engine/study/run/', 'engine/study/analysis/', 'engine/study/bench/'} | GOBJECT),
    'engine/study/log': BELOW_RUNS | {'engine/study/run/', 'engine/study/analysis/'} | GOBJECT,
    'engine/session': (BELOW_RUNS | {'engine/study/run/', 'engine/study/analysis/', 'engine/study/log/',
                                     'engine/core/jobs/'} | GOBJECT),
    'engine/session/document': (BELOW_RUNS | {'engine/study/run/', 'engine/study/analysis/', 'engine/study/log/',
                                      'engine/core/jobs/', 'engine/session/'} | GOBJECT),
    'engine/session/teaching': {'engine/core/'} | GOBJECT,
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
         'lua.h': 'app/lua/', 'cblas.h': 'engine/learn/nn/gemm', 'png.h': 'ui/draw/export/export-png',
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
