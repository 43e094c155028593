#!/usr/bin/env python3
"""Compile the gettext catalogues: each ``jadoube.po`` of `controller/locale/` to the ``jadoube.mo`` beside it.

Done where jadoube is built, by `setup.py`, and by `make` once a source has changed. Reads what these catalogues use of
the format: comments, ``msgctxt``, ``msgid``, ``msgstr`` and continued lines, without plurals. The layout of the
compiled file is that of the GNU gettext manual, "The Format of GNU MO Files"; the hash table is left out, as it may be.
"""

import ast
import struct
import sys
from pathlib import Path

LOCALE = Path(__file__).parents[1] / "controller" / "locale"
MAGIC = 0x950412DE
HEADER = 28  #: bytes


def read(path: Path) -> dict[str, str]:
    """The messages of a catalogue; the context stands before the id, parted by EOT, as in the compiled file.

    Raises :exc:`SystemExit` naming the line that cannot be read, or that says again what another has said.
    """
    messages: dict[str, str] = {}
    entry: dict[str, str] = {}
    word = ""

    def keep() -> None:
        if "msgstr" not in entry:
            return
        key = f"{entry['msgctxt']}\x04{entry['msgid']}" if "msgctxt" in entry else entry["msgid"]
        if key in messages:
            sys.exit(f"{path}, line {number}: a second message for {key!r}")
        messages[key] = entry["msgstr"]
        entry.clear()

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if not line.startswith('"'):
            word, _, line = line.partition(" ")
            if word not in ("msgctxt", "msgid", "msgstr"):
                sys.exit(f"{path}, line {number}: expected msgctxt, msgid or msgstr, found {word}")
            if word != "msgstr":
                keep()
            entry[word] = ""
        entry[word] += ast.literal_eval(line)
    keep()
    return messages


def compiled(messages: dict[str, str]) -> bytes:
    """The bytes of the compiled catalogue: a header, two tables of lengths and offsets, the texts."""
    pairs = sorted((key.encode(), text.encode()) for key, text in messages.items() if text)
    texts = [key for key, _ in pairs] + [text for _, text in pairs]
    offset = HEADER + 8 * len(texts)
    table = []
    for text in texts:
        table += [len(text), offset]
        offset += len(text) + 1
    count = len(pairs)
    header = struct.pack("<7I", MAGIC, 0, count, HEADER, HEADER + 8 * count, 0, HEADER + 8 * len(texts))
    return header + struct.pack(f"<{len(table)}I", *table) + b"".join(text + b"\0" for text in texts)


if __name__ == "__main__":
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        source.with_suffix(".mo").write_bytes(compiled(read(source)))
