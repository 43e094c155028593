"""Certificates for a hall of one's own: an authority, the broker's certificate, and one for each who connects.

Made by ``openssl``, which every Raspberry Pi has: keys on the curve P-256, as RFC 8446 asks every program to know it.
"""

import ipaddress
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from controller.errors import ConfigError

AUTHORITY_DAYS, DAYS = 3650, 825  #: valid so long; programs refuse longer ones of a server
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Authority:
    """The one whose ``ca.crt`` stands in ``folder``, made there if it does not exist. Existing files are kept.

    Raises :exc:`ConfigError` where ``openssl`` is missing or fails.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.certificate = folder / "ca.crt"
        self._key = folder / "ca.key"
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.certificate.exists():
            lasts = ("-days", str(AUTHORITY_DAYS), "-subj", f"/CN={name}")
            extensions = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
            files = ("-keyout", str(self._key), "-out", str(self.certificate))
            _openssl("req", "-x509", *CURVE, *lasts, *extensions, *files)

    def servers(self, file: str, hosts: Sequence[str]) -> Path:
        """A certificate that these machines, by name or address, have in common, in ``file``; its key is beside it, in
        ``.key``."""
        names = ",".join(map(_named, hosts))
        return self._issue(file, hosts[0], f"subjectAltName={names}\nextendedKeyUsage=serverAuth")

    def client(self, user: str) -> Path:
        """The certificate by which ``user`` is known; its key is beside it, in ``.key``."""
        return self._issue(user, user, "extendedKeyUsage=clientAuth")

    def _issue(self, file: str, name: str, extensions: str) -> Path:
        certificate, key, asked, said = (self._folder / f"{file}.{end}" for end in ("crt", "key", "csr", "ext"))
        if certificate.exists():
            return certificate
        said.write_text(f"basicConstraints=CA:FALSE\n{extensions}\n")
        _openssl("req", "-new", *CURVE, "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(asked))
        signer = ("-CA", str(self.certificate), "-CAkey", str(self._key), "-CAcreateserial")
        files = ("-in", str(asked), "-extfile", str(said), "-out", str(certificate))
        _openssl("x509", "-req", "-days", str(DAYS), *signer, *files)
        asked.unlink()
        said.unlink()
        return certificate


def _named(host: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


def _openssl(*arguments: str) -> None:
    if shutil.which("openssl") is None:
        raise ConfigError("there is no openssl to make certificates with", "", "sudo apt-get install openssl")
    run: Sequence[str] = ("openssl", *arguments)
    done = subprocess.run(run, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or "it does not say why").splitlines()[-1]
        next_step = "give names of letters, digits, dots and hyphens, or addresses"
        raise ConfigError(f"openssl {arguments[0]} fails: {said}", "a name that it does not take", next_step)
