"""How this machine reaches endpoints: proxies and certificate authorities as the environment names them."""

from __future__ import annotations

import ipaddress
import os
import ssl
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path

import aiohttp
from yarl import URL

from assay.core.errors import InvalidInput

BUNDLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
PROXY_SCHEMES = ("http", "https")
UNTRUSTED = (
    "the certificate is not trusted: for an authority of your own, set SSL_CERT_FILE or REQUESTS_CA_BUNDLE "
    "to the file with its certificate"
)


def open_session(connections: int, *, tls: bool = True) -> aiohttp.ClientSession:
    """Return a session for many endpoints, with the environment's certificate authorities.

    Without `tls` no authorities are loaded and no certificate is checked: for urls of which none
    `uses_tls`. Raises InvalidInput where the environment names a bundle that cannot be read.
    """
    context = tls_context(os.environ) if tls else False
    connector = aiohttp.TCPConnector(limit=connections, ssl=context, ttl_dns_cache=300)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def tls_context(environment: Mapping[str, str]) -> ssl.SSLContext:
    """Return a TLS context that trusts the system's authorities and those the environment names.

    OpenSSL itself reads SSL_CERT_FILE (instead of the system's) and SSL_CERT_DIR; REQUESTS_CA_BUNDLE and
    CURL_CA_BUNDLE, each a file or a folder, are added. Raises InvalidInput for one that cannot be read.
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


def proxy_for(url: str) -> str | None:
    """Return the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY give for a URL, or None.

    NO_PROXY names hosts, domains, `host:port` or address ranges such as 10.0.0.0/8; `*` is all. This
    machine's own addresses are always reached directly. A proxy without a scheme is an http one. Raises
    InvalidInput for a scheme that is not spoken, SOCKS above all.
    """
    parsed = URL(url)
    host = parsed.host or ""
    if _here(host) or (urllib.request.proxy_bypass(f"{host}:{parsed.port}") or _in_a_range(host)):
        return None
    proxies = urllib.request.getproxies()
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


def uses_tls(url: str) -> bool:
    """Return whether reaching a URL takes TLS, to it or to its proxy."""
    return url.startswith("https://") or (proxy_for(url) or "").startswith("https://")


def check_network(urls: Iterable[str]) -> None:
    """Raise InvalidInput where the environment's proxies or authorities cannot serve for these URLs."""
    proxies = {url: proxy_for(url) for url in urls}
    if any(address and address.startswith("https://") for pair in proxies.items() for address in pair):
        tls_context(os.environ)


def _here(host: str) -> bool:
    """Return whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("", "localhost") or host.endswith(".localhost")


def _in_a_range(host: str) -> bool:
    """Return whether a literal address lies in one of NO_PROXY's ranges."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in (os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or "").split(","):
        try:
            if "/" in entry and address in ipaddress.ip_network(entry.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False
