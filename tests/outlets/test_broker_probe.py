"""The command that is named where a broker does not let us in: it connects as the daemon does."""

import asyncio
import shlex

import pytest
from aiomqtt import ProtocolVersion

from controller.outlets.mqtt.connection import MqttConfig, explain

TLS = {"tls": True, "ca_file": "/etc/jadoube/ca.pem"}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ["-h", "vm", "-p", "1883", "-t", "#"]),
        (TLS, ["-p", "8883", "--cafile", "/etc/jadoube/ca.pem"]),
        ({"tls": True}, ["--tls-use-os-certs"]),
        (
            TLS | {"cert_file": "/c/board 1.crt", "key_file": "/c/k"},
            ["--cert", "/c/board 1.crt", "--key", "/c/k"],
        ),
        ({"user": "board1", "password_file": "/c/secret"}, ["-u", "board1", "-P", "$(sudo cat /c/secret)"]),
    ],
)
def test_the_command_has_the_options_that_are_needed(options: dict[str, object], wanted: list[str]) -> None:
    config = MqttConfig(host="vm", **options)  # type: ignore[arg-type]
    error = asyncio.run(explain(config, ProtocolVersion.V5, OSError("gone"), connected=True))
    command = shlex.split(error.next_step)
    assert command[0] == "mosquitto_sub"
    assert command[-2:] == ["-E", "-d"], "it ends, whatever may be read there"
    for word in wanted:
        assert word in command
    assert "$SYS" not in error.next_step, "which users may not read"
