"""The public half of an authority that was never made, for tests of the guide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pretended:
    """As far as the guide shows it."""

    pem: bytes = b"-----BEGIN CERTIFICATE-----\n"
    fingerprint: str = ":".join(f"{(37 * number + 11) % 256:02X}" for number in range(32))
