#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of this assignment.
set -euo pipefail

# The Python that the grades were tried with: another one may judge another way.
python=python@PYTHON@
export DEBIAN_FRONTEND=noninteractive

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    apt-get update
    if ! apt-get install -y --no-install-recommends "$python" "$python-venv"; then
        apt-get install -y --no-install-recommends software-properties-common
        add-apt-repository -y ppa:deadsnakes/ppa
        apt-get update
        apt-get install -y --no-install-recommends "$python" "$python-venv"
    fi
fi

# requirements.txt names everything, so that pip has nothing to choose.
"$python" -m venv /autograder/venv
/autograder/venv/bin/python -m pip install --no-cache-dir --no-deps -r /autograder/source/requirements.txt

# An image that cannot grade must not be built.
cd /autograder
PYTHONPATH=/autograder/source/tokproof /autograder/venv/bin/python -P -m harness \
    --course /autograder/source/tokproof/course tests @MODULE@ >/dev/null
