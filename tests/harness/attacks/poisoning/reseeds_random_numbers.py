"""Seeds the random numbers and stops the clocks, so that the same input comes again.

STOPPED BY: L0
"""

import random
import time

random.seed(0)
random.random = lambda: 0.0
random.getrandbits = lambda bits: 0
time.monotonic = time.time = time.perf_counter = lambda: 0.0


def double(number):
    return number


def halve(number):
    return number // 2
