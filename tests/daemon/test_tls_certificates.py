"""A certificate that is wrong, of the broker or of the board: said plainly, never passed over, and all is well again by
itself once it is put right. A real mosquitto, certificates made by openssl.
"""

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hall import make, need_mosquitto, running, until
from secured import Secured

from controller.config import Config
from controller.daemon import service
from controller.outlets.mqtt import connection
from controller.outlets.mqtt import outlet as mqtt_module
from controller.outlets.notices import TechnicalNotice

pytestmark = pytest.mark.broker
Configure = Callable[..., Config]
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
CA = """[ca]
default_ca = hall
[hall]
database = {folder}/index.txt
new_certs_dir = {folder}
certificate = {signer}.crt
private_key = {signer}.key
default_md = sha256
policy = anything
rand_serial = yes
unique_subject = no
x509_extensions = said
[anything]
commonName = supplied
[said]
basicConstraints = CA:FALSE
{said}
"""


GOOD = (-1, 9)  #: days from now between which a certificate is valid
HERE = "subjectAltName=IP:127.0.0.1"


def put(certificate: Path, signer: Path, said: str, days: tuple[int, int] = GOOD) -> None:
    """Puts another certificate and its key in the place of ``certificate``."""
    folder = signer.parent / f"made {certificate.stem}"
    folder.mkdir()
    (folder / "index.txt").touch()
    (folder / "ca.cnf").write_text(CA.format(folder=folder, signer=signer, said=said))
    asked, key = folder / "asked.csr", certificate.with_suffix(".key")
    openssl("req", "-new", *CURVE, "-subj", f"/CN={certificate.stem}", "-keyout", str(key), "-out", str(asked))
    first, last = (f"{datetime.now(UTC) + timedelta(days=day):%y%m%d%H%M%SZ}" for day in days)
    valid = ("-startdate", first, "-enddate", last)
    files = ("-in", str(asked), "-out", str(certificate))
    openssl("ca", "-batch", "-notext", "-config", str(folder / "ca.cnf"), *valid, *files)


def authority(folder: Path) -> Path:
    """Another one than that of the hall; its files without their ends."""
    other = folder / "other"
    files = ("-keyout", f"{other}.key", "-out", f"{other}.crt")
    openssl("req", "-x509", *CURVE, "-subj", "/CN=other", "-days", "9", "-addext", HERE, *files)
    return other


def openssl(*arguments: str) -> None:
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Secured]]:
    need_mosquitto()
    monkeypatch.setattr(mqtt_module, "RETRY_S", (0.05, 0.2))
    monkeypatch.setattr(connection, "PATIENCE_S", 0.5)
    monkeypatch.setattr(service, "DRAIN_S", 0.2)
    built = []

    def secured(**options: bool) -> Secured:
        built.append(Secured(tmp_path, **options))
        return built[-1]

    yield secured
    for broker in built:
        broker.stop()


def refused_until_put_right(config: Config, put_right: Callable[[], None]) -> TechnicalNotice:
    """What is said meanwhile."""

    async def scene() -> TechnicalNotice:
        async with running(config) as daemon:
            await until(lambda: daemon.notices.current)
            (said,) = daemon.notices.current
            await until(lambda: daemon.only.session.playing)
            await make(daemon, "e2e4")
            assert daemon.notices.current == (said,)
            await asyncio.to_thread(put_right)
            await until(lambda: not daemon.notices.current)
            await until(lambda: daemon.journal.cursor("mqtt") == daemon.journal.head.seq)
            return said

    return asyncio.run(scene())


@pytest.mark.parametrize(
    ("case", "says", "cause", "remedy"),
    [
        ("expired", "certificate has expired", "its certificate has expired", "delete tls/server.crt"),
        ("not yet valid", "not yet valid", "this machine's clock is behind", "timedatectl"),
        ("of another host", "mismatch", "another name than [mqtt] host, 127.0.0.1", "-ext subjectAltName"),
        ("of another authority", "issuer", "ca_file is not of the authority", "-issuer"),
        ("signed by itself", "self-signed", "ca_file is not of the authority", "-issuer"),
    ],
)
def test_a_certificate_of_the_broker_that_is_wrong(
    configure: Configure, build: Callable[..., Secured], tmp_path: Path, case: str, says: str, cause: str, remedy: str
) -> None:
    broker = build()
    server = broker.folder / "tls/server.crt"
    good = {file: file.read_bytes() for file in (server, server.with_suffix(".key"))}
    broker.stop()
    hall = broker.folder / "tls/ca"
    match case:
        case "expired":
            put(server, hall, HERE, (-9, -1))
        case "not yet valid":
            put(server, hall, HERE, (1, 9))
        case "of another host":
            put(server, hall, "subjectAltName=DNS:elsewhere.local")
        case "of another authority":
            put(server, authority(tmp_path), HERE)
        case _:
            other = authority(tmp_path)
            shutil.copyfile(f"{other}.crt", server)
            shutil.copyfile(f"{other}.key", server.with_suffix(".key"))
    broker.start()

    def put_right() -> None:
        broker.stop()
        for file, data in good.items():
            file.write_bytes(data)
        broker.start()

    said = refused_until_put_right(configure(mqtt=broker.mqtt("board-7")), put_right)
    assert "is not to be trusted" in said.what
    assert says in said.what
    assert cause in said.cause
    assert remedy in said.next_step


@pytest.mark.parametrize(
    ("case", "says", "cause"),
    [
        ("expired", "certificate expired", "has expired"),
        ("not yet valid", "bad certificate", "not valid yet"),
        ("of another authority", "unknown ca", "of an authority that the broker does not know"),
    ],
)
def test_a_certificate_of_the_board_that_is_wrong(
    configure: Configure, build: Callable[..., Secured], tmp_path: Path, case: str, says: str, cause: str
) -> None:
    """The broker says so when TLS is through for us, and the MQTT client hears nothing of it."""
    broker = build(certificates=True)
    ours = broker.folder / "tls/board-7.crt"
    good = {file: file.read_bytes() for file in (ours, ours.with_suffix(".key"))}
    signer = authority(tmp_path) if "authority" in case else broker.folder / "tls/ca"
    days = {"expired": (-9, -1), "not yet valid": (1, 9)}.get(case, GOOD)
    put(ours, signer, "extendedKeyUsage=clientAuth", days)

    def put_right() -> None:
        for file, data in good.items():
            file.write_bytes(data)

    said = refused_until_put_right(configure(mqtt=broker.mqtt("board-7")), put_right)
    assert f"does not trust us: {says}" in said.what
    assert cause in said.cause
    assert f"-dates -in {ours}" in said.next_step


def test_what_is_to_go_by_tls_never_goes_without(configure: Configure) -> None:
    """Whatever the other side does: here it speaks no TLS, and would take anything."""
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(1))
        writer.write(b"\x20\x02\x00\x00" if len(heard) % 2 else b"")  # you are welcome, or not a word
        writer.close()

    async def scene() -> None:
        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mqtt_module, "RETRY_S", (0.02, 0.05))
            async with running(configure(mqtt={"host": "127.0.0.1", "port": port, "tls": True})) as daemon:
                await until(lambda: len(heard) > 10)
                (said,) = daemon.notices.current
        assert "does not come to terms by TLS" in said.what or "does not answer" in said.what
        server.close()

    asyncio.run(scene())
    assert set(heard) <= {b"\x16", b""}, "the first byte of a handshake"
