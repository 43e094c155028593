"""A real Chromium without a window, driven by the DevTools protocol: for the tests of the pages and their screenshots.

The protocol: https://chromedevtools.github.io/devtools-protocol/ (domains Target, Page, Runtime, Network, Emulation,
Input). Messages are JSON over one WebSocket; each page has a session on it.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
]
ANSWER_S = 20.0
START_S = 60.0


class BrowserError(Exception):
    """What the browser, or a script in a page, complained of."""


class Browser:
    """A running Chromium; see :func:`connected`."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._pages: dict[str, Page] = {}
        self._reading = asyncio.create_task(self._read())

    async def open(self, url: str, width: int = 1280, height: int = 800, **media: str) -> "Page":
        """A page of that size in CSS pixels, in a profile of its own, loaded. ``media``: ``prefers_color_scheme`` …"""
        context = (await self.call("Target.createBrowserContext", disposeOnDetach=True))["browserContextId"]
        target = await self.call("Target.createTarget", url="about:blank", browserContextId=context)
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page = self._pages[attached["sessionId"]] = Page(self, attached["sessionId"])
        for domain in ("Page", "Runtime", "Network", "Log"):
            await page.call(f"{domain}.enable")
        await page.resize(width, height)
        await page.prefer(**media)
        await page.go(url)
        return page

    async def call(self, method: str, session: str | None = None, **given: Any) -> Any:
        """Raises :exc:`BrowserError` for what is refused."""
        number = next(self._numbers)
        waiting = self._answers[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": given} | ({"sessionId": session} if session else {})
        await self._line.send(json.dumps(message))
        answer = await asyncio.wait_for(waiting, ANSWER_S)
        del self._answers[number]
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def _read(self) -> None:
        async for text in self._line:
            message = json.loads(text)
            if "id" in message:
                if (waiting := self._answers.get(message["id"])) is not None and not waiting.done():
                    waiting.set_result(message)
            elif (page := self._pages.get(message.get("sessionId", ""))) is not None:
                page.hear(message["method"], message["params"])


class Page:
    """One page. ``complaints``: what its scripts threw, and what the browser refused to load or to run."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.complaints: list[str] = []
        self.asked: list[str] = []  #: the addresses that it has loaded something from
        self._browser = browser
        self._session = session
        self._loaded = asyncio.Event()

    async def call(self, method: str, **given: Any) -> Any:
        return await self._browser.call(method, self._session, **given)

    async def go(self, url: str) -> None:
        """Loads another address."""
        self._loaded.clear()
        await self.call("Page.navigate", url=url)
        await asyncio.wait_for(self._loaded.wait(), ANSWER_S)

    async def js(self, script: str) -> Any:
        """The value of an expression, of a promise what it becomes. Raises :exc:`BrowserError` for what it throws."""
        said = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            raise BrowserError(said["exceptionDetails"].get("exception", {}).get("description", str(said)))
        return said["result"].get("value")

    async def until(self, script: str, within: float = 30.0) -> Any:
        """Waits until an expression is true, and returns its value."""
        loop = asyncio.get_running_loop()
        end = loop.time() + within  # a time-out from outside may be lost in what Python 3.11 waits for within
        while loop.time() < end:
            with contextlib.suppress(BrowserError):  # in between two pages
                if value := await self.js(script):
                    return value
            await asyncio.sleep(0.02)
        text = await self.js("document.body.innerText")
        raise BrowserError(f"never true: {script}\ncomplaints: {self.complaints}\n{text}")

    async def sees(self, text: str, within: float = 30.0) -> None:
        """Waits until the page shows this text."""
        await self.until(f"document.body.innerText.includes({json.dumps(text)})", within)

    async def click(self, selector: str, text: str = "") -> None:
        """Clicks on the first element of that kind that is shown, holds the text, and may be clicked."""
        script = f"""(() => {{
            const found = [...document.querySelectorAll({json.dumps(selector)})].find(
                (each) => each.checkVisibility() && !each.disabled && each.textContent.includes({json.dumps(text)}));
            if (!found) return false;
            found.click();
            return true;
        }})()"""
        await self.until(script)

    async def fill(self, selector: str, value: str) -> None:
        await self.until(f"!!document.querySelector({json.dumps(selector)})")
        await self.js(f"document.querySelector({json.dumps(selector)}).value = {json.dumps(value)}")

    async def key(self, key: str, code: int) -> None:
        """Presses a key, as ``Tab`` (9) or ``Enter`` (13)."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            more = text if kind == "keyDown" else {}
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    async def resize(self, width: int, height: int, scale: float = 1.0) -> None:
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )

    async def prefer(self, **media: str) -> None:
        """What the person at the screen prefers: ``prefers_color_scheme="dark"``."""
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        await self.call("Emulation.setEmulatedMedia", features=features)

    async def picture(self, path: Path) -> None:
        """A screenshot of what is seen, as PNG."""
        shot = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def hear(self, method: str, said: dict[str, Any]) -> None:
        """An event of the protocol."""
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.complaints.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.asked.append(said["request"]["url"])


@contextlib.asynccontextmanager
async def connected(address: str) -> AsyncIterator[Browser]:
    """The Chromium that listens there."""
    async with connect(address, max_size=None, compression=None) as line:
        yield Browser(line)


@contextlib.contextmanager
def chromium() -> Iterator[tuple[str, int]]:
    """A Chromium, ended at the end: where it listens, and its process.

    Raises :exc:`BrowserError` where there is none, or it does not start.
    """
    if CHROMIUM is None:
        raise BrowserError("there is no chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [CHROMIUM, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": folder},
            start_new_session=True,
        )
        try:
            yield _address(Path(folder) / "DevToolsActivePort", process), process.pid
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _address(file: Path, process: subprocess.Popen[bytes]) -> str:
    """Where it listens: it writes port and path to a file of its profile."""
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        if file.exists() and len(lines := file.read_text().splitlines()) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.05)
    raise BrowserError("chromium does not listen")
