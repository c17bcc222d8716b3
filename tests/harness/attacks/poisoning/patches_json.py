"""Replaces the JSON module's functions in the worker.

STOPPED BY: L0
"""

import json

json.dumps = lambda *args, **kwargs: "6"
json.loads = lambda *args, **kwargs: {"id": 1}
json.JSONDecoder.decode = lambda self, text: {"id": 1, "bye": True}


def double(number):
    return number


def halve(number):
    return number // 2
