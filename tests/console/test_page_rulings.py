"""A ruling as a page sends it says which case it answers, and is no other command; the rest is judged at the table."""

import pytest

from controller.console.rulings import command, read, said
from controller.errors import LogError


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b'{"do":"dance"}', "malformed ruling: dance"),
        (b"{}", "malformed ruling"),
        (b'{"do":"seen","case":"1"}', "malformed ruling: seen"),
        (b"[", "malformed"),
        (b'{"do":"seen"}', "which case"),
        (b'{"do":"uphold"}', "which case"),
        (b'{"do":"dismiss","case":1}', "which case"),
        (b'{"do":"postpone","answers":"1"}', "which case"),
    ],
)
def test_what_no_page_of_this_version_sends_is_refused(body: bytes, what: str) -> None:
    with pytest.raises(LogError, match=what):
        read(body)


def test_it_is_a_ruling_by_who_is_signed_in_whatever_it_says_of_itself() -> None:
    ruling = read(b'{"do":"pause","type":"new-game","by":"somebody else"}')
    assert command(ruling, "Ana") == {"do": "pause", "type": "arbiter", "by": "Ana"}


def test_what_is_left_open_is_not_said() -> None:
    ruling = read(b'{"do":"warn","case":7,"answers":"3","side":"white","text":null,"extra":null}')
    fields = {"do": "warn", "answers": "3", "side": "white"}
    assert (ruling.case, ruling.fields) == (7, fields)
    assert said(ruling) == fields | {"case": 7}
    assert command(ruling, "Ana") == fields | {"type": "arbiter", "by": "Ana"}
