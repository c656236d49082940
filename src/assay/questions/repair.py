"""Repair of texts that encodings, converters and fonts have damaged, without changes to their meaning.

Formulas, Chinese punctuation and characters such as ①, ℃ and x² are kept: NFKC on everything would turn x²
into x2.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

import ftfy
from ftfy.badness import is_bad

from assay.core.documented import DocumentedStrEnum, HelpText


class Repair(DocumentedStrEnum):
    """A kind of repair of a text."""

    MOJIBAKE = (
        "text read in a wrong encoding corrected",
        HelpText("""
            The text had been read in a wrong encoding earlier ("Ã©" for "é", or Chinese as rows of
            accents), and this was undone.

            It happens when a file was opened and saved by a program that guessed its encoding. The damage
            is reversible as long as no byte was dropped.

            Read a few of the repaired questions with `assay bank show UUID`. If they are wrong, import the
            original file with its right `--encoding`.
        """),
    )
    ENTITIES = (
        "HTML entities replaced",
        HelpText("""
            HTML entities such as `&lt;` or `&nbsp;` were replaced by the characters that they stand for.

            Files that were copied from web pages are full of them, and a candidate would see the codes.

            Nothing as a rule. In a question about HTML itself the codes may be what is asked about: look at
            such questions before you accept them.
        """),
    )
    CONTROLS = (
        "control characters removed",
        HelpText("""
            Control characters, which are invisible and mean nothing in a text, were removed.

            They come from old word processors. Some tools stop at them, and they make equal texts look
            different to a program.

            Nothing. A control character inside a word is not removed, because a ligature was lost there:
            such a question is a reject.
        """),
    )
    INVISIBLE = (
        "invisible characters removed",
        HelpText("""
            Invisible characters were removed: soft hyphens, zero-width spaces, marks of writing direction.

            They are copied along from web pages and PDF files. Two questions that look the same would not
            be recognised as duplicates.

            Nothing. The visible text is unchanged. If the question is about invisible characters, edit it
            on the review page.
        """),
    )
    SPACES = (
        "unusual spaces and line ends replaced",
        HelpText("""
            Unusual spaces (no-break, full-width and others) became ordinary ones, and all line ends became
            line feeds.

            Searching, comparing and splitting a text depends on spaces. The difference can rarely be seen.

            Nothing, unless a layout made of spaces matters, as in a table: then look at the question with
            `assay bank show UUID`.
        """),
    )
    WIDTHS = (
        "full-width letters, digits and signs narrowed",
        HelpText("""
            Full-width letters, digits and signs, as East Asian keyboards write them, became the usual
            narrow ones.

            "Ａ" and "A" are different characters to a program, so a key could miss its option.

            Nothing. Chinese punctuation in Chinese texts stays as it is.
        """),
    )
    LOOK_ALIKES = (
        "ligatures and look-alike characters replaced",
        HelpText("""
            Ligatures such as "ﬁ", and compatibility characters that look like ordinary Chinese ones, were
            replaced by the ordinary ones.

            They come from PDF files and fonts. A word with a ligature is not found by searching, and models
            read it less well.

            Nothing. The text looks the same as before.
        """),
    )
    PUNCTUATION = (
        "Chinese punctuation in an English text replaced",
        HelpText("""
            Chinese punctuation in a text without Chinese characters was replaced by the Latin signs.

            It was typed with the wrong keyboard layout. A full-width comma in an English sentence
            distracts, and in a number it changes what is read.

            Nothing. Texts that contain Chinese keep their punctuation.
        """),
    )
    LETTERS_REMOVED = (
        "letters removed from the options",
        HelpText("""
            The options of a record began with their own letters ("A. Paris"), and the letters were removed.

            The bank letters options itself, so they would stand there twice.

            Nothing, if the options of the question look right. Letters that are out of order are a reject
            instead, because the key could then mean a letter or a position.
        """),
    )
    IN_ORDER = (
        "options sorted by their letters",
        HelpText("""
            The options of a question in a document were not in the order of their letters, and were sorted
            by them.

            Options in two columns are often read as A, C, B, D. The key names letters, so it stays right.

            Look at one of these questions with `assay bank show UUID`. If a letter in the document is
            wrong, correct the document and import it again.
        """),
    )
    KEY_MOVED = (
        "key removed from the question's brackets",
        HelpText("""
            The key was filled into the brackets of the question, as in "The capital is ( B ).", and was
            moved out of its text.

            Left there, it would show every candidate the answer.

            Check a few with `assay bank show UUID --with-key`: the brackets must be empty and the key must
            be the letter that was in them.
        """),
    )
    SEPARATED = (
        "two questions on one line separated",
        HelpText("""
            Two questions stood on one line of the document and were separated.

            It happens when a line break was lost in a conversion. Both questions count as repaired.

            Read both with `assay bank show UUID`. If the second number belonged to the text of the first
            question, reject the second and correct the first.
        """),
    )


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
    """Return the repaired and stripped text, and the repairs. See `lost` for damage beyond repair."""
    if is_sound(text):
        return text.strip(), ()
    suspect = _SUSPECT.search(text) is not None
    if not suspect and text.isascii():
        return text.strip(), ()
    made: list[Repair] = []
    for name, step in _STEPS if suspect else _STEPS[-1:]:
        repaired = step(text)
        if repaired != text:
            made.append(name)
            text = repaired
    return text.strip(), tuple(made)


def is_sound(text: str) -> bool:
    """Whether a text is ASCII and needs no repair."""
    return (
        text.isascii()
        and "&" not in text
        and (text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable())
    )


def lost(text: str) -> bool:
    """Whether a text has characters that no repair can restore.

    These are replacement characters, private characters, and control characters within a word, where a
    ligature was.
    """
    if _TORN.search(text) is not None:
        return True
    return not text.isascii() and (_LOST.search(text) is not None or _PRIVATE.search(text) is not None)


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese: it has at least twice as many Chinese characters as Latin words.

    Words have three letters or more; commands and symbols of formulas do not count.
    """
    if text.isascii():
        return False
    signs = len(_CHINESE.findall(text))
    return signs > 0 and signs >= 2 * len(_WORD.findall(_COMMAND.sub(" ", text)))


def _encoding(text: str) -> str:
    if _GBK_SIGNS.search(text):
        repaired = _recode(text, "gb18030", "utf-8")
        if repaired is not None:
            return repaired
    if _LATIN1_RUN.search(text):
        repaired = _recode(text, "latin-1", "gb18030")
        if repaired is not None and len(_CHINESE.findall(repaired)) > 1 and is_chinese(repaired):
            return repaired
    if not text.isascii() and is_bad(text):
        return ftfy.fix_encoding(text)
    return text


def _recode(text: str, written: str, read: str) -> str | None:
    try:
        return text.encode(written).decode(read)
    except UnicodeError:
        return None


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda match: html.unescape(match.group()), text) if "&" in text else text


def _look_alikes(text: str) -> str:
    text = text.translate(_LIGATURES)
    return _LOOK_ALIKE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def _punctuation(text: str) -> str:
    if _CHINESE_PUNCTUATION.search(text) is None or _CHINESE.search(text):
        return text
    text = _THOUSANDS.sub(",", text)
    return _PUNCTUATED.sub(lambda match: _squeeze(match.group().translate(_PUNCTUATION)), text).rstrip()


def _squeeze(signs: str) -> str:
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
