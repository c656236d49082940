"""Turning the bytes of a text into characters: which encoding were they written in?"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from assay.core.errors import InvalidInput, Problem

SAMPLE = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHINESE = ("gb18030", "big5")
_COMMON = re.compile(
    "[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天"
    "題目選擇答案下列正確錯誤關於這個說們為來時國學對後點與從還沒會題选择项解析材料分问第等及其所，。、：；？（）「」《》“”]"
)
_MOST = 0.3
_WESTERN = frozenset("éèêëàâäçîïôöùûüÿñáíóúßæøåœÉÈÀÇÄÖÜÑÅØ«»“”‘’–—…°±×·£€§¿¡")


def encoding_of(raw: bytes, place: str) -> str:
    """Return the name of the encoding that a text, or its beginning, was written in.

    A byte order mark decides, then UTF-8; of the Chinese encodings the one that yields the commoner
    characters; then what charset-normalizer finds. Raises InvalidInput where nothing fits.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return name
    if _decodes(raw, "utf-8"):
        return "utf-8"
    wide = _wide(raw)
    if wide is not None:
        return wide
    best = max(_CHINESE, key=lambda name: _commonness(raw, name))
    if _commonness(raw, best) > _MOST:
        return best
    from charset_normalizer import from_bytes

    guess = from_bytes(raw[:SAMPLE]).best()
    if guess is None or b"\x00" in raw[:1000]:
        raise InvalidInput(Problem("is no text: its bytes fit no encoding; save it as UTF-8", place))
    return "cp1252" if _is_western(raw) else guess.encoding


def decode(raw: bytes, place: str) -> tuple[str, str]:
    """Return a text and the name of its encoding; what does not decode becomes U+FFFD."""
    name = encoding_of(raw, place)
    return raw.decode(name, errors="replace"), name.removesuffix("-sig")


def sampled_encoding(path: Path) -> str:
    """Return the encoding of a text file by its first MiB."""
    with path.open("rb") as file:
        raw = file.read(SAMPLE)
    cut = raw.rfind(b"\n")
    return encoding_of(raw[: cut + 1] if len(raw) == SAMPLE and cut > 0 else raw, str(path))


def _is_western(raw: bytes) -> bool:
    """Whether all signs beyond ASCII are common in Western Europe: a short text has too few to tell more."""
    text = raw[:SAMPLE].decode("cp1252", errors="replace")
    return all(sign in _WESTERN for sign in text if sign > "\x7f")


def _wide(raw: bytes) -> str | None:
    """Return UTF-16 with its order where every other byte of mostly ASCII text is 0."""
    sample = raw[:4096]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    name = "utf-16-le" if odd > even else "utf-16-be"
    return name if max(even, odd) > len(sample) / 10 and _decodes(raw[: len(raw) // 2 * 2], name) else None


def _decodes(raw: bytes, name: str) -> bool:
    try:
        raw.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _commonness(raw: bytes, name: str) -> float:
    """Return the share of common Chinese characters among all beyond ASCII; 0 where it does not decode."""
    text = raw[:SAMPLE].decode(name, errors="ignore")
    beyond = sum(1 for sign in text if sign > "\x7f")
    if not beyond or (len(raw) < SAMPLE and not _decodes(raw, name)):
        return 0.0
    return len(_COMMON.findall(text)) / beyond
