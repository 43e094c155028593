"""Reports by command: what cannot be reported is refused in words, with the nearest that can."""

import pytest

from controller.contract import Arbiter
from controller.daemon.commands import read_command
from controller.errors import LogError
from controller.game_details import GameConfig
from controller.outlets.mqtt.command import read

REFUSED = [
    ('"kind":"fone","side":"white"', "fone is nothing to report", "did you mean phone?"),
    ('"kind":"sneeze","side":"white"', "sneeze is nothing to report", "a word of another version"),
    ('"kind":"phone"', "whose phone?", "names no player"),
    ('"kind":"other","side":"black"', "what is reported?", "says nothing of it"),
    ('"side":"black"', "what is reported?", "names no kind"),
]


@pytest.mark.parametrize(("fields", "what", "cause"), REFUSED)
def test_a_report_that_says_too_little_is_refused(fields: str, what: str, cause: str) -> None:
    with pytest.raises(LogError, match=what.replace("?", r"\?")) as refused:
        read_command(read(b'{"type":"arbiter","do":"report",%b}' % fields.encode()), 0, GameConfig())
    assert cause in refused.value.cause


@pytest.mark.parametrize(
    ("fields", "meant"),
    [
        ('"type":"arbiter","do":"dissmiss"', "dismiss"),
        ('"type":"arbiter","do":"result","result":"1/2-1/3"', "1/2-1/2"),
        ('"type":"claim","side":"white","of":"wrong-aray"', "wrong-array"),
    ],
)
def test_a_word_that_is_not_known_is_refused_with_the_nearest_that_is(fields: str, meant: str) -> None:
    with pytest.raises(LogError) as refused:
        read_command(read(b"{%b}" % fields.encode()), 0, GameConfig())
    assert refused.value.cause == f"a slip of the pen: did you mean {meant}?"


def test_what_the_arbiter_says_to_it_is_kept() -> None:
    body = b'{"type":"arbiter","do":"report","kind":"other","side":"white","text":"he slept","witnesses":["Eva","Udo"]}'
    item = read_command(read(body), 0, GameConfig())
    assert isinstance(item, Arbiter)
    assert (item.text, item.witnesses) == ("he slept", ("Eva", "Udo"))
    with pytest.raises(LogError, match="a line break"):
        read_command(read(body.replace(b"Udo", b"U\\ndo")), 0, GameConfig())


def test_a_result_that_is_not_said_or_not_known_is_refused() -> None:
    for said in (b"", b',"result":"2-0"'):
        with pytest.raises(LogError) as refused:
            read_command(read(b'{"type":"arbiter","do":"result"%b}' % said), 0, GameConfig())
        assert "1/2-0" in str(refused.value)
