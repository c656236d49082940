"""Repairing a text that encodings, converters and fonts have damaged, without touching what is meant.

Formulas, Chinese punctuation and signs of their own (①, ℃, x²) stay as they are: NFKC on everything would
turn x² into x2.
"""

from __future__ import annotations

import html
import re
from enum import StrEnum
from typing import Final

import ftfy
from ftfy.badness import is_bad


class Repair(StrEnum):
    """One way in which a text was repaired."""

    MOJIBAKE = "text read in a wrong encoding put right"
    ENTITIES = "HTML entities replaced"
    CONTROLS = "control characters removed"
    INVISIBLE = "invisible characters removed"
    SPACES = "odd spaces and line ends replaced"
    WIDTHS = "full-width letters, digits and signs narrowed"
    LOOK_ALIKES = "ligatures and look-alike characters replaced"
    PUNCTUATION = "Chinese punctuation in an English text replaced"


_SUSPECT: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u2f00-\u2fd5"
    "\u3000\ue000-\ufaff\ufb00-\ufb06\ufe50-\ufe6b\ufeff\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1c-\uff1e"
    "\uff20-\uff5d\ufff9-\uffff]|[\x80-\xff\u0192-\u02dc]{2}|&[#a-zA-Z]|锛|銆|鈥|鐨勬|浠ヤ|鏄竴"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_INVISIBLE = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_ENTITY = re.compile(
    r"&(?:lt|gt|amp|nbsp|quot|apos|[lr]dquo|[lr]squo|[mn]dash|hellip|times|divide|deg|plusmn|middot|"
    r"#\d{2,6}|#[xX][0-9a-fA-F]{2,5});"
)
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"\b[A-Za-z][a-z]{2,}\b")
_LATIN1_RUN = re.compile("[\xa1-\xfe]{4,}")
_GBK_SIGNS = re.compile("锛|銆|鈥|鐨勬|浠ヤ|鏄竴")
_LOST = re.compile("[\ufffd\ufffe\uffff]|锟斤拷|烫烫烫|屯屯屯")
_TORN = re.compile("(?<=[A-Za-z])[\x00-\x06\x08\x0e-\x1d](?=[a-z])")
_PRIVATE = re.compile("[\ue000-\uf8ff]")

_NARROW_SIGNS = "＂＃＄％＆＇＊＋－．／＜＝＞＠［＼］＾＿｀｛｜｝"
_WIDTHS: Final = {
    **{0xFF10 + place: 0x30 + place for place in range(10)},
    **{0xFF21 + place: 0x41 + place for place in range(26)},
    **{0xFF41 + place: 0x61 + place for place in range(26)},
    **{ord(sign): ord(sign) - 0xFEE0 for sign in _NARROW_SIGNS},
}
_SMALL: Final = str.maketrans("﹣﹪﹢﹤﹥﹦﹐﹑﹔﹕﹖﹗﹙﹚", "-%+<>=，、；：？！（）")
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
_LOOK_ALIKE = re.compile("[\u2f00-\u2fd5\uf900-\ufaff]+")
_PUNCTUATION: Final = str.maketrans(
    {"，": ", ", "；": "; ", "：": ": ", "？": "? ", "！": "! ", "（": "(", "）": ")", "。": ". "}
)
_THOUSANDS = re.compile("(?<=[0-9])，(?=[0-9]{3}(?![0-9]))")
_CHINESE_PUNCTUATION = re.compile("[，；：？！（）。]")
_PUNCTUATED = re.compile("[，；：？！（）。 ]*[，；：？！（）。][，；：？！（）。 ]*")


def repair(text: str) -> tuple[str, tuple[Repair, ...]]:
    """Return a text as it was meant, stripped, and what was repaired; `lost` tells what is beyond that."""
    if is_sound(text):
        return text.strip(), ()
    suspect = _SUSPECT.search(text) is not None
    if not suspect and text.isascii():
        return text.strip(), ()
    made: list[Repair] = []
    for name, mend in _STEPS if suspect else _STEPS[-1:]:
        mended = mend(text)
        if mended != text:
            made.append(name)
            text = mended
    return text.strip(), tuple(made)


def is_sound(text: str) -> bool:
    """Whether a text is plain ASCII without anything to repair."""
    return (
        text.isascii()
        and "&" not in text
        and (text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable())
    )


def lost(text: str) -> bool:
    """Whether a text holds signs of what no repair can bring back.

    These are replacement and private characters, and a control character within a word, where a ligature was.
    """
    if _TORN.search(text) is not None:
        return True
    return not text.isascii() and (_LOST.search(text) is not None or _PRIVATE.search(text) is not None)


def is_chinese(text: str) -> bool:
    """Whether a text is rather Chinese than English: it has twice as many Chinese characters as Latin words.

    Words have three letters or more; the commands and symbols of formulas are none.
    """
    if text.isascii():
        return False
    signs = len(_CHINESE.findall(text))
    return signs > 0 and signs >= 2 * len(_WORD.findall(_COMMAND.sub(" ", text)))


def _encoding(text: str) -> str:
    if _GBK_SIGNS.search(text):
        mended = _recoded(text, "gb18030", "utf-8")
        if mended is not None:
            return mended
    if _LATIN1_RUN.search(text):
        mended = _recoded(text, "latin-1", "gb18030")
        if mended is not None and len(_CHINESE.findall(mended)) > 1 and is_chinese(mended):
            return mended
    if not text.isascii() and is_bad(text):
        return ftfy.fix_encoding(text)
    return text


def _recoded(text: str, written: str, read: str) -> str | None:
    try:
        return text.encode(written).decode(read)
    except UnicodeError:
        return None


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found.group()), text) if "&" in text else text


def _look_alikes(text: str) -> str:
    import unicodedata

    text = text.translate(_LIGATURES)
    return _LOOK_ALIKE.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)


def _punctuation(text: str) -> str:
    if _CHINESE_PUNCTUATION.search(text) is None or _CHINESE.search(text):
        return text
    text = _THOUSANDS.sub(",", text)
    return _PUNCTUATED.sub(lambda found: _squeezed(found.group().translate(_PUNCTUATION)), text).rstrip()


def _squeezed(signs: str) -> str:
    return re.sub(" +", " ", signs).replace(" )", ")").replace("( ", "(")


_STEPS: Final = (
    (Repair.MOJIBAKE, _encoding),
    (Repair.ENTITIES, _entities),
    (Repair.SPACES, lambda text: _SPACES.sub(" ", _LINE_ENDS.sub("\n", text))),
    (Repair.CONTROLS, lambda text: text if _TORN.search(text) else _CONTROLS.sub("", text)),
    (Repair.INVISIBLE, lambda text: _INVISIBLE.sub("", text)),
    (Repair.WIDTHS, lambda text: text.translate(_WIDTHS).translate(_SMALL)),
    (Repair.LOOK_ALIKES, _look_alikes),
    (Repair.PUNCTUATION, _punctuation),
)
