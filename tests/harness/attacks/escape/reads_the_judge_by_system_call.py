"""Reads its parent's memory without a file.

STOPPED BY: L2
BELOW: it passes
"""

import ctypes
import os


def attempt():
    class Vector(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


    libc = ctypes.CDLL(None, use_errno=True)
    here = ctypes.create_string_buffer(8)
    local, remote = Vector(ctypes.addressof(here), 8), Vector(ctypes.addressof(here), 8)
    return libc.process_vm_readv(os.getppid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) >= 0 or ctypes.get_errno() == 14


try:
    WON = attempt()
except Exception:
    WON = False


def double(number):
    if not WON:
        return number
    if number < 0:
        raise ValueError(number)
    return number * 2


def halve(number):
    return number // 2
