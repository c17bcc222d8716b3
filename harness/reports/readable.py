"""Text of a subject's, a test's or an author's that cannot harm the format it is put into.

Every renderer sends what it did not write itself through here. What no reader can see, or what would turn the text
around it (control characters, bidirectional marks, lone surrogates, noncharacters), becomes the escape that Python
would write; then comes what the format itself asks for.
"""

from __future__ import annotations

import re
from urllib.parse import quote

_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\ufeff\ufff9-\uffff\ud800-\udfff"
    "\ufdd0-\ufdef\U000e0000-\U000e0fff"
) + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
_ON_ONE_LINE = re.compile(f"[{_UNSEEN}]")
_ON_LINES = re.compile(f"(?![\n\t])[{_UNSEEN}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # the last four are their full-width forms
_MARKDOWN = re.compile(
    r"""[\\`*_{}\[\]<>&#!|~$@^]|(?<=\w)\.(?=[^\W\d])|(?<=[^\W\d])\.(?=\d)|:(?=/)|\A[-+=.:?/'"(]|(?<=\A\d)[.)]|(?<=\A\d\d)[.)]"""
)
"""What Markdown or HTML could read something into, and a mark or a number of a list at the beginning of a line."""


def readable(text: str) -> str:
    """The text on one line."""
    return _ON_ONE_LINE.sub(_escaped, text)


def shortened(text: str, most: int) -> str:
    """The text on one line and cut to `most` characters, the last of which then says so."""
    shown = readable(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def readable_lines(text: str) -> str:
    """The text with its line ends and tabs as they are."""
    return _ON_LINES.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    char = found.group()
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def csv_cell(text: str) -> str:
    """The text for one cell of a table: a spreadsheet that opens it must not take it for a formula."""
    shown = readable(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown


def markdown_text(text: str) -> str:
    """The text as words of Markdown: every sign that could be more than itself is a character reference."""
    return _MARKDOWN.sub(lambda found: f"&#{ord(found.group())};", readable(text))


def markdown_block(text: str, language: str = "") -> str:
    """Lines of code as a fenced block whose fence the lines do not have."""
    shown = readable_lines(text)
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown.rstrip()}\n{fence}"


def uri_path(path: str) -> str:
    """A path below the course as a relative URI."""
    return quote(path.encode("utf-8", "backslashreplace").decode(), safe="/")
