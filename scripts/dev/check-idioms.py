#!/usr/bin/env python3
"""Refuses idioms of C that mislead a reader.

A macro over a name of GLib; an enumeration value that is FALSE or TRUE; freeing what was cast,
because the field should own it; a function named take_ whose comment does not say that it consumes
something; a field's comment of several lines beside it rather than above; in ui/, structs of more
than 20 fields, 14 in the window, the parent and a template's widgets among them; and in app/lua,
calls by which a binding would run a script's code (decision A16, app/NOTES.md). The library that
scripts call, which holds nothing, and the host may; elsewhere "runs Lua:" in a comment right before
the call says why nothing borrowed is held.

A comment begins with what it is about: "The bytes of a plan", not "Of a plan, ...", "Those of",
"Behind", "What is" or "Where". Folders that still have such comments have a bound, which may only
fall.
"""
import pathlib
import re
import sys

RIDDLE = re.compile(r'(?:/\*|^\s*(?:--|#))\s*(Of|Those|Behind|What is|Where)\b(?!.*\?)', re.M)
RIDDLES = {
    'tests/bench': 2,
    'tests/cli': 4,
    'tests/core': 5,
    'tests/draw': 7,
    'tests/fuzz': 3,
    'tests/graph': 4,
    'tests/io': 16,
    'tests/learn': 24,
    'tests/placers': 10,
    'tests/session': 14,
    'tests/sim': 3,
    'tests/study': 16,
    'tests/support': 2,
    'tests/ui': 41,
}
MAX_FIELDS, MAX_WINDOW_FIELDS = 20, 14
MACRO = re.compile(r'^#\s*define\s+(g_\w+)', re.M)
BOOLEAN = re.compile(r'^\s+([A-Z]\w+) = (?:FALSE|TRUE)\b', re.M)
FREED = re.compile(r'\b(?:g_free|g_strfreev|\w+_(?:free|unref)) '
                   r'\(\((?:gpointer|[\w ]+\*+)\) ?[\w&(]')
TAKES = re.compile(r'^[\w *]*?\b(\w+_take_\w+) \(', re.M)
CONSUMES = re.compile(r'transfer full|frees?\b|[Tt]akes|[Cc]onsumes')
BESIDE = re.compile(r';[ \t]+/\*(?:(?!\*/).)*\n')
RUNS_LUA = re.compile(r'\b(luaL_tolstring|luaL?_(?:arith|callk?|callmeta|compare|getfield|'
                      r'getglobal|getsubtable|geti|gettable|len|pcallk?|setglobal|seti|settable)) \(')
LUA_ITSELF = re.compile(r'app/lua/(lua-(chunk|complete|guest|host|prelude)\.c|'
                        r'core/lua-(coroutine|handle|pattern|sandbox|table|unknown|work)\.c)')
STRUCT = re.compile(r'^(?:typedef )?struct(?: (\w+))?\n\{\n(.*?)^\}(?: (\w+))?;', re.M | re.S)


def comment_before(text, at):
    """The comment above the declaration that begins at @at, which may stand above several."""
    end = text.rfind('*/', 0, at)
    return text[text.rfind('/*', 0, end):end] if end >= 0 else ''


def count_fields(body):
    body = re.sub(r'/\*.*?\*/', '', body, flags=re.S)
    inner = None
    while inner != body:
        inner, body = body, re.sub(r'\{[^{}]*\}|\([^()]*\)', '', body)
    return sum(1 + field.count(',') for field in body.split(';') if field.strip())


def misleading(path, text):
    """Yields (place in the text, complaint)."""
    for found in MACRO.finditer(text):
        yield found.start(), f'{found[1]} is a name of GLib'
    for found in BOOLEAN.finditer(text):
        yield found.start(1), f'{found[1]}: an enumeration begins with 0, not with FALSE'
    for found in FREED.finditer(text) if path.parts[0] != 'tests' else ():
        yield found.start(), 'frees what was cast: let the field own it'
    for found in BESIDE.finditer(text):
        yield found.start(), 'a comment of several lines stands above its field'
    for found in TAKES.finditer(text) if path.suffix == '.h' else ():
        if not CONSUMES.search(comment_before(text, found.start())):
            yield found.start(1), f'{found[1]}: take_ consumes, and its comment says what'
    is_binding = path.parts[:2] == ('app', 'lua') and not LUA_ITSELF.fullmatch(path.as_posix())
    for found in RUNS_LUA.finditer(text) if is_binding else ():
        if not any('runs Lua: ' in line for line in text[:found.start()].split('\n')[-4:-1]):
            yield found.start(), f'{found[1]} runs code of a script: read raw'
    for found in STRUCT.finditer(text) if path.parts[0] == 'ui' else ():
        name = (found[1] or found[3] or '').lstrip('_')
        most = MAX_WINDOW_FIELDS if name == 'GobanWindow' else MAX_FIELDS
        n_fields = count_fields(found[2])
        if n_fields > most:
            yield found.start(), f'{name}: {n_fields} fields, at most {most}'


def riddles(root):
    """Complaints about folders that have more, or fewer, comments of the dialect than their bound."""
    found = {}
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app', 'tests', 'scripts')
                       for p in (root / top).rglob('*')
                       if p.suffix in ('.c', '.h', '.lua', '.sh') or 'scripts' == p.parent.name):
        if (root / path).is_file():
            text = (root / path).read_text(encoding='utf-8')
            for hit in RIDDLE.finditer(text):
                line = text.count('\n', 0, hit.start(1)) + 1
                folder = '/'.join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]
                found.setdefault(folder, []).append(f'{path}:{line}: a comment opens "{hit[1]}"')
    for folder in sorted({*found, *RIDDLES}):
        lines, bound = found.get(folder, []), RIDDLES.get(folder, 0)
        if len(lines) > bound:
            yield from lines
            yield f'{folder}: {len(lines)} such comments, at most {bound}'
        elif len(lines) < bound and '--bounds' in sys.argv:
            yield f'{folder}: {len(lines)} are left: lower its bound from {bound}'


def main(root):
    bad = 0
    for complaint in riddles(root):
        print(complaint)
        bad += 1
    for path in sorted(p.relative_to(root) for top in ('engine', 'ui', 'app', 'tests')
                       for p in (root / top).rglob('*.[ch]')):
        text = (root / path).read_text(encoding='utf-8')
        for place, complaint in misleading(path, text):
            print(f'{path}:{text.count(chr(10), 0, place) + 1}: {complaint}')
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else '.')))
