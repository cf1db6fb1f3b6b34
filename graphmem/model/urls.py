"""URLs: what of them lasts. A site is a registrable host, a page a pattern without ids, values and session state."""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

_SESSION = re.compile(
    r"^(_?afr|_adf|jsessionid|phpsessid|aspsessionid|sid|sess(ion)?(_?id)?|s_?id|gclid|fbclid|msclkid|utm_|_ga|_gl|"
    r"csrf|xsrf|nonce|state|ts|timestamp|_|cb|cachebuster|rnd|rand)",
    re.IGNORECASE,
)
_PATH_SESSION = re.compile(r";(jsessionid|sid|phpsessid)=[^/?#;]*", re.IGNORECASE)
_ID = re.compile(r"^(\d+|[0-9a-f]{8,}|[0-9a-f-]{32,36}|(?=[^/]*\d)[A-Za-z0-9_-]{16,})$", re.IGNORECASE)


def split(url: str) -> SplitResult | None:
    """``urlsplit`` that answers None instead of raising."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def without_session(url: str) -> str:
    """The URL without session state (``jsessionid``, ``_afrLoop``, click ids ...) and without its fragment's query."""
    parts = split(url)
    if parts is None or not parts.netloc:
        return url
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _SESSION.match(k)]
    path = _PATH_SESSION.sub("", parts.path)
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(query), parts.fragment.partition("?")[0]))


def page_pattern(url: str) -> str:
    """Host and path with ids as ``{id}``, and the names of query parameters: what two visits to one page share."""
    parts = split(url)
    if parts is None or not (parts.netloc or parts.path):
        return ""
    segments = ["{id}" if _ID.match(s) else s for s in _PATH_SESSION.sub("", parts.path).split("/")]
    names = sorted({k for k, _ in parse_qsl(parts.query, keep_blank_values=True) if not _SESSION.match(k)})
    path = "/".join(segments).rstrip("/") or "/"
    return parts.netloc.casefold() + path + ("?" + "&".join(names) if names else "")


def site_of(url: str) -> str:
    """The registrable host of a URL; host and port for addresses and names without a public suffix; "" without a host."""
    parts = split(url)
    if parts is None or not parts.hostname or parts.scheme not in ("http", "https", "ws", "wss", ""):
        return ""
    host = parts.hostname.casefold()
    try:
        port = parts.port
    except ValueError:
        port = None
    registrable = "" if _is_address(host) else _registrable(host)
    return registrable or (f"{host}:{port}" if port else host)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> Any:
    from tldextract import TLDExtract

    # The public suffix list that ships with the package: nothing is fetched, nothing is cached on disk.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


@cache
def _registrable(host: str) -> str:
    return str(_suffixes()(host).top_domain_under_public_suffix)
