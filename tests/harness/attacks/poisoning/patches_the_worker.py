"""Makes the worker say goodbye to everything.

STOPPED BY: L0
"""

from harness.subject import worker

worker.Server.answer = lambda self, request: '{"id":%d,"ok":null}' % request["id"]


def double(number):
    return number


def halve(number):
    return number // 2
