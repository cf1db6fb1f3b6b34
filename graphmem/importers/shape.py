"""The shape of a file, told from its first bytes: enough to know a format, whether or not they are valid JSON."""

from __future__ import annotations

import re

from graphmem.importers.source import Unreadable, encoding_of

_KEY = re.compile(r'"([A-Za-z_$][\w$ -]{0,60})"\s*:')
_JSON_LINE = re.compile(r'^\{"', re.MULTILINE)
_FENCE = re.compile(r"^```", re.MULTILINE)

#: Recordings of other tools, by the keys that only they have together.
_STRANGERS = (
    ({"tests", "commands"}, "a Selenium IDE project"),
    ({"history", "model_output"}, "a browser-use history"),
    ({"drawflow"}, "an Automa workflow"),
    ({"workflow_definition"}, "a Skyvern workflow"),
    ({"input_schema", "steps"}, "a workflow-use workflow"),
    ({"log", "entries"}, "a HAR network log"),
    ({"web_name", "ques"}, "a list of WebVoyager's tasks, without what was done"),
    ({"notice", "answers"}, "reference answers, without what was done"),
    ({"chromeRole", "backendDOMNodeId"}, "the accessibility tree of one page"),
    ({"conversations", "images"}, "conversations to train a model on, not a run"),
    ({"intent_template_id", "tool", "said"}, "an agent's tool calls, whose targets are prose"),
    ({"n_steps", "cum_reward"}, "the summary of a BrowserGym run, which is read with its experiment.log"),
)
_TEXTS = (
    (
        re.compile(r"puppeteer|targetPage|page\.(goto|click|locator|\$)", re.IGNORECASE),
        "a browser script. In the Recorder, choose Export > JSON instead",
    ),
    (re.compile(r"^\s*<(!doctype|html|\?xml|[a-z]+[\s>])", re.IGNORECASE), "HTML or XML"),
    (
        re.compile(r"\A\s*(DEBUG|INFO|WARNING|ERROR) - "),
        "the log of a program. Of WebVoyager's runs, interact_messages.json is read",
    ),
    (_FENCE, "Markdown. Put the JSON between its fences into a file of its own"),
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
    """Every key of any object in the first bytes; none where they are no JSON, whatever JSON they quote."""
    text = text_of(head)
    return set(_KEY.findall(text)) if _is_json(text) else set()


def _is_json(text: str) -> bool:
    """Begins like JSON, or like lines of it of which the first is damaged."""
    starts = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
    return (starts or bool(_JSON_LINE.search(text))) and not _FENCE.search(text)


def describe(head: bytes) -> str:
    """What a file that no importer knows looks like, in words that quote nothing of it."""
    text = text_of(head)
    keys = keys_of(head)
    for signature, what in _STRANGERS:
        if signature <= keys:
            return f"looks like {what}"
    for pattern, what in _TEXTS:
        if pattern.search(text):
            return f"looks like {what}"
    return "is JSON, but not a recording" if _is_json(text) else "is text, but not JSON"
