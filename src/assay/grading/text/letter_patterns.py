"""Patterns of how people write that they choose, or reject, a lettered option."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assay.grading.text.lexicon import Lexicon

_LETTERS = Lexicon("letters")

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_ALONE_BEFORE = rf"(?<![^\W{_CJK}])(?<!['’])"
_ALONE_AFTER = rf"(?!['’]|[^\W{_CJK}])"
"""A letter must be a separate word, but scripts without spaces may touch it."""

_LEAD = r"[\s*_`\"'>#-]*"
_CLOSE = r"[*_`\"']*"
_WORD = r"(?:option|choice|answer|letter|statement)"
_CONNECTIVE = r"(?:because|since|as|and|or|but|with|for|due|given|which|over|than|from|based)\b"
_GOES_ON = (
    r"\s+(?=\(not\b|(?:because|since|as|or|and|rather\s+than|instead\s+of|"
    r"is\s+(?:the|correct|right|best|my)(?!\s+(?:wrong|incorrect)))\b)"
)
_AUXILIARY = (
    r"(?:is|are|was|were|be|has|have|had|does|do|did|can|cannot|could|may|might|will|would|should|must)"
)
_PRAISED = (
    r"(?:(?:is|seems|looks|must\s+be|has\s+to\s+be|should\s+be|would\s+be|may\s+be|might\s+be)\s+"
    r"(?:(?:therefore|thus|clearly|indeed|still)\s+)?"
    r"(?:the|my|what|correct|right|best|better|true|most|more|least|chosen|preferred)\b|"
    r"has\s+the\s+(?:most|least|[a-z]+est)\b)"
)
_ACTS = r"[a-z]+(?:s|ed)\s+(?:[A-Z](?!\w)|(?:the|an?|both|no|its|on|in|to|by)\b)"
_NO_SUBJECT = rf"(?!\s+(?!{_PRAISED})(?:{_AUXILIARY}\b|{_ACTS}))"
"""Excludes a letter that is the subject of a statement about a variable (`B is a mediator`, `B causes D`)."""

_NO_PHRASE = rf"(?!\s+(?!{_CONNECTIVE})[a-z]+\s+[a-z]+\s+[a-z])"
_NO_WORD = rf"(?!\s+(?!{_CONNECTIVE})[a-z])"
_ASIDE = rf"\((?![^()\n]*\)\s+(?!{_CONNECTIVE})[a-z])"
"""A bracket after which no sentence about the letter continues (unlike `B (a mediator) lies on the path`)."""
_ENDS = rf"(?={_CLOSE}[)\]]?{_CLOSE}\s*(?:[.,;:!]|[-–—]|{_ASIDE}|\n|\Z|because\b|since\b))"
_CERTAIN = r"(?:(?!\b(?:not|cannot|never|might|may|could|neither)\b|n['’]t)[^.\n:=!?])"

_VERY = (
    r"(?:correct|right|best|worst|strongest|weakest|clearest|closest|safest|simplest|soundest|likeliest|"
    r"greatest|biggest|truest|(?:most|least|more|less)\s+[\w-]+)"
)
_NOUN = (
    r"(?:answer|option|choice|alternative|assessment|interpretation|position|response|statement|conclusion|"
    r"explanation|judge?ment|description|characteri[sz]ation|reading|evaluation|reply|concern|criticism|"
    r"critique|objection|reason|claim|argument|verdict|selection|match)"
)
_HEADING = r"(?:answer|conclusion|choice|verdict|selection|decision|option|response|solution|pick)"
_CLAUSE = (
    rf"(?:^|[.!?:;,\n]|\b(?:so|thus|therefore|hence|that|then|but|only|think|believe|conclude|{_WORD}))"
    r"[\s*_`\"'>(\[-]*"
)
_I_CHOOSE = (
    r"(?:\b(?:i|we|let['’]?s|let\s+us|so|thus|therefore|hence)\b(?:['’](?:d|ll))?" + _CERTAIN + r"{0,25}?|"
    r"(?:^|[.!?:;,\n])[\s*_>-]*)\b(?:choose|chose|pick|picked|select|selected|go(?:ing)?\s+with)"
)

_BEFORE_LETTER = (
    r"is|be|and|or|nor|either|both|with|pick|choose|select|chose|think|believe|say|guess|probably|likely|"
    r"definitely|clearly"
)

_NEAR = 40


_PRIVATE = 0xE000
_HIDDEN = {code: _PRIVATE + code for code in range(0x30, 0x5B)}
_SHOWN = {hidden: code for code, hidden in _HIDDEN.items()}


@dataclass(frozen=True, slots=True)
class LetterPatterns:
    """Patterns of a choice among certain options.

    `opening`: a letter that begins or makes up a line (`B`, `(b)`, `B. because`); `stated`: a letter claimed
    in a sentence (`the answer is B`, `B is correct`, `the strongest concern is B.`); `final`: a letter
    concluded in the last words of the text (`so B`); `corrected`: a letter after words that withdraw another
    (`Actually, C.`); `named`: an option named in passing (`option B`); `label`: an option named by its label
    (`B) 1.05`); `option`: the label of a line that repeats the option's text (`**B. 0.4**`); `single`: a
    letter in words that are known to answer; `joined`: letters joined to the one before (`, C`, `or C`);
    `row`: letters in a row (`A, B and C`); `mention`: a letter alone or in brackets; `letter`: a letter
    alone.
    """

    opening: re.Pattern[str]
    stated: re.Pattern[str]
    final: re.Pattern[str]
    corrected: re.Pattern[str]
    named: re.Pattern[str]
    label: re.Pattern[str]
    option: re.Pattern[str]
    single: re.Pattern[str]
    joined: re.Pattern[str]
    row: re.Pattern[str]
    mention: re.Pattern[str]
    letter: re.Pattern[str]


@lru_cache(maxsize=64)
def letter_patterns(options: str) -> LetterPatterns:
    """Return the patterns for these option letters."""
    upper = "".join(re.escape(letter) for letter in options.upper())
    any_case = f"{upper}{''.join(re.escape(letter) for letter in options.lower())}"
    bare = rf"{_ALONE_BEFORE}([{upper}]){_ALONE_AFTER}"
    bracketed = rf"[(\[]{_CLOSE}([{any_case}]){_CLOSE}[)\]]"
    wrapped = rf"{_CLOSE}(?:{bracketed}|[(\[]?{_CLOSE}([{upper}]){_ALONE_AFTER}(?!\s*=|/\w))"
    several = rf"[(\[]?[{upper}]{_ALONE_AFTER}[)\]]?{_CLOSE}"
    between = rf"(?:\s*,\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor|&)\s+){_CLOSE}"
    row = rf"{_ALONE_BEFORE}{several}(?:{between}{several}){{0,9}}"
    return LetterPatterns(
        opening=_opening(upper, any_case),
        stated=_stated(wrapped, upper),
        corrected=re.compile(_corrected(wrapped)),
        final=re.compile(
            rf"(?i:\b(?:so|thus|hence|therefore|leav(?:es|ing)(?:\s+us\s+with)?(?:\s+only)?|must\s+be|"
            rf"it\s+is))[,:]?\s+(?:(?i:{_WORD})\s+)?{wrapped}(?={_CLOSE}[)\]]?{_CLOSE}[.!]?{_CLOSE}\s*\Z)"
        ),
        named=re.compile(rf"(?i:\b(?:option|choice|answer|letter)\s+|选项\s*){wrapped}"),
        label=re.compile(rf"(?<=\s)([{upper}])\)(?=\s)"),
        option=re.compile(
            rf"^[ \t>#*_-]*(?:(?i:{_WORD})[ ]+)?(?:\(([{any_case}])\)|([{upper}])[.):])[*_]*[ \t]+\S.*$",
            re.MULTILINE,
        ),
        single=re.compile(
            rf"(?:\A\s*|[^\w\s'’]\s*|(?<=[{upper}])\s+|\b(?i:{_WORD}|{_BEFORE_LETTER})\s+[*_`(\[\"']*)"
            rf"(?!A\s+(?!{_CONNECTIVE}|is\b|are\b)[a-z]|I\s+[a-z]|I,)([{upper}]){_ALONE_AFTER}{_NO_SUBJECT}"
        ),
        joined=re.compile(
            rf"[\s*_)\]`\"']*(?:(?:,|/|&|\+|;|\bor\b|\band\b|或|和)[\s*_`(\[\"']*(?:(?:or|and)\s+)?[{upper}]"
            rf"{_ALONE_AFTER}[)\]]?{_CLOSE}\s*)+(?=\W*(?:\Z|\n|and\b|or\b|are\b|is\b|because\b)|[.;:!])"
            rf"|(?:[\s.):*_]*(?<![^\W])[{upper}](?!\w))+[\s.):*_]*\Z"
        ),
        row=re.compile(row),
        mention=re.compile(rf"{bare}|{bracketed}"),
        letter=re.compile(bare),
    )


def _opening(upper: str, any_case: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}(?:(?i:{_WORD}|选项)\s*[:.]?\s*)?(?!I,|I\s+[a-z])"
        rf"(?:[(\[]([{any_case}])[)\]]{_CLOSE}"
        rf"|([{upper}]){_CLOSE}(?:[).:,\]]|\s+[-–—](?=\s)|\s*(?:\n|\Z)|{_GOES_ON})"
        rf"|([{any_case}]){_CLOSE}[.)]?\s*\Z)"
    )


def _stated(wrapped: str, upper: str) -> re.Pattern[str]:
    to_be = r"\b(?:is|be)\b"
    answer = (
        rf"(?i:\b(?:answer|(?:correct|right|best)\s+(?:option|choice))\b"
        rf"(?:{_CERTAIN}{{0,60}}?{to_be}|\s*[*_]*\s*[:=]))[\s*_`:]*"
        rf"(?!(?i:not)\b)(?:(?i:the\s+)?(?i:{_WORD})\s+)?{wrapped}{_NO_PHRASE}"
    )
    judged = (
        rf"(?i:\b(?:{_VERY}\b{_CERTAIN}{{0,40}}?\b{_NOUN}|{_NOUN}\b{_CERTAIN}{{0,40}}?\b{_VERY})\b"
        rf"{_CERTAIN}{{0,40}}?{to_be})[\s*_`:]*(?:(?i:{_WORD})\s+)?{wrapped}{_ENDS}"
    )
    heading = (
        rf"(?im:^{_LEAD}(?:(?:my|the|final|overall|best)\s+){{0,2}}{_HEADING}{_CLOSE}\s*[:=→–—-]+)"
        rf"\s*{wrapped}{_ENDS}"
    )
    chosen = rf"(?im:{_I_CHOOSE})\s+(?:(?i:{_WORD})\s+)?{wrapped}{_NO_WORD}"
    is_right = (
        rf"(?im:{_CLAUSE})([{upper}])[)\]]?{_CLOSE}\s+is\s+(?:(?:therefore|thus|clearly|indeed)\s+)?(?:the\s+)?"
        rf"(?:correct|right|best|answer)\b(?!\s+(?:that|about|to)\b)"
    )
    so_option = (
        rf"(?i:\b(?:so|thus|hence|therefore)\b,?\s+(?:the\s+)?(?:answer|option|choice))\s+{wrapped}{_ENDS}"
    )
    chinese = (
        rf"(?:(?:正确)?答案(?:应该?|应当)?(?:是|为|选)?|正确选项(?:是|为)?|(?<!不)选择?)[\s\]:]*{wrapped}"
    )
    ways = (answer, judged, heading, chosen, is_right, so_option, chinese, _corrected(wrapped))
    return re.compile("|".join(ways))


def _corrected(wrapped: str) -> str:
    return (
        rf"(?i:\b(?:actually|wait|correction|sorry|i\s+mean|no|rather|on\s+(?:second\s+thoughts?|reflection)))"
        rf"\s*[,.:-]+\s*(?i:(?:no|it|that|this|the\s+answer|should|must|is|be)[\s,]+){{0,4}}"
        rf"(?:(?i:{_WORD})\s+)?{wrapped}{_ENDS}"
    )


def letter_of(match: re.Match[str]) -> str:
    """Return the letter in a match as a capital."""
    return next(group for group in match.groups() if group).upper()


def hide_denied(text: str, patterns: LetterPatterns) -> str:
    """Return the text with the letters of denied options replaced by private characters of the same length.

    Denials are `A and C are wrong`, `neither A nor B`, `not A`, `rather than A`.
    """

    def hide(row: re.Match[str]) -> str:
        before = text[max(0, row.start() - _NEAR) : row.start()]
        if _LETTERS.denied_after.match(text, row.end()) or _LETTERS.denied_before.search(before):
            return patterns.letter.sub(lambda letter: letter[0].translate(_HIDDEN), row[0])
        return row[0]

    return patterns.row.sub(hide, text)


def unhide(words: str) -> str:
    """Return words with their hidden letters restored."""
    return words.translate(_SHOWN)
