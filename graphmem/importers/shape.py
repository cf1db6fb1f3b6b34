"""The shape of a file, told from its first bytes: enough to know a format, whether or not they are valid JSON."""

from __future__ import annotations

import re

from graphmem.importers.source import Unreadable, encoding_of

_KEY = re.compile(r'"([A-Za-z_$][\w$ -]{0,60})"\s*:')

#: Recordings of other tools, by the keys that only they have together.
_STRANGERS = (
    ({"tests", "commands"}, "a Selenium IDE project"),
    ({"history", "model_output"}, "a browser-use history"),
    ({"drawflow"}, "an Automa workflow"),
    ({"workflow_definition"}, "a Skyvern workflow"),
    ({"input_schema", "steps"}, "a workflow-use workflow"),
    ({"log", "entries"}, "a HAR network log"),
)
_TEXTS = (
    (
        re.compile(r"puppeteer|targetPage|page\.(goto|click|locator|\$)", re.IGNORECASE),
        "a browser script. In the Recorder, choose Export > JSON instead",
    ),
    (re.compile(r"^\s*<(!doctype|html|\?xml|[a-z]+[\s>])", re.IGNORECASE), "HTML or XML"),
    (re.compile(r"^[^\n{\[]*```", re.MULTILINE), "Markdown. Put the JSON between its fences into a file of its own"),
    (
        re.compile(r"^\s*(const|let|var|import|export|module|function)\b|^\s*[\[{]\s*[A-Za-z_]\w*\s*:", re.MULTILINE),
        "JavaScript. Put the object into a file of its own, with quoted keys",
    ),
    (
        re.compile(r"^\s*[\[{][^\"]*'|:\s*(True|False|None)\b|^\s*\w+\s*=\s*[\[{]"),
        "a Python literal. Write it with json.dumps instead",
    ),
)


def text_of(head: bytes) -> str:
    """The first bytes as text, as far as they are any."""
    try:
        return head.decode(encoding_of(head), "ignore")
    except Unreadable:
        return ""


def keys_of(head: bytes) -> set[str]:
    """Every key of any object in the first bytes."""
    return set(_KEY.findall(text_of(head)))


def describe(head: bytes) -> str:
    """What a file that no importer knows looks like, in words that quote nothing of it."""
    text = text_of(head)
    keys = keys_of(head)
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") and keys:
        for signature, what in _STRANGERS:
            if signature <= keys:
                return f"looks like {what}"
    for pattern, what in _TEXTS:
        if pattern.search(text):
            return f"looks like {what}"
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return "is JSON, but not a recording" if keys else "looks like JSON without a recording in it"
    return "is text, but not JSON"
