"""What it means that TLS fails, in words: which of the two certificates is wrong, how, and what to do.

A client hears at once why it does not trust a broker. Why a broker does not trust the client it says only after TLS 1.3
is through for the client (RFC 8446, 4.4.2.4 and 6.2), where the MQTT client waits for something else and hears nothing:
so it has to be asked once more.
"""

import asyncio
import contextlib
import ssl

from controller.errors import DeviceError

ASK_S = 3.0  #: a broker says at once what it does not like
NOT_YET, EXPIRED = 9, 10  #: what OpenSSL calls X509_V_ERR_…, x509_vfy.h
OTHER_NAME = (62, 63, 64)
OTHER_AUTHORITY = (2, 18, 19, 20, 21)
RENEW = "delete tls/server.crt in the folder of jadoube broker-config, call it again, and restart the broker"


async def heard(host: str, port: int, context: ssl.SSLContext) -> ssl.SSLError | None:
    """What the broker says after TLS; None where it has no complaint, or is not there."""
    writer = None
    try:
        async with asyncio.timeout(ASK_S):
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
            await reader.read(1)
    except ssl.SSLError as error:
        return error
    except (OSError, TimeoutError):
        return None
    finally:
        if writer is not None:
            with contextlib.suppress(OSError):
                writer.close()
    return None


def of_broker(address: str, host: str, ca_file: str | None, error: ssl.SSLError) -> DeviceError:
    """We do not trust the broker at ``address``, called ``host``."""
    connect = f"openssl s_client -connect {address} -servername {host} </dev/null"
    if not isinstance(error, ssl.SSLCertVerificationError):
        cause = "it does not speak TLS at that port, or none that is still safe; or [mqtt] host and port name another"
        return DeviceError(f"the broker {address} does not come to terms by TLS: {_said(error)}", cause, connect)
    code = error.verify_code
    if code == EXPIRED:
        cause, remedy = "its certificate has expired, or this machine's clock is ahead", f"date; {RENEW}"
    elif code == NOT_YET:
        cause = (
            "this machine's clock is behind, as on a Pi without a network; or the broker's was ahead when it was made"
        )
        remedy = "timedatectl"
    elif code in OTHER_NAME:
        cause = f"its certificate is for another name than [mqtt] host, {host}"
        remedy = f"{connect} | openssl x509 -noout -ext subjectAltName: write what stands there as host"
    elif code in OTHER_AUTHORITY:
        cause = "no authority that this machine knows made its certificate, and [mqtt] ca_file names none"
        if ca_file:
            cause = "[mqtt] ca_file is not of the authority that made its certificate"
        remedy = f"{connect} | openssl x509 -noout -issuer; and take the ca.crt of that authority"
    else:
        cause, remedy = "its certificate is not to be used so", connect
    return DeviceError(f"the broker {address} is not to be trusted: {_said(error)}", cause, remedy)


def of_us(address: str, cert_file: str | None, error: ssl.SSLError) -> DeviceError:
    """The broker at ``address`` does not trust us."""
    what = f"the broker {address} does not trust us: {_said(error)}"
    reason = error.reason or ""
    if cert_file is None:
        cause = "it asks for a certificate, and [mqtt] cert_file names none"
        return DeviceError(what, cause, "jadoube broker-config --certificates makes one for each board")
    if "EXPIRED" in reason:
        cause = "our certificate, [mqtt] cert_file, has expired, or the broker's clock is ahead"
    elif "UNKNOWN_CA" in reason:
        cause = "our certificate, [mqtt] cert_file, is of an authority that the broker does not know"
    else:
        cause = "our certificate, [mqtt] cert_file, is not valid yet by the broker's clock, or not made for this"
    return DeviceError(what, cause, f"openssl x509 -noout -subject -issuer -dates -in {cert_file}")


def _said(error: ssl.SSLError) -> str:
    """``certificate has expired``, ``unknown ca``"""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message.rstrip(".")
    return (error.reason or str(error)).rpartition("ALERT_")[2].replace("_", " ").lower()
