"""The lower bound of the time: a plain aiohttp and orjson loop that asks and parses. Prints JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import time

import aiohttp
import orjson


async def loop(base_url: str, calls: int, in_flight: int) -> float:
    """Return the seconds of `calls` requests with `in_flight` workers."""
    url = f"{base_url}/chat/completions"
    headers = {"Content-Type": "application/json", "Authorization": "Bearer none"}
    remaining = iter(range(calls))

    async def worker(session: aiohttp.ClientSession) -> None:
        for number in remaining:
            body = orjson.dumps(
                {
                    "model": "sim",
                    "messages": [{"role": "user", "content": f"What is 6 x 7? ({number})"}],
                    "temperature": 0,
                }
            )
            async with session.post(url, data=body, headers=headers) as response:
                reply = orjson.loads(await response.read())
                reply["choices"][0]["message"]["content"]

    connector = aiohttp.TCPConnector(limit=in_flight)
    async with aiohttp.ClientSession(connector=connector) as session:
        start = time.perf_counter()
        await asyncio.gather(*(worker(session) for _ in range(in_flight)))
        return time.perf_counter() - start


def main() -> None:
    """Run the loop once with the given flags."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/0/v1")
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--in-flight", type=int, default=100)
    options = parser.parse_args()
    seconds = asyncio.run(loop(options.base_url, options.calls, options.in_flight))
    print(json.dumps({"seconds": seconds, "per_second": options.calls / seconds}))


if __name__ == "__main__":
    main()
