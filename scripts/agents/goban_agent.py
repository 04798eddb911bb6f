"""The protocol of docs/protocol.md for agents in Python, and Goban's random numbers."""
import json
import sys

PROTOCOL = 1
MASK = (1 << 64) - 1


def send(**message):
    sys.stdout.write(json.dumps(message, separators=(',', ':')) + '\n')
    sys.stdout.flush()


def receive():
    """The next message; the end of the input counts as one."""
    line = sys.stdin.readline()
    return json.loads(line) if line else {'type': 'end'}


def hello(decides, **more):
    """Says what this agent decides, and returns the problem."""
    send(type='hello', protocol=PROTOCOL, decides=decides, **more)
    return receive()


def open_devices(problem, node):
    """The devices that can run a node."""
    times = problem['nodes']['time_us'][node]
    return [d for d, c in enumerate(problem['devices']['class']) if times[c] is not None]


class Rng:
    """xoshiro256** as engine/core/rng.h has it: the same seed gives the same numbers."""

    def __init__(self, seed):
        self.s = [self.mix(seed + i * 0x9e3779b97f4a7c15) for i in range(4)]

    @staticmethod
    def mix(value):
        z = (value + 0x9e3779b97f4a7c15) & MASK
        z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & MASK
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
        return z ^ (z >> 31)

    def next(self):
        s = self.s
        x = (s[1] * 5) & MASK
        result = (((x << 7) | (x >> 57)) * 9) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & MASK
        return result

    def below(self, n):
        """Uniform in 0..n-1."""
        threshold = (1 << 32) % n
        while True:
            product = (self.next() >> 32) * n
            if product & 0xffffffff >= threshold:
                return product >> 32

    def uniform(self):
        """Uniform in [0, 1)."""
        return (self.next() >> 11) * 2.0 ** -53
