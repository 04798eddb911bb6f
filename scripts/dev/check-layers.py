#!/usr/bin/env python3
"""Refuses an include that crosses the layers: each folder has a list of what it may include.

A prefix ending in '/' is a folder of ours; any other word is a library's header. A folder may
always include itself, the C library and GLib. See the table in engine/NOTES.md.
"""
import pathlib
import re
import sys

GLIB = {'glib.h', 'glib/'}
GOBJECT = {'glib-object.h', 'gio/'}
CAIRO = {'cairo.h', 'cairo-svg.h', 'cairo-pdf.h', 'pango/'}
VALUES = {'engine/base/', 'engine/graph/graph.h', 'engine/graph/training.h', 'engine/cluster/', 'engine/plan/plan.h',
          'engine/sim/trace.h', 'engine/workloads/workload.h', 'engine/run/', 'engine/analysis/', 'engine/jobs/',
          'engine/bench/', 'engine/training/', 'engine/report/', 'engine/session/', 'engine/document/'}
JSON = {'json-glib/'}
BELOW_RUNS = {f'engine/{folder}/' for folder in (
    'base', 'graph', 'io', 'workloads', 'cluster', 'plan', 'fusion', 'sim', 'placers', 'nn', 'policy', 'rl', 'roster')}
WIDGETS = VALUES | {'ui/draw/', 'gtk/'} | CAIRO | GOBJECT

ALLOWED = {
    'engine/base': JSON | {'libintl.h'},
    'engine/graph': {'engine/base/'},
    'engine/io': {'engine/base/', 'engine/graph/', 'graphviz/', 'protobuf-c/', 'onnx'} | JSON,
    'engine/workloads': {'engine/base/', 'engine/graph/'},
    'engine/cluster': {'engine/base/', 'engine/graph/graph.h'} | JSON,
    'engine/plan': {'engine/base/', 'engine/graph/graph.h', 'engine/cluster/'} | JSON,
    'engine/fusion': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/'},
    'engine/sim': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                   'engine/fusion/'} | JSON,
    'engine/placers': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                       'engine/fusion/', 'engine/sim/', 'metis.h', 'coin/'},
    'engine/nn': {'engine/base/', 'immintrin.h'},
    'engine/policy': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                      'engine/sim/', 'engine/placers/', 'engine/nn/'},
    'engine/rl': {'engine/base/', 'engine/graph/', 'engine/cluster/', 'engine/plan/',
                  'engine/fusion/', 'engine/sim/', 'engine/placers/', 'engine/nn/',
                  'engine/policy/', 'engine/workloads/'},
    'engine/roster': {'engine/base/', 'engine/placers/', 'engine/rl/'},
    'engine/run': BELOW_RUNS | GOBJECT | JSON,
    'engine/analysis': BELOW_RUNS | {'engine/run/'} | GOBJECT | JSON,
    'engine/jobs': {'engine/base/'} | GOBJECT,
    'engine/bench': BELOW_RUNS | {'engine/run/', 'engine/jobs/'} | GOBJECT | JSON,
    'engine/training': BELOW_RUNS | {'engine/run/', 'engine/jobs/', 'engine/bench/'} | GOBJECT | JSON,
    'engine/report': BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/bench/'} | GOBJECT | JSON,
    'engine/session': BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/jobs/'} | GOBJECT | JSON,
    'engine/document': BELOW_RUNS | {'engine/run/', 'engine/analysis/', 'engine/jobs/', 'engine/session/'}
                       | GOBJECT | JSON,
    'ui/draw': VALUES | CAIRO | {'png.h'},
    'ui/widgets': WIDGETS,
    'ui/console': WIDGETS | {'ui/widgets/', 'gtksourceview/'},
    'ui/graph': WIDGETS | {'ui/widgets/'},
    'ui/table': WIDGETS | {'ui/widgets/'},
    'ui/timeline': WIDGETS | {'ui/widgets/'},
    'ui/compare': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/table/', 'ui/timeline/'},
    'ui/steps': WIDGETS | {'ui/widgets/', 'ui/graph/', 'ui/timeline/'},
    'ui/shell': WIDGETS | {'ui/', 'gtksourceview/', 'goban-resources.h'},
    'app/lua': VALUES | {'ui/draw/', 'prelude-resources.h', 'ui/console/console-evaluator.h', 'lua.h', 'lauxlib.h', 'lualib.h'}
               | GOBJECT,
    'app/cli': VALUES | {'ui/draw/', 'app/lua/lua-host.h'} | GOBJECT,
    'app': VALUES | {'ui/', 'app/', 'gtk/', 'glib-unix.h'} | GOBJECT,
}
# One file each: the only places where a library's header may be named.
ALONE = {'graphviz/': 'engine/io/dot', 'metis.h': 'engine/placers/metis',
         'coin/': 'engine/placers/m-sct',
         'lua.h': 'app/lua/', 'immintrin.h': 'engine/nn/gemm', 'png.h': 'ui/draw/export-png',
         'libintl.h': 'engine/base/i18n'}
C_LIBRARY = re.compile(r'^(assert|complex|ctype|errno|fcntl|fenv|float|inttypes|limits|locale|malloc|'
                       r'math|setjmp|signal|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|'
                       r'string|strings|sys/\w+|time|unistd|wchar)\.h$')
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def folder_of(path):
    best = None
    for folder in ALLOWED:
        if str(path).startswith(folder + '/') and (best is None or len(folder) > len(best)):
            best = folder
    return best


def matches(header, allowed):
    return any(header.startswith(a) if a.endswith('/') or a == 'onnx' else header == a for a in allowed)


def main(root):
    bad = 0
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app')
                       for p in (root / top).rglob('*.[ch]')):
        folder = folder_of(path)
        if folder is None:
            print(f'{path}: its folder is not in the table of layers')
            bad += 1
            continue
        for header in INCLUDE.findall((root / path).read_text(encoding='utf-8')):
            allowed = GLIB | ALLOWED[folder] | {folder + '/'}
            fine = C_LIBRARY.match(header) or matches(header, allowed)
            for library, home in ALONE.items():
                if header.startswith(library) and not str(path).startswith(home):
                    fine = False
            if not fine:
                print(f'{path}: may not include {header}')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
