"""The table of the devices that are signed in, as HTML: whose, since when, heard last, from where; a button each."""

from datetime import datetime
from html import escape

from controller.console.devices import Device
from controller.console.grants import said
from controller.console.words import label
from controller.words import LanguageCode


def row(name: str, device: Device, seen: float, code: LanguageCode, *, own: bool) -> str:
    """One of them; ``own``: the one that looks at it."""
    this = f' <strong class="own">{escape(label(code, "this-device"))}</strong>' if own else ""
    cells = (
        (label(code, "device-name"), f"{escape(device.by)}{this}"),
        (label(code, "device-role"), escape(said(device.may, code))),
        (label(code, "device-kind"), escape(device.called or "?")),
        (label(code, "device-since"), _when(device.since)),
        (label(code, "device-seen"), _when(seen)),
        (label(code, "device-address"), escape(device.address)),
    )
    shown = "".join(f'<td data-label="{escape(what)}"><span>{cell}</span></td>' for what, cell in cells)
    button = f"<button>{escape(label(code, 'sign-out-device'))}</button>"
    return f'<tr>{shown}<td><form method="post" action="/arbiter/devices/{name}">{button}</form></td></tr>'


def _when(second: float) -> str:
    """A time of day as this machine has it; the same in all languages."""
    return f"<time>{datetime.fromtimestamp(second):%Y-%m-%d %H:%M}</time>"
