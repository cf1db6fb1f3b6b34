"""Identity: every node's ``key`` is a tagged hash of its canonical content.

Equal content has an equal key, so equal things merge by construction, and ``verify`` can re-derive every key. The tag
(``action``, ``task`` ...) is part of what is hashed, so no two kinds of node can share a key.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

#: Hexadecimal digits of a key. 128 bits: no accidental collision in any store that fits a disk.
DIGITS = 32


def canonical(content: Any) -> str:
    """JSON with sorted keys and no spaces; ValueError for what JSON cannot hold (NaN, infinities)."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(text: str) -> str:
    """The first 128 bits of SHA-256, in hexadecimal. Lone surrogates are hashed as they are, not refused."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def key_of(tag: str, content: Any) -> str:
    """``tag:digest`` of JSON-able ``content``."""
    return f"{tag}:{digest(tag + chr(0) + canonical(content))}"
