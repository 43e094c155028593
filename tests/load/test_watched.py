"""What a part takes is counted, also of what it starts and of what has ended, and what is no part is others'."""

import subprocess
import sys
import time

from load.watched import Watch

BUSY = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"


def busy(seconds: float) -> "subprocess.Popen[bytes]":
    """Takes so much of a processor, sleeps, and ends."""
    return subprocess.Popen([sys.executable, "-c", BUSY.format(seconds) + "time.sleep(3)"])


def test_what_has_ended_and_what_came_later_is_counted() -> None:
    processes: list[subprocess.Popen[bytes]] = []
    watch = Watch(lambda: {"part": [each.pid for each in processes]})
    for _ in range(2):
        processes.append(busy(0.5))
        processes[-1].wait()
    took = watch.look()
    assert 0.9 < took["cpu_s"]["part"] < 2


def test_what_nobody_owns_up_to_is_others() -> None:
    watch = Watch(dict)
    with busy(1.0):
        time.sleep(1)
    assert watch.look()["others_percent"] > 5
