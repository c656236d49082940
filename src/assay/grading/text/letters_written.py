"""How people write that they choose a lettered option, and that they do not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_ALONE_BEFORE = rf"(?<![^\W{_CJK}])(?<!['’])"
_ALONE_AFTER = rf"(?!['’]|[^\W{_CJK}])"
"""A letter is a word of its own; scripts without spaces may touch it."""

_LEAD = r"[\s*_`\"'>#-]*"
_CLOSE = r"[*_`\"']*"
_WORD = r"(?:option|choice|answer|letter|statement)"
_CONNECTIVE = r"(?:because|since|as|and|or|but|with|for|due|given|which|over|than|from|based)\b"
_GOES_ON = (
    r"\s+(?=\(not\b|(?:because|since|as|or|and|rather\s+than|instead\s+of|"
    r"is\s+(?:the|correct|right|my)(?!\s+(?:wrong|incorrect)))\b)"
)
_NO_PHRASE = rf"(?!\s+(?!{_CONNECTIVE})[a-z]+\s+[a-z]+\s+[a-z])"
_NO_WORD = rf"(?!\s+(?!{_CONNECTIVE})[a-z])"
_ENDS = rf"(?={_CLOSE}[)\]]?{_CLOSE}\s*(?:[.,;:!]|[-–—(]|\n|\Z|because\b|since\b))"
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

_DENIED_AFTER = re.compile(
    r"\s+(?:is|are|was|were|seems?|looks?)\s+"
    r"(?:(?:all|both|clearly|also|simply|therefore|thus|just|plainly)\s+)?(?:wrong|incorrect|false|invalid|untrue|"
    r"implausible|out\b|eliminated|excluded|ruled\s+out|not\s+(?:the\s+|an?\s+)?(?:correct|right|best|true|"
    r"valid|possible|supported|accurate|plausible|answer|option|it\b))",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"(?:\bnot|\bnever|n['’]t|\bcannot|\bneither|\bnor|\brul(?:e|es|ed|ing)\s+out|"
    r"\beliminat(?:e|es|ed|ing)|\breject(?:s|ed|ing)?|\brather\s+than|\binstead\s+of|\bunlike|"
    rf"\bexclud(?:e|es|ed|ing)|不是|不选|排除)\s*(?:(?:be|is|the|both|either|{_WORD}s?)\s+){{0,3}}{_CLOSE}\Z",
    re.IGNORECASE,
)
_NEAR = 40

UNSURE = re.compile(
    r"\b(?:if|whether|unless|suppose|assuming|imagine)\s+(?:[\w'’]+\s+){0,2}\Z|"
    r"(?:\bnot|\bnever|n['’]t)\s+(?:[\w'’]+\s+){0,2}\Z",
    re.IGNORECASE,
)
"""Words right before a claim that make it no claim."""

CORRECTION = re.compile(
    r"\b(?:actually|wait|correction|scratch\s+that|on\s+(?:second\s+thoughts?|reflection)|i\s+mean|sorry|"
    r"let\s+me\s+(?:re\w+|correct|change)|i\s+(?:change|withdraw|was\s+wrong|made\s+an?\s+(?:error|mistake))|"
    r"(?:that|this)\s+(?:is|was)\s+(?:wrong|incorrect|a\s+mistake|an\s+error))\b|"
    r"(?:^|[.!?;\n])\s*no\s*[,.:-]|不对|更正|等等",
    re.IGNORECASE,
)
"""Words that withdraw what was said before."""


_PRIVATE = 0xE000
_HIDDEN = {code: _PRIVATE + code for code in range(0x30, 0x5B)}
_SHOWN = {hidden: code for code, hidden in _HIDDEN.items()}


@dataclass(frozen=True, slots=True)
class Patterns:
    """How a choice among certain options is written.

    `opening`: a letter that opens or makes up a line (`B`, `(b)`, `B. because`); `stated`: a letter
    claimed in a sentence (`the answer is B`, `B is correct`, `the strongest concern is B.`); `final`: one
    concluded in the last words of all (`so B`); `corrected`: a letter after words that withdraw another
    (`Actually, C.`); `named`: an option named in passing (`option B`); `label`: by its label (`B) 1.05`);
    `single`: a letter in words that are known to answer; `joined`: letters that belong to one before
    (`, C`, `or C`); `row`: letters in a row (`A, B and C`); `mention`: a letter alone or in brackets;
    `letter`: one standing alone.
    """

    opening: re.Pattern[str]
    stated: re.Pattern[str]
    final: re.Pattern[str]
    corrected: re.Pattern[str]
    named: re.Pattern[str]
    label: re.Pattern[str]
    single: re.Pattern[str]
    joined: re.Pattern[str]
    row: re.Pattern[str]
    mention: re.Pattern[str]
    letter: re.Pattern[str]


@lru_cache(maxsize=64)
def patterns(options: str) -> Patterns:
    """Return the patterns for these option letters."""
    upper = "".join(re.escape(letter) for letter in options.upper())
    any_case = f"{upper}{''.join(re.escape(letter) for letter in options.lower())}"
    bare = rf"{_ALONE_BEFORE}([{upper}]){_ALONE_AFTER}"
    bracketed = rf"[(\[]{_CLOSE}([{any_case}]){_CLOSE}[)\]]"
    wrapped = rf"{_CLOSE}(?:{bracketed}|[(\[]?{_CLOSE}([{upper}]){_ALONE_AFTER}(?!\s*=|/\w))"
    several = rf"[(\[]?[{upper}]{_ALONE_AFTER}[)\]]?{_CLOSE}"
    between = rf"(?:\s*,\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor|&)\s+){_CLOSE}"
    row = rf"{_ALONE_BEFORE}{several}(?:{between}{several}){{0,9}}"
    return Patterns(
        opening=_opening(upper, any_case),
        stated=_stated(wrapped, upper),
        corrected=re.compile(_corrected(wrapped)),
        final=re.compile(
            rf"(?i:\b(?:so|thus|hence|therefore|leav(?:es|ing)(?:\s+us\s+with)?(?:\s+only)?|must\s+be|"
            rf"it\s+is))[,:]?\s+(?:(?i:{_WORD})\s+)?{wrapped}(?={_CLOSE}[)\]]?{_CLOSE}[.!]?{_CLOSE}\s*\Z)"
        ),
        named=re.compile(rf"(?i:\b(?:option|choice|answer|letter)\s+|选项\s*){wrapped}"),
        label=re.compile(rf"(?<=\s)([{upper}])\)(?=\s)"),
        single=re.compile(
            rf"(?:\A\s*|[^\w\s'’]\s*|(?<=[{upper}])\s+|\b(?i:{_WORD}|{_BEFORE_LETTER})\s+[*_`(\[\"']*)"
            rf"(?!A\s+(?!{_CONNECTIVE}|is\b|are\b)[a-z]|I\s+[a-z]|I,)([{upper}]){_ALONE_AFTER}"
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
    """Return the letter that a pattern found, as a capital."""
    return next(group for group in match.groups() if group).upper()


def denied_hidden(text: str, how: Patterns) -> str:
    """Return a text of the same length in which the letters of denied options are no letters.

    Denied are `A and C are wrong`, `neither A nor B`, `not A`, `rather than A`.
    """

    def hidden(row: re.Match[str]) -> str:
        before = text[max(0, row.start() - _NEAR) : row.start()]
        if _DENIED_AFTER.match(text, row.end()) or _DENIED_BEFORE.search(before):
            return how.letter.sub(lambda letter: letter[0].translate(_HIDDEN), row[0])
        return row[0]

    return how.row.sub(hidden, text)


def shown_again(words: str) -> str:
    """Return words as they were before letters in them were hidden."""
    return words.translate(_SHOWN)
