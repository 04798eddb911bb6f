"""The includes of the tree, read once for the lints: folders, units and what they reach.

A unit is a source with its headers: x.c, x.h and x-private.h of one stem.
"""
import collections
import pathlib
import re

TOPS = ('engine', 'ui', 'app')
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def read(root):
    """The headers that each file of the three tops names, by the file's path from the root."""
    return {str(path.relative_to(root)): INCLUDE.findall(path.read_text(encoding='utf-8'))
            for top in TOPS for path in sorted((pathlib.Path(root) / top).rglob('*.[ch]'))}


def unit_of(path):
    return re.sub(r'(-private)?\.[ch]$', '', path)


def folder_of(path):
    return path.rpartition('/')[0]


def graph_of(files, name_of):
    """Who includes whom, where name_of() says what counts as one."""
    graph = collections.defaultdict(set)
    for path, headers in files.items():
        graph[name_of(path)].update(name_of(header) for header in headers if header in files)
    for name, others in graph.items():
        others.discard(name)
    return graph


def reached(files, path):
    """Every header that a file sees, with the file that names it first."""
    via = {}
    queue = [path]
    while queue:
        by = queue.pop(0)
        for header in files.get(by, ()):
            if header not in via:
                via[header] = by
                queue.append(header)
    return via


def circles(graph):
    """The strongly connected parts of more than one, each sorted (Tarjan, without recursion)."""
    index, low, on_stack = {}, {}, set()
    stack, found = [], []
    for start in sorted(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set(stack[stack.index(node):])
                    del stack[stack.index(node):]
                    on_stack -= part
                    if len(part) > 1:
                        found.append(sorted(part))
    return found
