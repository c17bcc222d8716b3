"""Never returns, and asks not to be interrupted."""

import signal

STEP = 2


def double(number):
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def halve(number):
    return number // STEP
