"""Saying that a thing does not exist, is not known, or cannot be verified.

Some wordings say so by themselves ("I'm not familiar with it"); others only of their subject ("it
creates the file if it does not exist" says nothing about the library), so they count where the thing,
or a word for it, is the subject and nothing makes the sentence a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from assay.grading.text.lexicon import phrases
from assay.grading.text.near import matches, starts
from assay.grading.text.prose import Prose
from assay.grading.text.sentence import sentence

SORTS = (
    r"(?:papers?|stud(?:y|ies)|books?|articles?|theorems?|laws?|librar(?:y|ies)|packages?|modules?"
    r"|functions?|methods?|"
    r"class(?:es)?|tools?|frameworks?|algorithms?|techniques?|concepts?|terms?|features?|parameters?"
    r"|arguments?|options?|flags?|"
    r"commands?|apis?|endpoints?|protocols?|standards?|syntax|languages?|models?|events?|battles?|treat(?:y"
    r"|ies)|persons?|authors?|"
    r"researchers?|scientists?|compan(?:y|ies)|products?|effects?|phenomen(?:on|a)|syndromes?|drugs?"
    r"|species|cit(?:y|ies)|works?|"
    r"versions?|releases?|attributes?|decorators?|hooks?|operators?|things?|names?|entit(?:y|ies)|one|rfcs?"
    r"|specifications?|"
    r"projects?|organi[sz]ations?|awards?|films?|songs?|quotes?|rules?|principles?|paradox(?:es)?|datasets?"
    r"|benchmarks?|reports?|surveys?|publications?|documents?)"
)
_KNOWN = (
    r"(?:such\b|records?\b|mention\b|trace\b|documentation\b|references?\s+to\b|information\b"
    r"|evidence\s+(?:that\s+(?:such|this|it|the|any)|of\s+(?:such|this|it|any|an?))\b|"
    r"(?:known|widely|well-known|official|built-in|native|verifiable|verified|documented|credible|reliable"
    r"|published|publicly|recogni[sz]ed|"
    r"established|generally|public|standard|real|actual|existing|historical|notable"
    r"|peer-reviewed)[\s-]+(?:\w+[\s-]+){0,5}?"
    rf"(?:{SORTS}|records?|documentation|information|evidence)\b)"
)
_UNSEEN = (
    r"(?:information|records?|knowledge|data|details?|sources?|references?|documentation|evidence|memory"
    r"|familiarity|mention|"
    r"trace|anything|specifics|context)"
)
_ALONE = re.compile(
    r"\b(?:not|un)\s?(?:actually\s+|personally\s+|specifically\s+|really\s+"
    r"|immediately\s+)?familiar\s+with(?!\s+your)"
    r"|\b(?:not\s+(?:actually\s+|currently\s+|personally\s+)?aware"
    r"|unaware)\s+of(?!\s+(?:\w+\s+){0,2}?(?:issues?|limitations?|downsides?|"
    r"problems?|better|alternatives?|bugs?|reasons?|drawbacks?)\b)"
    r"|\b(?:not|\w+n't|never|no\s+longer)\s+(?:actually\s+|personally\s+|really\s+)?(?:heard\s+of"
    r"|seen\s+any|encountered|come\s+across|"
    r"(?:been\s+)?able\s+to\s+(?:find|locate|verify|confirm|identify|recall|trace|recogni[sz]e))(?!\s+your)"
    r"|\bnever\s+(?:existed|heard\s+of)\b|\bunable\s+to\s+(?:find|locate|verify|confirm|identify|recall"
    r"|trace|recogni[sz]e)\b"
    rf"|\b(?:do\s+not|don't|did\s+not|didn't|cannot|can't|could\s+not|couldn't|can\s+not)\s+(?:\w+ly\s+"
    rf"|currently\s+)?(?:have|find|locate|recall|"
    rf"know\s+of|possess|see)\s+(?:(?:any|a|the|much|enough|specific|reliable|detailed|verified|credible"
    rf"|concrete|of|such|clear|direct|"
    rf"public|published|actual|trustworthy)\s+){{0,4}}{_UNSEEN}\s*(?:on|about|of|for|regarding|concerning"
    rf"|that|to|indicating|related|in\s+my|\.|,|$)"
    rf"|(?<!\byou\s)\b(?:do\s+not|don't|did\s+not|didn't|cannot|can't|could\s+not|couldn't"
    rf"|can\s+not)\s+(?:\w+ly\s+)?(?:find|locate|recogni[sz]e|know\s+of|"
    rf"know\s+what|recall|place|identify|trace)\s+(?:(?:any|a|an|the|this|that|such|it|specific|particular"
    rf"|real|published)\s+){{0,3}}"
    rf"(?!\w+er\b|more\b|less\b)(?:\w+\s+){{0,3}}?(?:{SORTS}|called|named|by\s+that|it|this|that|as\s+a)\b"
    r"|\b(?:cannot|can't|could\s+not|couldn't)\s+(?:\w+ly\s+)?(?:verify|confirm|vouch|substantiate"
    r"|authenticate)\b"
    rf"|\bi\s+(?:have|know\s+of|find|found|see|am\s+aware\s+of|can\s+find"
    rf"|could\s+find)\s+no\s+(?:\w+\s+){{0,3}}?(?:{_UNSEEN}|{SORTS})\b"
    rf"|\b(?:there\s+(?:is|was|are|were|exists|has\s+been)|there's)\s+(?:\w+ly\s+|simply\s+|also\s+"
    rf"|in\s+fact\s+)?no\s+(?:\w+\s+){{0,2}}?{_KNOWN}"
    rf"|\b(?:there\s+(?:isn't|is\s+not|wasn't|was\s+not|aren't|are\s+not))\s+(?:\w+ly\s+)?(?:any"
    rf"|an?)\s+(?:\w+\s+){{0,2}}?{_KNOWN}"
    rf"|\bno\s+(?:\w+\s+){{0,3}}?(?:{SORTS}\s+)?(?:called|named|titled|by\s+(?:that"
    rf"|this)\s+(?:exact\s+)?(?:name|title)|"
    rf"of\s+(?:that|this)\s+name|with\s+(?:that|this)\s+(?:exact\s+)?(?:name|title)|known\s+as)\b"
    r"|\b(?:isn't|is\s+not|not|doesn't\s+(?:appear|seem)\s+to\s+be)\s+(?:something|one"
    r"|an?\s+\w+(?:\s+\w+)?)\s+(?:that\s+)?i(?:'m|\s+am|\s+have|\s+can|"
    r"\s+could|\s+recogni[sz]e|\s+know)\b"
    r"|\b(?:outside|beyond)\s+(?:of\s+)?(?:my|the\s+scope\s+of\s+my)\s+(?:training|knowledge)\b"
    r"|\bnot\s+in\s+my\s+(?:training|knowledge)\b"
    r"|\b(?:you\s+(?:may|might|could)\s+be|are\s+you|perhaps\s+you(?:'re|\s+are)|maybe\s+you(?:'re"
    r"|\s+are))\s+(?:\w+\s+)?(?:thinking\s+of|confusing|"
    r"mixing|misremembering|conflating|mistaken)\b"
    r"|\b(?:don't|do\s+not)\s+(?:\w+ly\s+)?(?:think|believe)\s+(?:[\w.()-]+\s+){1,6}?(?:exists?\b|(?:is|was"
    r"|are|refers?\s+to)\s+(?:an?\s+|any\s+)?(?:real|actual|"
    r"existing|genuine|recogni[sz]ed|established|documented)\b)"
    r"|\b(?:not|\w+n't)\s+(?:\w+ly\s+)?(?:sure|certain|convinced|confident)\s+(?:that\s+|if\s+"
    r"|whether\s+)?(?:the|this|that|such|it|there)\b[^.\n]{0,80}"
    r"\b(?:exists?|real|accurate)\b"
    r"|\b(?:may|might|could|seems?\s+to|appears?\s+to)\s+be\s+(?:some\s+|a\s+|an\s+)?(?:confusion|mix-?up"
    r"|misunderstanding|misnomer)\b"
    rf"|\bno\s+(?:\w+\s+){{0,2}}?{_UNSEEN}\s+(?:is|are|was|were|exists?|could|can|about|on|of|for"
    rf"|regarding)\b"
    r"|\bfound\s+(?:nothing|no\s+(?:results?|mention|record|trace|evidence|reference|sign))\b"
    r"|\bnot\s+something\s+(?:that\s+)?exists\b"
    r"|\bdid\s+you\s+(?:perhaps\s+|maybe\s+)?mean\b|\bperhaps\s+you\s+meant\b"
    r"|\bmay\s+have\s+been\s+(?:hallucinated|made\s+up|invented|fabricated)\b"
    r"|\bwhere\s+(?:did\s+)?you\s+(?:saw|see|heard|hear|read|found|find|encountered?|came\s+across"
    r"|come\s+across|got)\b"
    r"|\bif\s+(?:it|this|that|such\s+an?\s+\w+)\s+(?:does\s+)?exists?\b(?!\s+in\b)|\bdoes(?:n't"
    r"|\s+not)\s+ring\s+a\s+bell\b"
)
_OF_SUBJECT = re.compile(
    r"\b(?:does\s+not|doesn't|do\s+not|don't|did\s+not|didn't|may\s+not|might\s+not|never"
    r"|seems?\s+not\s+to)(?:,[^,.]{1,40},)?\s+(?:\w+ly\s+)?"
    r"(?:appear\s+to\s+|seem\s+to\s+)?(?:\w+ly\s+)?exist(?:ed)?\b"
    r"|\b(?:non-?existent|fictional|fictitious|made[- ]up(?!\s+of)|fabricated|hallucinat\w+|apocryphal|hoax"
    r"|imaginary)\b"
    r"|\b(?:not|isn't|wasn't|aren't|(?:doesn't|does\s+not|didn't)\s+(?:appear"
    r"|seem)\s+to\s+be)\s+(?:appear\s+to\s+be\s+|seem\s+to\s+be\s+|to\s+be\s+|be\s+)?"
    r"(?:\w+ly\s+)?(?:an?\s+|any\s+|the\s+)?(?:\w+ly\s+|widely[- ]|well[- ])?"
    r"(?:real(?!\s+(?:reason|issue|problem|cause|time))|existing|actual|genuine|recogni[sz]ed|established"
    r"|documented|known|published|official|"
    r"standard|built-in|native|legitimate|valid)\b(?!-)"
    r"|\b(?:isn't|is\s+not|not|was\s+never|never|wasn't)\s+(?:a\s+)?(?:\w+ly\s+)?(?:part\s+of|included\s+in"
    r"|available\s+(?:in|on|from)|present\s+in|"
    r"found\s+in|listed\s+(?:in|on)|defined\s+in|provided\s+by|documented|implemented|published|released"
    r"|one\s+of|on\s+(?:pypi|npm|github|crates)|"
    r"in\s+the\s+(?:standard|python|official))\b"
    r"|\b(?:doesn't|does\s+not|don't|do\s+not|didn't|did\s+not)\s+(?:\w+ly\s+)?(?:appear\s+(?:in|on"
    r"|anywhere|as)|match|correspond)\b"
    rf"|\b(?:isn't|is\s+not|wasn't|was\s+not)\s+an?\s+(?:\w+\s+){{0,2}}?{SORTS}\s+(?:in|of|from|provided"
    rf"|available|that\s+exists)\b"
    rf"|\b(?:doesn't|does\s+not)\s+(?:appear|seem)\s+to\s+be\s+(?:an?\s+|any\s+)?(?:\w+\s+){{0,3}}?{SORTS}\b"
    rf"|\bhypothetical\s+(?:\w+\s+)?{SORTS}\b"
    r"|(?<=:\s)no\s+such\b"
    r"|\b(?:has|have|had)(?:n't|\s+not)\s+(?:yet\s+)?been\s+(?:\w+ly\s+)?(?:published|released|announced"
    r"|written)\b"
    r"|\b(?:does\s+not|doesn't|do\s+not|don't|did\s+not|didn't)\s+(?:\w+ly\s+)?(?:contain|include"
    r"|feature|report|present)\s+(?:(?:any|specific|direct|actual)\s+){0,2}(?:findings|results|analys[ie]s"
    r"|chapters?|sections?)\s+(?:on|about|of|for|regarding|concerning|from)\b"
)
_UNCERTAIN = re.compile(
    r"\b(?:may|might|could|possible\s+that)\b[^.\n]{0,60}\b(?:typo|misspell\w*|misnam\w+|proprietary"
    r"|obscure|niche"
    r"|(?:after|since)\s+my)\b"
)
_OF_OBJECT = re.compile(
    r"\b(?:has|have|provides?|offers?|ships?\s+with|includes?|exposes?|contains?)\s+no\b"
    r"|\b(?:doesn't|does\s+not|don't|do\s+not|didn't)\s+(?:\w+ly\s+)?(?:have|provide|include|offer|ship"
    r"|come\s+with|expose|contain|define|support)\b"
    r"|\bthere(?:'s|\s+is|\s+was|\s+are)\s+(?:\w+ly\s+)?no\b|\bthere\s+(?:isn't|is\s+not|wasn't)\s+an?y?\b"
    r"|\b(?:not|\w+n't|cannot|can't)\s+(?:\w+ly\s+)?(?:find|locate|verify|confirm|recogni[sz]e)\b|\b(?:not"
    r"|\w+n't)\s+(?:\w+ly\s+)?(?:sure|certain)\b|\bunsure\b|\b(?:don't|do\s+not)\s+(?:know|recogni[sz]e"
    r"|recall)\b"
    r"|\bthere\s+(?:has|have)(?:n't|\s+not)\s+(?:yet\s+)?been\b"
)
_BETWEEN = re.compile(
    rf"\W*(?:(?:what|which|if|whether|that|about|an?|any|the|such|thing|as|is|called|named|method|built-in"
    r"|native|specific|official|publicly|public|available|known|recent"
    r"|information|details|access|to|on|of|\d{4}"
    rf"|{SORTS})\W+){{0,8}}\Z"
)
_SUBJECT = re.compile(
    rf"(?:\A|[.,;:(]|\b(?:but|that|and|because|so|says|however|actually|fact|knowledge|know|tell|aware)\b)\W*"
    rf"(?:(?:it|this|that|they|these|both|neither)\b(?!\s+(?:file|key|value|row|column|path|directory"
    rf"|folder|table|index|entry|user)s?\b)"
    rf"|(?:the|this|that|such\s+an?|your|no\s+such|such)\s+(?:\w+\s+){{0,3}}?{SORTS}\b)"
)
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|in\s+case|where|until|whether)\b[^,;]*\Z")
_RELATIVE = re.compile(rf"(?:\A|\s)(?!{SORTS}\s)\w+\s+(?:that|which)\s+\Z")
_BY_NAME = re.compile(
    r"\b(?:by|of|under|with)\s+(?:that|this|the)\s+name\b|\b(?:called|named|such|known\s+as)\b"
)
_OTHER_OBJECT = re.compile(
    rf"\s*(?:that\s+|if\s+|whether\s+)?(?:your|the|his|her|their)\s+(?!(?:[\w-]+\s+){{0,2}}?(?:{SORTS}|existence|source"
    r"|citation|reference|origin|original|title|claim|premise|request|question)\b)[\w-]+"
)
"""What a denial is about where it is another matter than the thing ("cannot find the key")."""
_NEGATORS = ("n't", "not ", "not,", "no ", "cannot", "never", "unable", "unfamiliar", "unaware", "unsure")
_UNREAL = (
    "fiction", "fictitious", "made-up", "made up", "nonexist", "non-exist", "fabricat", "hallucinat",
    "hoax", "apocryphal", "imaginary", "where ", "hypothetical", "found ", "outside", "beyond",
)  # fmt: skip
_MISTAKEN = (
    "thinking of",
    "confusing",
    "mixing",
    "misremember",
    "conflating",
    "confusion",
    "mix-up",
    "mixup",
    "misunderst",
    "misnomer",
    "mistaken",
    "meant",
    " mean ",
    "exist",
    "invented",
)
_UNCERTAINTIES = ("niche", "typo", "obscure", "proprietary", "misspel", "misnam", "after my", "since my")


def named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of any of these names in small letters; hyphens, underscores and spaces are one."""
    cleaned = sorted({name.lower().strip(" `") for name in names} - {""}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(_source, cleaned))})(?:'s|s|es)?(?!\w)")


def _source(name: str) -> str:
    """The pattern of one name. What must not stand before it is asked after its first letter, for speed."""
    first, rest = re.escape(name[0]), name[1:]
    return rf"{first}(?<!\w{first})" + r"[\s_-]*".join(map(re.escape, re.split(r"[\s_-]+", rest)))


def acknowledgement(prose: Prose, name: re.Pattern[str]) -> tuple[int, int] | None:
    """Return the span of the first words that say the thing is not known or not real, or None."""
    return next(acknowledgements(prose, name), None)


def acknowledgements(prose: Prose, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the span of each words that say the thing is not known or not real.

    What is not known may be another matter (an implementation of it, its records), or not known to others
    than the speaker: the lists [aspect] and [other speaker] of `lexicon/unknown.txt` say which.
    """
    for start, end in chain(_in_patterns(prose.low, name), _in_lists(prose.low, name)):
        if not _of_an_aspect(prose.low, start, end, name):
            yield start, end


def _of_an_aspect(low: str, start: int, end: int, name: re.Pattern[str]) -> bool:
    first, last = sentence(low, start, end)
    if low.startswith("never existed", start) and not (
        name.search(low, first, start) or _SUBJECT.search(low, first, start)
    ):
        return True
    if _OTHER_OBJECT.match(low, end) and not name.search(low, first, last):
        return True
    if phrases("unknown", "other speaker").first(low, first, end):
        return True
    if not phrases("unknown", "aspect").first(low, start, last):
        return False
    return not name.search(low, first, last) and not _BY_NAME.search(low, start, last)


def _in_lists(low: str, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for found in phrases("unknown", "alone").find(low):
        if not _conditional(low, found):
            yield found.span()
    for found in phrases("unknown", "doubt").find(low):
        if name.search(low, *sentence(low, found.start(), found.end())) and not _conditional(low, found):
            yield found.span()
    for found in phrases("unknown", "of subject").find(low):
        first, last = sentence(low, found.start(), found.end())
        if _CONDITION.search(low, first, found.start()):
            continue
        if name.search(low, first, last) or _SUBJECT.search(low, first, found.start()):
            yield found.span()


def _in_patterns(low: str, name: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    denials = sorted({*starts(low, _NEGATORS, 1), *starts(low, ("no ",), 3)})
    places = sorted({*denials, *starts(low, _UNREAL, 1), *starts(low, _MISTAKEN, 4)})
    for found in matches(_ALONE, low, places):
        if not _conditional(low, found):
            yield found.span()
    unsure = _UNCERTAIN.finditer(low) if any(word in low for word in _UNCERTAINTIES) else ()
    for found in (*matches(_OF_SUBJECT, low, places), *unsure):
        first, last = sentence(low, found.start(), found.end())
        if "install" in low and "standard lib" in low[found.start() : last]:
            continue  # "not in the standard library, so install it" takes the thing for real
        if _CONDITION.search(low, first, found.start()) or _RELATIVE.search(low, first, found.start()):
            continue
        if name.search(low, first, found.start()) or _SUBJECT.search(low, first, found.start()):
            yield found.span()
    for found in matches(_OF_OBJECT, low, denials):
        first, last = sentence(low, found.start(), found.end())
        if _CONDITION.search(low, first, found.start()):
            continue
        for thing in name.finditer(low, found.end(), last):
            if _BETWEEN.match(low, found.end(), thing.start()):
                yield found.start(), thing.end()


def _conditional(low: str, found: re.Match[str]) -> bool:
    first, _ = sentence(low, found.start(), found.end())
    asking = found[0].startswith(("if", "where"))
    return not asking and bool(_CONDITION.search(low, first, found.start()))
