"""The pages by TLS: our own certificate, and who vouches for those of the other daemons of the hall."""

import ssl

from controller import credentials
from controller.console.settings import ConsoleConfig
from controller.errors import ConfigError
from controller.outlets.serving import Certificate


def certificate(config: ConsoleConfig) -> Certificate | None:
    """What the pages are served with; None where they speak plain HTTP.

    Raises :exc:`ConfigError` for files that cannot be used, or a private key that everybody can read.
    """
    if config.cert_file is None:
        return None
    key = config.key_file or config.cert_file
    credentials.read(key, "[console] key_file")
    files = Certificate(credentials.where(config.cert_file), credentials.where(key))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.chain, files.key)
    except (OSError, ssl.SSLError) as error:
        raise _useless("cert_file or key_file", config.cert_file, error) from error
    return files


def trusted(config: ConsoleConfig) -> ssl.SSLContext:
    """How the daemons of other boards are recognised. Raises :exc:`ConfigError` for a file that cannot be used."""
    try:
        return ssl.create_default_context(cafile=config.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise _useless("ca_file", str(config.ca_file), error) from error


def _useless(option: str, file: str, error: OSError) -> ConfigError:
    return ConfigError(
        f"a certificate for the pages cannot be used: {error.strerror or error}",
        f"[console] {option} names another file, or the key is of another certificate",
        f"openssl x509 -noout -subject -dates -in {file}",
    )
