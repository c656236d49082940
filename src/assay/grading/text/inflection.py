"""The inflected forms of English words, by rule and from a table of irregular verbs."""

from __future__ import annotations

import re
from functools import cache

_VOWELS = "aeiou"
_ONE_VOWEL = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]\Z")
_LAST_DOUBLES = re.compile(r"[a-z]*[^aeiou][aeiou][bdgklmnprt]\Z")
_ADVERB = re.compile(r"[a-z]{5,}\Z")
_REGULAR = re.compile(r"[a-z]*[aeiouy][a-z]*\Z")
_FUNCTION_WORDS = """
and the for into onto with from that this these those very just not but nor yet also however
moreover furthermore thus hence therefore today ever never always often about above after again
against amid among around because before between beyond both during each either else even every few
here there how its itself more most much must now once our ours out over own per perhaps quite
rather same she him her his hers should since some such than their them then they though through too
under until upon was were what when where whether which while who whom whose why will within without
would you your yours
"""
_IRREGULAR_FORMS = """
be am is are was were been being, have has had having, do does did done doing, go goes went gone,
begin began begun, become became, break broke broken, bring brought, build built, buy bought, catch
caught, choose chose chosen, come came, dive dove, draw drew drawn, drive drove driven, fall fell
fallen, feel felt, fight fought, find found, forget forgot forgotten, get got gotten, give gave
given, grow grew grown, hold held, keep kept, know knew known, lead led, leave left, lose lost, make
made, mean meant, meet met, pay paid, ride rode ridden, rise rose risen, run ran, say said, see saw
seen, seek sought, sell sold, send sent, shine shone, show shown, speak spoke spoken, spend spent,
spin spun, stand stood, stick stuck, strive strove striven, take took taken, teach taught, tell
told, think thought, throw threw thrown, understand understood, undertake undertook undertaken,
weave wove woven, win won, write wrote written, man men, woman women, child children, person people
persons, foot feet, mouse mice
"""
_LOOKALIKES = """
news goods shortly largely nearly presently hardly scarcely barely lately meaning being during
something nothing apply only
"""
_INVARIANT = frozenset(_FUNCTION_WORDS.split())
_IRREGULAR = {row.split()[0]: row.split()[1:] for row in _IRREGULAR_FORMS.split(",")}
_OTHER_WORDS = frozenset(_LOOKALIKES.split())


@cache
def forms(word: str) -> frozenset[str]:
    """Return the forms of a word in small letters, itself included.

    Plural, third person, past, participle, the adverb in -ly of words of five letters and more. Words
    of one or two letters, and what is not made of a to z, have themselves and their irregular forms
    only.
    """
    word = word.lower()
    found = {word, *_IRREGULAR.get(word, ())}
    if len(word) < 3 or not _REGULAR.match(word) or word in _INVARIANT or word.endswith("ly"):
        return frozenset(found)
    ends_in_consonant_y = word.endswith("y") and word[-2] not in _VOWELS
    if ends_in_consonant_y:
        found |= {f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"}
    elif word.endswith(("s", "x", "z", "ch", "sh", "o")):
        found |= {f"{word}es", f"{word}ed", f"{word}ing", f"{word}s" if word.endswith("o") else word}
    elif word.endswith("e"):
        stem = word[:-1]
        found |= {f"{word}s", f"{word}d" if len(word) > 3 or word[-2] not in "e" else word, f"{stem}ing"}
        if word.endswith(("ee", "oe", "ye")):
            found.add(f"{word}ing")
    else:
        found.add(f"{word}s")
        if not _ONE_VOWEL.match(word):
            found |= {f"{word}ed", f"{word}ing"}
        if _LAST_DOUBLES.match(word):
            found |= {f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"}
        elif _ONE_VOWEL.match(word):
            found |= {f"{word}ed", f"{word}ing"}
    found |= _adverbs(word)
    return frozenset((found - _OTHER_WORDS) | {word})


def _adverbs(word: str) -> set[str]:
    if not _ADVERB.match(word) or word.endswith("ly"):
        return set()
    if word.endswith("le"):
        return {f"{word[:-1]}y"}
    if word.endswith("ic"):
        return {f"{word}ally"}
    if word.endswith("y"):
        return {f"{word[:-1]}ily"}
    return {f"{word}ly"}


def pattern(words: tuple[str, ...], *, inflected: bool) -> re.Pattern[str]:
    """Return one pattern that finds any of these words or phrases in small letters; group 1 is what was
    found.

    Spaces and hyphens in a phrase stand for each other; a possessive counts as the word, "can't" not as
    "can".
    """
    every = sorted(
        {source for word in words for source in _sources(word, inflected)}, key=lambda one: (-len(one), one)
    )
    return re.compile(rf"(?<![\w'])({'|'.join(every)})(?!\w|'t\b)" if every else r"(?!)")


def _sources(phrase: str, inflected: bool) -> set[str]:
    parts = re.split(r"(\s+|-)", phrase.strip().lower().replace("\u2019", "'"))
    pieces = []
    for part in parts:
        if part == "-":
            pieces.append(r"[\s-]?")
        elif part.isspace():
            pieces.append(r"[\s-]+")
        elif inflected:
            each = sorted(forms(part), key=lambda one: (-len(one), one))
            pieces.append(_factored(part, each) if len(each) > 1 else re.escape(part))
        else:
            pieces.append(re.escape(part))
    return {"".join(pieces)} if parts else set()


def _factored(word: str, each: list[str]) -> str:
    """Return the forms as a pattern with what they share in front: a scan fails at the first letter."""
    shared = 0
    while all(len(one) > shared and one[shared] == word[shared : shared + 1] for one in each):
        shared += 1
    tails = "|".join(re.escape(one[shared:]) for one in each)
    return f"{re.escape(word[:shared])}(?:{tails})"
