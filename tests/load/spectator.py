"""One who follows all boards on the pages of the hall, as a browser does, until he is ended.

    python -m load.spectator PORT OUT

A line for each board whose moves were told to him: nanoseconds since 1970, its number, how many moves it has then.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

ASK = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def follow(port: int, out: Path) -> None:
    """Says ``ready`` once he has seen how all stand."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**26)
    writer.write(ASK)
    await reader.readuntil(b"\r\n\r\n")
    text, ready = b"", False
    with out.open("w", buffering=1) as file:
        while size := int(await reader.readline() or b"0", 16):  # until the worker goes
            text += (await reader.readexactly(size + 2))[:-2]
            now = time.time_ns()
            *events, text = text.split(b"\n\n")
            for event in events:
                if not ready:
                    ready = True
                    print(json.dumps({"ready": True}), flush=True)
                    continue
                _, _, data = event.partition(b"\ndata: ")
                patch = json.loads(data) if data else {}
                for number, parts in patch.get("boards", {}).items():
                    if parts and parts.get("moves"):
                        file.write(f"{now} {number} {len(parts['moves'])}\n")


if __name__ == "__main__":
    asyncio.run(follow(int(sys.argv[1]), Path(sys.argv[2])))
