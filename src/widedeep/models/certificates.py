"""What are servers' certificates checked with? Read once: it takes longer than many turns."""

from __future__ import annotations

import ssl
from functools import cache


@cache
def tls() -> ssl.SSLContext:
    """Return the one context of this process."""
    from httpx2 import create_ssl_context

    return create_ssl_context()
