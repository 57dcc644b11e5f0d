"""A network between two servers: forward the connections of a port of the loopback to another port.

python -m tools.drills.forwarder FROM TO     # SIGSTOP cuts the network
"""

import asyncio
import sys
from asyncio import StreamReader, StreamWriter


async def main(source: int, target: int) -> None:
    async def forward(reader: StreamReader, writer: StreamWriter) -> None:
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_copy(reader, other_writer), _copy(other_reader, writer), return_exceptions=True)

    server = await asyncio.start_server(forward, "127.0.0.1", source)
    await server.serve_forever()


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
