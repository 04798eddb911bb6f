"""Learns to place one graph by REINFORCE, in plain Python.

    goban-cli place samples/toy.dot --policy learner --evals 2000 \\
        --external learner='python3 scripts/agents/reinforce_agent.py'

A device d is drawn for node v with the probability softmax(w . x(v, d)); all nodes and devices
share the weights w. After each batch of rollouts w follows the gradient of their advantage over
the batch's mean, by Adam.
"""
import math
import random
import sys

from goban_agent import hello, receive, send

ROLLOUTS = 16
RATE = 0.05
N_FEATURES = 4


class Problem:
    """What the features need, from the arrays of the message."""

    def __init__(self, message):
        self.class_of = message['devices']['class']
        self.times = message['nodes']['time_us']
        self.n_nodes = len(self.times)
        finite = [t for row in self.times for t in row if t is not None]
        self.unit = sum(finite) / max(len(finite), 1) or 1.0
        self.tails = [[] for _ in self.times]
        for tail, head in zip(message['edges']['from'], message['edges']['to']):
            self.tails[head].append(tail)

    def features(self, node, free, inputs, mask, placed):
        """Of each open device: its index, and when the node would finish and wait there, its load,
        and the share of the node's producers that are there; times in mean times of an op."""
        rows = []
        for device, is_open in enumerate(mask):
            if is_open:
                start = max(free[device], inputs[device])
                finish = start + self.times[node][self.class_of[device]]
                here = sum(placed[tail] == device for tail in self.tails[node])
                rows.append((device, [finish, start - free[device], free[device],
                                      here / max(len(self.tails[node]), 1)]))
        for k in range(N_FEATURES - 1):
            least = min(x[k] for _, x in rows)
            for _, x in rows:
                x[k] = math.tanh((x[k] - least) / self.unit)
        return rows


class Weights:
    """Of the features, with Adam's moments."""

    def __init__(self):
        self.w = [0.0] * N_FEATURES
        self.m = [0.0] * N_FEATURES
        self.v = [0.0] * N_FEATURES
        self.n = 0

    def draw(self, rows, rng, gradient):
        """A device by lot; adds the gradient of its log-probability to @gradient."""
        logits = [sum(a * b for a, b in zip(self.w, x)) for _, x in rows]
        top = max(logits)
        odds = [math.exp(logit - top) for logit in logits]
        total = sum(odds)
        chosen = rng.choices(range(len(rows)), odds)[0]
        for k in range(N_FEATURES):
            mean = sum(p * x[k] for p, (_, x) in zip(odds, rows)) / total
            gradient[k] += rows[chosen][1][k] - mean
        return rows[chosen][0]

    def climb(self, slope):
        self.n += 1
        for k, g in enumerate(slope):
            self.m[k] = 0.9 * self.m[k] + 0.1 * g
            self.v[k] = 0.99 * self.v[k] + 0.01 * g * g
            m = self.m[k] / (1 - 0.9 ** self.n)
            v = self.v[k] / (1 - 0.99 ** self.n)
            self.w[k] += RATE * m / (math.sqrt(v) + 1e-8)


def learn(weights, gradients, result):
    """One step from the makespans of a batch; what exceeds the memory counts as twice as long."""
    costs = [makespan * (2 if overflow > 0 else 1)
             for makespan, overflow in zip(result['makespan_us'], result['overflow_bytes'])]
    mean = sum(costs) / len(costs)
    spread = math.sqrt(sum((c - mean) ** 2 for c in costs) / len(costs)) or 1.0
    slope = [sum((mean - c) / spread * gradient[k] for c, gradient in zip(costs, gradients))
             / len(costs) for k in range(N_FEATURES)]
    weights.climb(slope)
    return mean


def main():
    message = hello('step', rollouts=ROLLOUTS)
    problem, rng, weights = Problem(message), random.Random(message['seed']), Weights()
    step = receive()
    while step['type'] != 'end':
        n = len(step['mask'])
        gradients = [[0.0] * N_FEATURES for _ in range(n)]
        placed = [[-1] * problem.n_nodes for _ in range(n)]
        while step['type'] == 'step':
            node, devices = step['node'], []
            for k in range(n):
                if node > 0:
                    placed[k][node - 1] = step['taken'][k]
                rows = problem.features(node, step['free_us'][k], step['inputs_us'][k],
                                        step['mask'][k], placed[k])
                devices.append(weights.draw(rows, rng, gradients[k]))
            send(type='act', devices=devices)
            step = receive()
        if step['type'] == 'result':
            print('mean makespan %.1f us' % learn(weights, gradients, step), file=sys.stderr)
            step = receive()
    return 0


if __name__ == '__main__':
    sys.exit(main())
