"""check-planted.py ROOT: each rule of the lints on includes, headers and templates is broken once
in a copy of the tree, and refused."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def include(header):
    return f'#include "{header}"\n'


# A lint, what is added to which files (or a text that stands for another one), and what it says
# then.
PLANTED = [
    ('circles', {'engine/core/rng.h': include('engine/core/names.h'),
                 'engine/core/names.h': include('engine/core/bytes.h'),
                 'engine/core/bytes.h': include('engine/core/key-sort.h'),
                 'engine/core/key-sort.h': include('engine/core/rng.h')},
     r'^4 sources include each other, at most 3: engine/core/bytes '),
    ('circles', {'engine/graph/graph.h': include('engine/machine/plan/plan.h')},
     r'^folders include each other: .*engine/graph.* engine/machine/plan'),
    ('layers', {'engine/graph/graph.h': include('engine/machine/plan/plan.h')},
     r'^engine/graph/graph.h: may not include engine/machine/plan/plan.h'),
    ('layers', {'engine/study/run/run.h': include('engine/learn/policy/network.h')},
     r'^ui/.*: may not see engine/learn/policy/network.h, which engine/study/run/run.h includes'),
    ('headers', {'engine/core/rng.h': ('rng.h: ', 'rng.h: what ')},
     r'^engine/core/rng.h: "what ...": open with a noun phrase, or a verb'),
    ('sizes', {'engine/core/rng.c': '/* */\n' * 1200},
     r'^engine/core/rng.c: \d+ lines, at most 1200'),
    ('merges', {'engine/session/session.h': ''.join(f'void goban_more_{i} (void);\n'
                                                    for i in range(99)),
                'ui/frame/site.c': 'goban_more_1 ();'},
     r'^engine/session: \d+ headers and functions with a single other user, at most \d+: '),
    ('idioms', {
        'app/lua/model/lua-node.c': 'static int\nget (lua_State *L)\n{\n'
                                    '  return (int) luaL_len (L, 1);\n}\n',
        'engine/core/error.h': '#define g_set_error(...) 0\n',
        'engine/core/names.h': 'typedef enum\n{\n  GOBAN_NEVER = FALSE,\n} GobanNever;\n',
        'engine/core/names.c': 'static void\ndrop (const char *a)\n{\n  g_free ((char *) a);\n}\n',
        'engine/core/rng.h': '/* Twice as many. */\nvoid goban_rng_take_many (int many);\n',
        'engine/core/rng.c': 'struct A\n{\n  int b; /* one\n            two */\n};\n',
        'ui/draw/pen.h': 'typedef struct\n{\n  int ' + ', '.join(f'a{i}' for i in range(21))
                         + ';\n} GobanLarge;\n',
        'ui/frame/site.h': 'struct _GobanWindow\n{\n  int ' + ', '.join(f'a{i}' for i in range(15))
                           + ';\n};\n',
        'app/cli/cli-fit.c': '/* Of a plan, its nodes. */\n',
    },
     r'^app/cli/cli-fit.c:\d+: a comment opens "Of"\n'
     r'app/cli: 1 such comments, at most 0\n'
     r'app/lua/model/lua-node.c:\d+: luaL_len runs code of a script: read raw\n'
     r'engine/core/error.h:\d+: g_set_error is a name of GLib\n'
     r'engine/core/names.c:\d+: frees what was cast: let the field own it\n'
     r'engine/core/names.h:\d+: GOBAN_NEVER: an enumeration begins with 0, not with FALSE\n'
     r'engine/core/rng.c:\d+: a comment of several lines stands above its field\n'
     r'engine/core/rng.h:\d+: goban_rng_take_many: take_ consumes, and its comment says what\n'
     r'ui/draw/pen.h:\d+: GobanLarge: 21 fields, at most 20\n'
     r'ui/frame/site.h:\d+: GobanWindow: 15 fields, at most 14'),
    ('templates', {
        'ui/panels/start-page.ui': ('id="recent_title"', 'id="recent_heading"'),
        'ui/dialogs/export-dialog.ui': ('"start_cb"', '"begin_cb"'),
        'ui/dialogs/preferences.ui': ('<item translatable="yes">', '<item>'),
        'ui/panels/legend.ui': ('<accessibility><property name="label" translatable="yes">',
                               '<accessibility><property name="label">'),
        'ui/panels/legend.c': ('"panels/legend.ui"', '"frame/header.ui"'),
        'ui/panels/task-choice.ui': ('</template>', ''),
        'ui/ui.gresource.xml': ('    <file>frame/header.ui</file>\n', ''),
    },
     r'^ui/ui.gresource.xml: not the .ui files of the tree, sorted: frame/header.ui\n'
     r'ui/panels/legend.c: loads frame/header.ui, which is not its own\n'
     r'ui/dialogs/export-dialog.ui: the source does not bind the handler begin_cb\n'
     r'ui/dialogs/export-dialog.ui: no signal has the handler start_cb, which the source binds\n'
     r'ui/dialogs/preferences.ui: "As the system" is not marked as translatable\n'
     r'ui/panels/legend.ui: legend.c does not load it\n'
     r'ui/panels/legend.ui: "Colour by" is not marked as translatable\n'
     r'ui/panels/start-page.ui: has no object "recent_title", which the source binds\n'
     r'ui/panels/start-page.ui: nothing uses the object "recent_heading"\n'
     r'ui/panels/task-choice.ui: mismatched tag'),
]


def change(text, added):
    return text.replace(*added, 1) if isinstance(added, tuple) else text + added


def run(root, copy, check):
    done = subprocess.run([sys.executable, root / f'scripts/dev/check-{check}.py', copy],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def copy_tree(root, copy):
    for top in ('engine', 'ui', 'app', 'tests', 'scripts'):
        shutil.copytree(root / top, copy / top, ignore=lambda folder, names: [
            name for name in names
            if '.' in name and not name.endswith(('.c', '.h', '.ui', '.gresource.xml'))])


def main(root):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        copy_tree(root, copy)
        for check, added, said in PLANTED:
            before = {path: (copy / path).read_text(encoding='utf-8') for path in added}
            for path, text in added.items():
                (copy / path).write_text(change(before[path], text), encoding='utf-8')
            code, output = run(root, copy, check)
            if code != 1 or not re.search(said, output, re.M):
                print(f'check-{check}.py did not refuse {added}:\n{output}')
                bad += 1
            for path, text in before.items():
                (copy / path).write_text(text, encoding='utf-8')
        for check in sorted({check for check, _, _ in PLANTED}):
            code, output = run(root, copy, check)
            if code != 0:
                print(f'check-{check}.py refuses the tree itself:\n{output}')
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
