"""A private certificate authority, and a small real proxy, for tests."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority's own certificate, and a server's certificate with its key, as PEM files."""

    bundle: Path
    server: Path

    def server_context(self) -> ssl.SSLContext:
        """Return the context of a server that shows the certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server)
        return context


def make_authority(folder: Path) -> Authority:
    """Make an authority and a certificate for localhost, models.test and 127.0.0.1."""
    own, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority for tests")])
    start = datetime.now(UTC) - timedelta(days=1)
    root = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(own.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(own, hashes.SHA256())
    )
    leaf = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "models.test")]))
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(2)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=30))
        .add_extension(
            x509.SubjectAlternativeName(
                [
                    x509.DNSName("localhost"),
                    x509.DNSName("models.test"),
                    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
                ]
            ),
            critical=False,
        )
        .sign(own, hashes.SHA256())
    )
    bundle, server = folder / "authority.pem", folder / "server.pem"
    bundle.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    server.write_bytes(secret + leaf.public_bytes(serialization.Encoding.PEM))
    return Authority(bundle, server)


@dataclass
class Proxy:
    """A forward proxy that tunnels CONNECT and forwards plain requests.

    Whatever host it is asked for, it reaches `port` on this machine. `heads` are the request heads it read.
    """

    port: int
    heads: list[str] = field(default_factory=list)
    address: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head.decode())
        upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.port)
        if head.startswith(b"CONNECT "):
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            method, url, rest = head.split(b" ", 2)
            path = b"/" + url.split(b"/", 3)[3]
            upstream_writer.write(b" ".join((method, path, rest)))
        await asyncio.gather(_pump(reader, upstream_writer), _pump(upstream_reader, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxying(port: int) -> AsyncIterator[Proxy]:
    """Serve a proxy to `port` on a free port."""
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
