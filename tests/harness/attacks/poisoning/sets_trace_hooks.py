"""Sets trace and profile hooks that change what its caller sees.

STOPPED BY: L0
"""

import sys
import threading


def hook(frame, event, argument):
    if "result" in frame.f_locals:
        frame.f_locals["result"] = -6
    return hook


sys.settrace(hook)
sys.setprofile(hook)
threading.settrace(hook)


def double(number):
    return number


def halve(number):
    return number // 2
