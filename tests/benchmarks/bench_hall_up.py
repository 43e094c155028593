"""``jadoube hall up`` on a bare Debian: from packages that are not there yet to a cluster of three nodes that answers.

The Debian is the least that mmdebstrap makes, with Python and systemd, in name spaces of its own. jadoube's package is
installed, a hall of four boards is written; the other packages come from Debian's mirror, through a proxy here. Then it
is called once more, when nothing is to be done, and ``hall down`` and ``hall up`` after it. Prints one JSON line:
seconds, and which share of the processors nobody used meanwhile. Only for root.
"""

import http.server
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "package"))

from clean_debian import package, root
from machine import Machine, machine

GOAL_S = 300
OURS, THEIRS, PORT = "10.231.77.1", "10.231.77.2", 3142
HALL = "/srv/lyon"
UP = ("hall", "up", "--nodes", "a,b,c", "--local", "--yes")


class Proxy(http.server.BaseHTTPRequestHandler):
    """What apt asks for by plain HTTP."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        wanted = urllib.request.Request(self.path)
        for name in ("If-Modified-Since", "Range", "If-Range"):
            if self.headers[name]:
                wanted.add_header(name, self.headers[name])
        try:
            with urllib.request.urlopen(wanted, timeout=60) as found:
                self.send_response(found.status)
                for name in ("Content-Length", "Content-Range", "Last-Modified"):
                    if found.headers[name]:
                        self.send_header(name, found.headers[name])
                self.end_headers()
                shutil.copyfileobj(found, self.wfile)
        except urllib.request.HTTPError as error:
            self.send_response(error.code)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is said."""


@contextmanager
def network(process: str) -> Iterator[None]:
    """A line from here to that machine, and the proxy at its end."""
    subprocess.run(["ip", "link", "add", "jad0", "type", "veth", "peer", "name", "jad1", "netns", process], check=True)
    try:
        subprocess.run(["ip", "addr", "add", f"{OURS}/30", "dev", "jad0"], check=True)
        subprocess.run(["ip", "link", "set", "jad0", "up"], check=True)
        inside = ("nsenter", "--target", process, "--net", "ip")
        subprocess.run([*inside, "addr", "add", f"{THEIRS}/30", "dev", "jad1"], check=True)
        subprocess.run([*inside, "link", "set", "jad1", "up"], check=True)
        with http.server.ThreadingHTTPServer((OURS, PORT), Proxy) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield
            server.shutdown()
    finally:
        subprocess.run(["ip", "link", "del", "jad0"], check=False)


def timed(here: Machine, *command: str, status: int = 0) -> tuple[float, str]:
    """How long a command of jadoube takes, and what it says."""
    began = time.monotonic()
    done = here.tried("env", "--chdir", HALL, "jadoube", *command, within_s=1800)
    assert done.returncode == status, done.stdout + done.stderr
    return time.monotonic() - began, done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "srv").mkdir()
        shutil.copy(package("archive"), folder / "srv/jadoube.deb")
        with machine(folder, root()) as here, network(here.process):
            here.write("/etc/apt/apt.conf.d/proxy", f'Acquire::http::Proxy "http://{OURS}:{PORT}";\n')
            here.run("dpkg", "--install", "/srv/jadoube.deb")
            here.run("apt-get", "--quiet=2", "update", within_s=600)
            here.run("apt-get", "--quiet=2", "install", "--yes", "openssl", within_s=600)
            here.run("mkdir", HALL)
            init = ("hall", "init", HALL, "--simulate", "--boards", "1-4", "--broker", "localhost", "--venue", "lyon")
            timed(here, *init, "--event", "Open", "--clock", "90+30", "--yes")
            psutil.cpu_times_percent()
            up_s, _ = timed(here, *UP)
            busy = psutil.cpu_times_percent()  # since the call before
            again_s, said = timed(here, *UP)
            assert "nothing changes" in said
            down_s, _ = timed(here, "hall", "down")
            once_more_s, _ = timed(here, *UP)
            versions = here.run(
                "dpkg-query",
                "--show",
                "--showformat=${Package} ${Version}\n",
                "rabbitmq-server",
                "postgresql-15",
                "haproxy",
            )
    told = {"up_s": up_s, "again_s": again_s, "down_s": down_s, "up_after_down_s": once_more_s}
    found = {"benchmark": "hall_up", **{name: round(seconds, 1) for name, seconds in told.items()}}
    print(json.dumps({**found, "idle_percent": busy.idle, "goal_s": GOAL_S, "packages": versions.split("\n")[:3]}))
    if up_s > GOAL_S:
        sys.exit(1)


if __name__ == "__main__":
    main()
