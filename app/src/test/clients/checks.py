"""What the scripts in Python share: checks that are counted, and the words of the command line.

Each script is called with HOST:PORT ANN BOB PASSWORD, of two users who have signed up. It prints each failing check with
its call and answer, then "N checks, M failed". It fails when one does.
"""

import os
import sys

HOST, ANN, BOB, PASSWORD = sys.argv[1:5]
PATIENCE = 15  # seconds, for what reaches others through the queue

checks = 0
failed = 0


def report(call, answer):
    global failed
    failed += 1
    print(f"FAILED  {call}\n  answer: {answer}")


def check(call, ask, holds=lambda answer: True):
    """The call answers, and what it answers is right; the answer, None when there was none."""
    global checks
    checks += 1
    answer = None
    try:
        answer = ask()
        if not holds(answer):
            report(call, answer)
    except Exception as cause:  # Whatever it is, it is the answer.
        report(call, repr(cause) if answer is None else f"{cause!r} in {answer!r}")
    return answer


def refused(call, ask, error):
    """The call raises this error."""
    global checks
    checks += 1
    try:
        report(call, ask())
    except error:
        pass
    except Exception as cause:
        report(call, repr(cause))


def run(script):
    """Runs the script and ends the process, with the threads of its streams."""
    global checks
    try:
        script()
    except Exception as cause:  # What a failed check should have given is missing further on.
        checks += 1
        report("the rest of the script", repr(cause))
    print(f"{checks} checks, {failed} failed", flush=True)
    os._exit(1 if failed else 0)
