"""Proxies and certificate authorities of the environment, against real TLS servers and a real proxy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp import web
from every_row import every_row
from network import Authority, make_authority, proxying

from assay.core.ask import ErrorKind
from assay.core.errors import InvalidInput
from assay.core.model import Provider
from assay.providers.chat import ChatEndpoint
from assay.providers.network import check_network, open_session, proxy_for, tls_context, uses_tls
from assay.providers.reading import Attempt

GOOD = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir")
BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start from an environment that names no proxy and no authority."""
    for name in (*NAMES, *(name.upper() for name in NAMES), *BUNDLES):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def environment() -> dict[str, str]:
    """An environment to fill."""
    return {}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A private authority."""
    return make_authority(tmp_path_factory.mktemp("authority"))


def ask(
    authority: Authority | None, host: str, environment: dict[str, str], *, proxied: str | None = None
) -> tuple[Attempt, list[str]]:
    """Ask a real server under `host` and return the attempt with the heads that the proxy read.

    `proxied` is None, or the user and password that the proxy's address holds.
    """

    async def handler(request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer sk-secret"
        return web.json_response(GOOD)

    async def main() -> tuple[Attempt, list[str]]:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        context = authority.server_context() if authority else None
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        port = runner.addresses[0][1]
        url = f"{'https' if authority else 'http'}://{host}:{port}/v1"
        try:
            async with proxying(port) as proxy:
                if proxied is not None:
                    address = proxy.address.replace("://", f"://{proxied}")
                    environment["HTTPS_PROXY" if authority else "HTTP_PROXY"] = address
                async with open_session(4, environment, tls=uses_tls(url, environment)) as session:
                    provider, proxy_address = Provider("test", url, timeout=5.0), proxy_for(url, environment)
                    endpoint = ChatEndpoint(provider, session, "sk-secret", proxy=proxy_address)
                    try:
                        return await endpoint.attempt(b'{"model":"x"}'), proxy.heads
                    finally:
                        await endpoint.close()
        finally:
            await runner.cleanup()

    return asyncio.run(main())


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_private_authority_is_trusted_by_any_of_three_variables(
    variable: str, authority: Authority, environment: dict[str, str]
) -> None:
    """A real TLS server with a certificate of that authority is reached."""
    environment[variable] = str(authority.bundle)
    attempt, _ = ask(authority, "localhost", environment)
    assert attempt.reply.text == "hi"


def test_an_unknown_authority_is_an_error_that_names_the_variables(
    authority: Authority, environment: dict[str, str]
) -> None:
    """Nothing is sent and there is no further attempt."""
    attempt, _ = ask(authority, "localhost", environment)
    assert attempt.reply.error is ErrorKind.CONNECTION
    assert not attempt.again
    assert "set SSL_CERT_FILE or REQUESTS_CA_BUNDLE" in str(attempt.reply.detail)


def test_a_certificate_for_another_host_is_refused(authority: Authority, environment: dict[str, str]) -> None:
    """Even though the authority is trusted."""
    environment["SSL_CERT_FILE"] = str(authority.bundle)
    attempt, _ = ask(authority, "other.localhost", environment)
    assert attempt.reply.text is None


def test_https_goes_through_a_tunnel_that_does_not_see_the_key(
    authority: Authority, environment: dict[str, str]
) -> None:
    """One CONNECT for the host, TLS checked end to end, and no key in the text that the proxy reads."""
    environment["REQUESTS_CA_BUNDLE"] = str(authority.bundle)
    attempt, heads = ask(authority, "models.test", environment, proxied="")
    assert attempt.reply.text == "hi"
    assert [head.split(":")[0] for head in heads] == ["CONNECT models.test"]
    assert "sk-secret" not in heads[0]


def test_a_proxys_own_password_goes_to_the_proxy(authority: Authority, environment: dict[str, str]) -> None:
    """They are sent as basic authentication of the CONNECT; the endpoint still gets its key."""
    environment["SSL_CERT_FILE"] = str(authority.bundle)
    attempt, heads = ask(authority, "models.test", environment, proxied="me:word@")
    assert attempt.reply.text == "hi"
    assert "Proxy-Authorization: Basic bWU6d29yZA==" in heads[0]
    assert "sk-secret" not in heads[0]


def test_a_tunnel_does_not_switch_off_the_check_of_certificates(
    authority: Authority, environment: dict[str, str]
) -> None:
    """An unknown authority is refused through the proxy too."""
    attempt, heads = ask(authority, "models.test", environment, proxied="")
    assert len(heads) == 1
    assert "CERTIFICATE_VERIFY_FAILED" in str(attempt.reply.detail)
    assert not attempt.again


def test_plain_http_is_forwarded_by_the_proxy(environment: dict[str, str]) -> None:
    """The proxy gets the whole URL."""
    attempt, heads = ask(None, "models.test", environment, proxied="")
    assert attempt.reply.text == "hi"
    assert heads[0].startswith("POST http://models.test:")


def test_this_machine_is_reached_without_the_proxy(environment: dict[str, str]) -> None:
    """A local server or the simulated provider is never reached through a proxy."""
    attempt, heads = ask(None, "127.0.0.1", environment, proxied="")
    assert (attempt.reply.text, heads) == ("hi", [])


@every_row(
    "environment, url, proxy",
    [
        ({"https_proxy": "http://proxy:3128"}, "https://api.test/v1", "http://proxy:3128"),
        ({"https_proxy": "http://proxy:3128"}, "http://api.test/v1", None),
        ({"https_proxy": "proxy:3128"}, "https://api.test/v1", "http://proxy:3128"),
        ({"https_proxy": " "}, "https://api.test/v1", None),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "api.test"}, "https://api.test/v1", None),
        ({"https_proxy": "http://p:1", "no_proxy": "test"}, "https://api.test/v1", None),
        ({"https_proxy": "http://p:1", "no_proxy": "est"}, "https://api.test/v1", "http://p:1"),
        (
            {"https_proxy": "http://p:1", "no_proxy": "a.test, api.test:8443"},
            "https://api.test:8443/v1",
            None,
        ),
        ({"https_proxy": "http://p:1", "no_proxy": "api.test:8443"}, "https://api.test/v1", "http://p:1"),
        ({"http_proxy": "http://p:1", "no_proxy": "x/y,10.0.0.0/8"}, "http://10.2.3.4:8000/v1", None),
        ({"http_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"}, "http://11.2.3.4:8000/v1", "http://p:1"),
        ({"http_proxy": "http://p:1"}, "http://localhost:11434/v1", None),
        ({"http_proxy": "http://p:1"}, "http://[::1]:8000/v1", None),
        ({"http_proxy": "http://p:1", "no_proxy": "*"}, "http://api.test/v1", None),
        ({"all_proxy": "http://proxy:1"}, "http://api.test/v1", "http://proxy:1"),
        ({"http_proxy": "http://p:1", "no_proxy": ".API.test"}, "http://v2.api.test/v1", None),
        ({}, "https://api.test/v1", None),
    ],
)
def test_proxies_of_the_environment(environment: dict[str, str], url: str, proxy: str | None) -> None:
    """HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY have their usual meaning, in either case."""
    assert proxy_for(url, environment) == proxy
    upper = {name.upper(): value for name, value in environment.items()}
    assert proxy_for(url, upper) == proxy


def test_a_socks_proxy_is_refused_before_anything_is_sent(environment: dict[str, str]) -> None:
    """The message names the variable and the remedy, and contains no password."""
    environment["ALL_PROXY"] = "socks5h://user:secret@proxy:1080"
    with pytest.raises(InvalidInput, match="ALL_PROXY names a socks5h proxy") as caught:
        check_network(["https://api.test/v1"], environment)
    assert "secret" not in str(caught.value)


def test_a_name_in_lower_case_takes_precedence_and_the_process_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the environment that is passed in counts."""
    monkeypatch.setenv("HTTPS_PROXY", "http://process:1")
    both = {"HTTPS_PROXY": "http://upper:1", "https_proxy": "http://lower:1"}
    assert proxy_for("https://api.test/v1", both) == "http://lower:1"
    assert proxy_for("https://api.test/v1", {}) is None


@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_bundle_that_cannot_be_read_is_refused(variable: str, content: str | None, tmp_path: Path) -> None:
    """The message names the variable and the file, which OpenSSL would not report."""
    bundle = tmp_path / "ca.pem"
    if content is not None:
        bundle.write_text(content)
    with pytest.raises(InvalidInput, match=f"invalid {variable} .*ca.pem"):
        tls_context({variable: str(bundle)})


def test_a_proxy_over_tls_is_checked_too(environment: dict[str, str]) -> None:
    """Plain endpoints behind an https proxy need authorities; without one they do not."""
    assert not uses_tls("http://api.test/v1", environment)
    environment["HTTP_PROXY"] = "https://proxy:3128"
    assert uses_tls("http://api.test/v1", environment)
