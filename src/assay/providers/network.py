"""How this machine reaches endpoints: proxies and certificate authorities as the environment names them.

The environment is passed in: the workspace's holds what `.env` sets too.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterable, Mapping
from pathlib import Path

import aiohttp
from yarl import URL

from assay.core.errors import InvalidInput

BUNDLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
PROXY_SCHEMES = ("http", "https")
UNTRUSTED = (
    "the certificate is not trusted: for an authority of your own, set SSL_CERT_FILE or REQUESTS_CA_BUNDLE "
    "to the file with its certificate"
)


def open_session(
    connections: int, environment: Mapping[str, str], *, tls: bool = True
) -> aiohttp.ClientSession:
    """Return a session for many endpoints, with the environment's certificate authorities.

    Without `tls` no authorities are loaded and no certificate is checked: for urls of which none
    `uses_tls`. Raises InvalidInput where the environment names a bundle that cannot be read.
    """
    context = tls_context(environment) if tls else False
    connector = aiohttp.TCPConnector(limit=connections, ssl=context, ttl_dns_cache=300)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def tls_context(environment: Mapping[str, str]) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's authorities and those the environment names.

    SSL_CERT_FILE, SSL_CERT_DIR, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE, each a file or a folder, are added.
    Where the process itself was started with the first two, OpenSSL reads them instead of the system's.
    Raises InvalidInput for one that cannot be read.
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
                f"{name} is {path!r}, which holds no certificates that can be read: {error}"
            ) from error
    return context


def proxy_for(url: str, environment: Mapping[str, str]) -> str | None:
    """Return the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY give for a URL, or None.

    NO_PROXY names hosts, domains, `host:port` or address ranges such as 10.0.0.0/8; `*` is all. This
    machine's own addresses are always reached directly. A proxy without a scheme is an http one. Raises
    InvalidInput for a scheme that is not spoken, SOCKS above all.
    """
    parsed = URL(url)
    host = parsed.host or ""
    proxies = _proxies(environment)
    if _here(host) or _bypassed(host, parsed.port, proxies):
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
            f"{name.upper()}_PROXY names a {scheme} proxy for {host}: only http and https proxies are "
            f"spoken; set {parsed.scheme.upper()}_PROXY to one, or NO_PROXY={host} to reach it directly"
        )
    return proxy.replace(proxy[: len(scheme)], scheme, 1)


def uses_tls(url: str, environment: Mapping[str, str]) -> bool:
    """Return whether reaching a URL takes TLS, to it or to its proxy."""
    return url.startswith("https://") or (proxy_for(url, environment) or "").startswith("https://")


def check_network(urls: Iterable[str], environment: Mapping[str, str]) -> None:
    """Raise InvalidInput where the environment's proxies or authorities cannot serve for these URLs."""
    proxies = {url: proxy_for(url, environment) for url in urls}
    if any(address and address.startswith("https://") for pair in proxies.items() for address in pair):
        tls_context(environment)


def _here(host: str) -> bool:
    """Return whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost") or host.endswith(".localhost")


def _proxies(environment: Mapping[str, str]) -> dict[str, str]:
    """Return proxies by scheme, and NO_PROXY as `no`; as elsewhere, names in lower case count more.

    A web server that runs CGI sets HTTP_PROXY from a request's header: there it counts for nothing.
    """
    proxies: dict[str, str] = {}
    for name in sorted(environment):
        kind = name.lower().removesuffix("_proxy")
        if kind == name.lower() or (name == "HTTP_PROXY" and "REQUEST_METHOD" in environment):
            continue
        proxies[kind] = environment[name]
    return proxies


def _bypassed(host: str, port: int | None, proxies: Mapping[str, str]) -> bool:
    """Return whether NO_PROXY names a host, its domain, either with its port, or its range; `*` is all."""
    entries = [entry.strip().lower().lstrip(".") for entry in proxies.get("no", "").split(",")]
    reached = (host.lower(), f"{host.lower()}:{port}")
    named = any(name == entry or name.endswith(f".{entry}") for entry in entries if entry for name in reached)
    return named or entries == ["*"] or _in_a_range(host, entries)


def _in_a_range(host: str, ranges: Iterable[str]) -> bool:
    """Return whether a literal address lies in one of NO_PROXY's ranges."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in ranges:
        try:
            if "/" in entry and address in ipaddress.ip_network(entry, strict=False):
                return True
        except ValueError:
            continue
    return False
