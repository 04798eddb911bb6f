"""Draws a device for every node, colocation groups together: the plans of the policy random.

    goban-cli place samples/toy.dot --policy lot \\
        --external lot='python3 scripts/agents/random_agent.py'

With the same seed its first plan is that of `--policy random`; in a search it goes on drawing.
"""
import sys

from goban_agent import Rng, hello, open_devices, receive, send


def draw(problem, units, rng):
    """A device for each unit, in the order of their first nodes."""
    devices = [0] * len(problem['nodes']['group'])
    for unit in units:
        shared = set(open_devices(problem, unit[0]))
        for node in unit[1:]:
            shared &= set(open_devices(problem, node))
        choices = sorted(shared)
        device = choices[rng.below(len(choices))]
        for node in unit:
            devices[node] = device
    return devices


def main():
    problem = hello('plan')
    units, of_group = [], {}
    for node, group in enumerate(problem['nodes']['group']):
        if group < 0 or group not in of_group:
            of_group[group] = len(units)
            units.append([node])
        else:
            units[of_group[group]].append(node)
    rng = Rng(problem['seed'])
    while True:
        send(type='plan', devices=draw(problem, units, rng))
        answer = receive()
        if answer['type'] == 'end' or not answer['more']:
            return 0


if __name__ == '__main__':
    sys.exit(main())
