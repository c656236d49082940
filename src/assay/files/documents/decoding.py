"""Detecting the encoding of a text, and decoding it."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from charset_normalizer import from_bytes

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
_RUN = re.compile(r"[^\W\x00-\x7f]{3}")
_WESTERN = frozenset("éèêëàâäçîïôöùûüÿñáíóúßæøåœÉÈÀÇÄÖÜÑÅØ«»“”‘’–—…°±×·£€§¿¡")


def encoding_of(raw: bytes, place: str, *, named: str | None = None) -> str:
    """Return the name of the encoding of a text or its beginning.

    `named` is the user's choice. Otherwise a byte order mark decides, then UTF-8, UTF-16 and the Chinese
    encodings by their commonest characters, then single Western European letters among ASCII. Raises
    InvalidInput if none of these fits: a guess could turn letters into other letters unnoticed.
    """
    if named is not None:
        return known_encoding(named)
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
    if b"\x00" in raw[:1000]:
        raise InvalidInput(Problem("the file is not text in any known encoding: save it as UTF-8", place))
    if _is_western(raw):
        return "cp1252"
    raise InvalidInput(
        Problem(
            f"unknown encoding{_candidate(raw)}: give it with --encoding, or save the file as UTF-8",
            place,
        )
    )


def known_encoding(name: str) -> str:
    """Return Python's name of an encoding. Raises InvalidInput if it is not a text encoding."""
    try:
        codec = codecs.lookup(name)
    except LookupError:
        codec = None
    if codec is None or not getattr(codec, "_is_text_encoding", True):
        raise InvalidInput(
            f"unknown encoding {name!r}: give one such as utf-8, gb18030, big5, cp1251 or shift_jis"
        )
    return codec.name


def decode(raw: bytes, place: str, *, named: str | None = None) -> tuple[str, str]:
    """Return a text and the name of its encoding. Raises InvalidInput if the named encoding does not fit."""
    name = encoding_of(raw, place, named=named)
    try:
        return raw.decode(name, errors="replace" if named is None else "strict"), name.removesuffix("-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            Problem(
                f"the text is not {name}: byte {error.start:,} is {raw[error.start]:#04x}; check --encoding",
                place,
            )
        ) from None


def sampled_encoding(path: Path, *, named: str | None = None) -> str:
    """Return the encoding of a text file, detected from its first MiB."""
    with path.open("rb") as file:
        raw = file.read(SAMPLE)
    cut = raw.rfind(b"\n")
    return encoding_of(raw[: cut + 1] if len(raw) == SAMPLE and cut > 0 else raw, str(path), named=named)


def _candidate(raw: bytes) -> str:
    """Return a hint at the possible encoding."""
    guess = from_bytes(raw[:SAMPLE]).best()
    return "" if guess is None else f" (it may be {guess.encoding})"


def _is_western(raw: bytes) -> bool:
    """Whether a text is mostly ASCII with single other letters that are common in Western Europe.

    In Cyrillic and Greek texts read as cp1252 such letters follow each other.
    """
    text = raw[:SAMPLE].decode("cp1252", errors="replace")
    beyond = [sign for sign in text if sign > "\x7f"]
    few = 3 * len(beyond) < len(text)
    return few and all(sign in _WESTERN for sign in beyond) and _RUN.search(text) is None


def _wide(raw: bytes) -> str | None:
    """Return UTF-16 with its byte order if every other byte is 0 (ASCII) or Chinese is common."""
    sample = raw[:4096]
    if len(sample) < 4 or (len(raw) % 2 and len(raw) < SAMPLE):
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    name = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) > len(sample) / 10 and _decodes(raw[: len(raw) // 2 * 2], name):
        return name
    best = max(("utf-16-le", "utf-16-be"), key=lambda name: _commonness(raw, name))
    return best if _commonness(raw, best) > _MOST else None


def _decodes(raw: bytes, name: str) -> bool:
    try:
        raw.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _commonness(raw: bytes, name: str) -> float:
    """Return the share of common Chinese characters among those beyond ASCII; 0 if it cannot be decoded."""
    text = raw[:SAMPLE].decode(name, errors="ignore")
    beyond = sum(1 for sign in text if sign > "\x7f")
    if not beyond or (len(raw) < SAMPLE and not _decodes(raw, name)):
        return 0.0
    return len(_COMMON.findall(text)) / beyond
