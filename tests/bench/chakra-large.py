#!/usr/bin/env python3
"""chakra-large.py TWIN.json N: a Chakra execution trace of N nodes, as JSON, on standard output.

The trace is repeated with other ids until it has that many nodes: the same names, durations and
numbers of dependencies, as of a run with more steps.
"""
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    nodes, wanted = trace["workload_graph"], int(sys.argv[2])
    step = max(node["Id"] for node in nodes) + 1
    large = []
    while len(large) < wanted:
        shift = len(large) // len(nodes) * step
        for node in nodes[: wanted - len(large)]:
            copy = dict(node, Id=node["Id"] + shift)
            for key in ("data_deps", "ctrlDeps"):
                if key in node:
                    copy[key] = [i + shift for i in node[key]]
            large.append(copy)
    # A dependency of the last repetition may be on a node behind its end.
    known = {node["Id"] for node in large}
    for node in large:
        for key in ("data_deps", "ctrlDeps"):
            if key in node:
                node[key] = [i for i in node[key] if i in known]
    trace["workload_graph"] = large
    json.dump(trace, sys.stdout, indent=2)


main()
