"""``archive.toml``: where broker and database are."""

import re
from pathlib import Path

import pytest

from controller.archive.settings import BrokerConfig, PagesConfig, load
from controller.errors import ConfigError

EXAMPLE = Path(__file__).resolve().parents[2] / "config" / "archive.toml"


def test_the_example_is_read_with_every_option_in_it(tmp_path: Path) -> None:
    told = tmp_path / "archive.toml"
    told.write_text(re.sub(r"(?m)^# (?=\w+ = |\[)", "", EXAMPLE.read_text("utf-8")), "utf-8")
    assert load(EXAMPLE).parts == load(told).parts == 8
    assert load(told).broker.user == "archive"
    assert load(EXAMPLE).console is None
    assert load(told).console == PagesConfig(
        venue="hall",
        names=("hall.example",),
        trusted_proxy="127.0.0.1",
        cert_file="/etc/jadoube/hall.crt",
        key_file="/etc/jadoube/hall.key",
        delay_min=15,
        metrics_port=9066,
    )


def test_each_node_has_its_port() -> None:
    assert BrokerConfig(hosts=("a", "b:5673")).addresses == [("a", 5672), ("b", 5673)]
    assert BrokerConfig(hosts=("a",), tls=True).addresses == [("a", 5671)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("hosts = []", "broker: hosts: there is none"),
        ('hosts = ["a b"]', "broker.hosts"),
        ('host = ["a"]', "nobody reads the option broker.host"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, wrong: str, said: str) -> None:
    path = tmp_path / "archive.toml"
    path.write_text(f'[broker]\n{wrong}\n[database]\nurl = "postgresql:///a"\n')
    with pytest.raises(ConfigError) as error:
        load(path)
    assert said in str(error.value)
