"""Reaching endpoints: the environment's proxies and certificate authorities, and replies of bounded size.

The environment is passed in, because that of a workspace includes the variables of its `.env`.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

import aiohttp
from yarl import URL

from assay.core.errors import InvalidInput

BUNDLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
PROXY_SCHEMES = ("http", "https")
UNTRUSTED = (
    "the certificate is not trusted: for an authority of your own, set SSL_CERT_FILE or REQUESTS_CA_BUNDLE "
    "to the file with its certificate"
)
LARGEST: Final = 8 * 1024 * 1024
"""The largest reply in bytes, decompressed: several times the longest answer that a model can give."""
LARGEST_LIST: Final = 4 * LARGEST
"""The largest list of models of a provider, in bytes."""


def open_session(
    connections: int, environment: Mapping[str, str], *, tls: bool = True
) -> aiohttp.ClientSession:
    """Return a session for many endpoints, with the environment's certificate authorities.

    Without `tls` no authorities are loaded and no certificate is checked; use it only if no URL `uses_tls`.
    Raises InvalidInput if the environment names a bundle that cannot be read.
    """
    context = tls_context(environment) if tls else False
    connector = aiohttp.TCPConnector(limit=connections, ssl=context, ttl_dns_cache=300)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def tls_context(environment: Mapping[str, str]) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's authorities and those that the environment names.

    SSL_CERT_FILE, SSL_CERT_DIR, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE, each a file or a folder, are added.
    If the first two are set for the process itself, OpenSSL reads them instead of the system's authorities.
    Raises InvalidInput for a file or folder that cannot be read.
    """
    context = ssl.create_default_context()
    loaded: set[str] = set()
    for name in BUNDLES:
        path = environment.get(name)
        if not path or path in loaded:
            continue
        loaded.add(path)
        try:
            if Path(path).is_dir():
                context.load_verify_locations(capath=path)
            else:
                context.load_verify_locations(cafile=path)
        except (OSError, ssl.SSLError) as error:
            raise InvalidInput(
                f"invalid {name} {path!r}: name a readable file or folder of certificates ({error})"
            ) from error
    return context


def proxy_for(url: str, environment: Mapping[str, str]) -> str | None:
    """Return the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY give for a URL, or None.

    NO_PROXY lists hosts, domains, `host:port` or address ranges such as 10.0.0.0/8; `*` means all. This
    machine is always reached directly. A proxy without a scheme is an http proxy. Raises InvalidInput for
    other schemes, such as SOCKS.
    """
    parsed = URL(url)
    host = parsed.host or ""
    proxies = _proxies(environment)
    if _is_this_machine(host) or _is_in_range(host, proxies.get("no", "").split(",")):
        return None
    if proxy_bypass_environment(f"{host}:{parsed.port}", proxies):
        return None
    name = parsed.scheme if proxies.get(parsed.scheme) else "all"
    proxy = (proxies.get(name) or "").strip()
    if not proxy:
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    scheme = proxy.split("://", 1)[0].lower()
    if scheme not in PROXY_SCHEMES:
        raise InvalidInput(
            f"{name.upper()}_PROXY names a {scheme} proxy for {host}: use an http or https proxy in "
            f"{parsed.scheme.upper()}_PROXY, or set NO_PROXY={host} to reach it directly"
        )
    return proxy.replace(proxy[: len(scheme)], scheme, 1)


def uses_tls(url: str, environment: Mapping[str, str]) -> bool:
    """Return whether TLS is needed to reach a URL or its proxy."""
    return url.startswith("https://") or (proxy_for(url, environment) or "").startswith("https://")


def check_network(urls: Iterable[str], environment: Mapping[str, str]) -> None:
    """Raise InvalidInput if the environment's proxies or authorities cannot be used for these URLs."""
    proxies = {url: proxy_for(url, environment) for url in urls}
    if any(address and address.startswith("https://") for pair in proxies.items() for address in pair):
        tls_context(environment)


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost") or host.endswith(".localhost")


def _proxies(environment: Mapping[str, str]) -> dict[str, str]:
    """Return proxies by scheme, and NO_PROXY as `no`; a name in lower case takes precedence.

    HTTP_PROXY is ignored under CGI, where a web server sets it from a request's header.
    """
    proxies: dict[str, str] = {}
    for name in sorted(environment):
        kind = name.lower().removesuffix("_proxy")
        if kind == name.lower() or (name == "HTTP_PROXY" and "REQUEST_METHOD" in environment):
            continue
        proxies[kind] = environment[name]
    return proxies


def _is_in_range(host: str, entries: Iterable[str]) -> bool:
    """Return whether a host is an address in one of NO_PROXY's ranges."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in entries:
        with suppress(ValueError):
            if "/" in entry and address in ipaddress.ip_network(entry.strip(), strict=False):
                return True
    return False


class ReplyTooLarge(Exception):
    """A body that exceeds the limit; the text goes into the ledger."""


async def receive(response: aiohttp.ClientResponse, largest: int = LARGEST) -> bytes:
    """Return the whole body.

    Raises ReplyTooLarge, and closes the connection, as soon as more than `largest` bytes have arrived.
    aiohttp from 3.14 on decompresses only as much as is read, so a small body cannot grow large in memory.
    """
    content = response.content
    first = await content.readany()
    if content.at_eof():
        return first
    parts, size = [first], len(first)
    while part := await content.readany():
        size += len(part)
        if size > largest:
            response.close()
            raise ReplyTooLarge(f"the reply is larger than {largest / 2**20:g} MiB")
        parts.append(part)
    return b"".join(parts)
