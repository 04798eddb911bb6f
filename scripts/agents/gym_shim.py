"""An environment with Gymnasium's interface, for training loops that expect one.

    goban-cli place samples/toy.dot --policy gym --evals 200 \\
        --external gym='python3 scripts/agents/gym_shim.py'

The script is started by Goban and trains on the graph that it is given. A step places one node; the
reward is 0 until the last, and then minus the makespan in seconds. `info["mask"]` has 1 for each
device that may be chosen. Gymnasium itself is not needed; spaces have `n`, `shape` and `sample()`.
"""
import random
import sys

from goban_agent import hello, receive, send


class Discrete:
    """Devices as actions."""

    def __init__(self, n):
        self.n = n

    def sample(self, mask=None):
        return random.choice([a for a in range(self.n) if mask is None or mask[a]])


class Box:
    """Observations: for each device when it is free, when the inputs arrive, and the node's time
    there, in seconds; then whether it may be chosen."""

    def __init__(self, n_devices):
        self.shape = (4 * n_devices,)


class GobanEnv:
    """One rollout at a time. After the budget is spent, `is_over` is true and reset() raises
    StopIteration."""

    def __init__(self):
        self.problem = hello('step')
        self.class_of = self.problem['devices']['class']
        self.action_space = Discrete(len(self.class_of))
        self.observation_space = Box(len(self.class_of))
        self.is_over = False
        self.message = receive()

    def _observe(self):
        free, inputs = self.message['free_us'][0], self.message['inputs_us'][0]
        times = self.problem['nodes']['time_us'][self.message['node']]
        mask = self.message['mask'][0]
        own = [times[c] if times[c] is not None else 0.0 for c in self.class_of]
        return ([t * 1e-6 for t in free + inputs + own] + [float(m) for m in mask],
                {'mask': mask, 'node': self.message['node']})

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            random.seed(seed)
        if self.message['type'] != 'step':
            self.is_over = True
            raise StopIteration('the budget is spent')
        return self._observe()

    def step(self, action):
        send(type='act', devices=[int(action)])
        self.message = receive()
        if self.message['type'] == 'step':
            observation, info = self._observe()
            return observation, 0.0, False, False, info
        if self.message['type'] == 'end':  # stopped in the middle
            self.is_over = True
            return [0.0] * self.observation_space.shape[0], 0.0, False, True, {}
        result, self.message = self.message, receive()
        self.is_over = self.message['type'] == 'end'
        reward = -result['makespan_us'][0] * 1e-6
        return ([0.0] * self.observation_space.shape[0], reward, True, False,
                {'is_valid': result['overflow_bytes'][0] == 0})

    def close(self):
        if not self.is_over:
            send(type='end')


def main():
    """A loop as it stands in every tutorial, with actions by lot."""
    env = GobanEnv()
    random.seed(env.problem['seed'])
    while not env.is_over:
        observation, info = env.reset()
        has_ended = False
        while not has_ended:
            action = env.action_space.sample(info['mask'])
            observation, reward, terminated, truncated, info = env.step(action)
            has_ended = terminated or truncated
    env.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
