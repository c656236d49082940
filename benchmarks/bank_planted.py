"""Copies of questions with a known edit: near-duplicates to find, and distinct questions not to flag.

Each kind of edit has a name. An edit returns None if it cannot be applied to a question.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from bank_filling import ASKED, WORDS, Filled, names, told
from bank_slips import HAN, Text, slip, two_slips

Edit = Callable[[Text, random.Random], Text | None]
CONTENT = re.compile(r"(?<![\\A-Za-z{])[a-z]{4,}(?![A-Za-z}])")
CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}")


def _case(text: Text, rng: random.Random) -> Text | None:
    changed = rng.choice((text.stem.upper(), text.stem.lower(), text.stem.title()))
    return None if text.han or "\\" in changed else text._replace(stem=changed)


def _punctuation(text: Text, rng: random.Random) -> Text:
    return text._replace(
        stem=re.sub(r"(?<!\d)[,;?!，；？！。、“”\"](?!\d)", lambda _: rng.choice(("", " ")), text.stem)
    )


def _spaces(text: Text, rng: random.Random) -> Text:
    blank = rng.choice(("  ", "\n", "\t", " \u3000"))
    if text.han:
        at = rng.choice([hit.start() for hit in HAN.finditer(text.stem)])
        return text._replace(stem=f"{text.stem[:at]} {blank}{text.stem[at:]}")
    return text._replace(stem=text.stem.replace(" ", blank))


def _widths(text: Text, _: random.Random) -> Text:
    wide = str.maketrans({chr(sign): chr(sign + 0xFEE0) for sign in range(0x21, 0x7F)})
    return text._replace(stem=text.stem.translate(wide))


def _reordered(text: Text, rng: random.Random) -> Text | None:
    if len(text.options) < 3 or any("above" in option.lower() or "以上" in option for option in text.options):
        return None
    return text._replace(options=tuple(rng.sample(text.options, len(text.options))))


def _small_words(text: Text, rng: random.Random) -> Text | None:
    pairs = [pair for pair in WORDS["small_words"][text.language] if pair[0] in text.stem]
    if not pairs:
        return None
    return text._replace(stem=text.stem.replace(*rng.choice(pairs), 1))


def _preamble(text: Text, rng: random.Random) -> Text:
    return text._replace(stem=rng.choice(WORDS["preambles"][text.language]) + text.stem)


def _word_added(text: Text, rng: random.Random) -> Text | None:
    return _inserted(text, rng, WORDS["added"][text.language])


def _inserted(text: Text, rng: random.Random, chosen: Sequence[str]) -> Text | None:
    found = list((HAN if text.han else CONTENT).finditer(text.stem))
    if not found:
        return None
    at = rng.choice(found).start()
    return text._replace(stem=text.stem[:at] + rng.choice(chosen) + " " * (not text.han) + text.stem[at:])


def _word_dropped(text: Text, rng: random.Random) -> Text | None:
    found = [hit for hit in CONTENT.finditer(text.stem) if hit[0] not in WORDS["never_dropped"]]
    if text.han or not found:
        return None
    hit = rng.choice(found)
    return text._replace(stem=text.stem[: hit.start()] + text.stem[hit.end() :].lstrip())


def _mixed(text: Text, rng: random.Random) -> Text | None:
    once = slip(text, rng)
    return once and _punctuation(_preamble(_reordered(once, rng) or once, rng), rng)


def _number(text: Text, rng: random.Random) -> Text | None:
    found = list(re.finditer(r"(?<![\d.,])\d+(?![\d.,])", text.stem))
    if not found:
        return None
    hit = rng.choice(found)
    return text._replace(
        stem=f"{text.stem[: hit.start()]}{int(hit[0]) + rng.randrange(1, 9)}{text.stem[hit.end() :]}"
    )


def _numbers_swapped(text: Text, rng: random.Random) -> Text | None:
    found = list(re.finditer(r"(?<![\d.,])\d+(?![\d.,])", text.stem))
    if len({hit[0] for hit in found}) < 2:
        return None
    one, other = sorted(rng.sample(found, 2), key=lambda hit: hit.start())
    if one[0] == other[0]:
        return None
    middle = text.stem[one.end() : other.start()]
    return text._replace(
        stem=text.stem[: one.start()] + other[0] + middle + one[0] + text.stem[other.end() :]
    )


def _entity(text: Text, rng: random.Random) -> Text | None:
    if text.made_of is not None and not text.han:
        made = text.made_of
        other = made.words._replace(**{rng.choice(("name", "place")): rng.choice(names())})
        return _told(text, told(made.discipline, made.language, other, rng))
    if text.han:
        for group in rng.sample(WORDS["exchanged"], len(WORDS["exchanged"])):
            for one in group:
                if one in text.stem:
                    other = rng.choice([each for each in group if each not in text.stem] or [""])
                    return text._replace(stem=text.stem.replace(one, other)) if other else None
        return None
    found = list(CAPITAL.finditer(text.stem))
    if not found:
        return None
    hit = rng.choice(found)[0]
    return text._replace(
        stem=text.stem.replace(hit, rng.choice(("Madrid", "Peter", "Brazil", "Sarah", "Norway", "Henry")))
    )


def _told(text: Text, other: Filled) -> Text | None:
    return None if other.stem == text.stem else text._replace(stem=other.stem)


def _asked(text: Text, rng: random.Random) -> Text | None:
    if text.made_of is not None:
        made = text.made_of
        return _told(
            text,
            told(
                made.discipline,
                made.language,
                made.words._replace(asked=rng.choice(ASKED[made.language])),
                rng,
            ),
        )
    pairs = WORDS["opposed"][text.language]
    for one, other in rng.sample(pairs, len(pairs)):
        changed = re.sub(one if text.han else rf"\b{one}\b", other, text.stem, count=1)
        if changed != text.stem:
            return text._replace(stem=changed)
    return None


def _negated(text: Text, rng: random.Random) -> Text | None:
    if text.han:
        changed = re.sub("(?<!不)(正确|可以|属于|知道|符合|是)", r"不\1", text.stem, count=1)
    else:
        changed = re.sub(
            r"\b(is|are|was|were|does|did|can|could|would)\b(?! not)", r"\1 not", text.stem, count=1
        )
    return None if changed == text.stem else text._replace(stem=changed)


def _qualified(text: Text, rng: random.Random) -> Text | None:
    return _inserted(text, rng, WORDS["qualifiers"][text.language])


def _qualified_unlisted(text: Text, rng: random.Random) -> Text | None:
    return None if text.han else _inserted(text, rng, WORDS["unlisted_qualifiers"])


def _other_options(text: Text, rng: random.Random) -> Text | None:
    if len(text.options) < 4:
        return None
    kept = list(text.options)
    for at in rng.sample(range(len(kept)), 2):
        kept[at] = rng.choice(
            ("氧化铁 丝绸之路" if text.han else "iron oxide,silk road").split(" " if text.han else ",")
        ) + str(at)
    return text._replace(options=tuple(kept))


NEAR: dict[str, Edit] = {
    "case": _case,
    "punctuation": _punctuation,
    "spaces": _spaces,
    "widths": _widths,
    "one slip": slip,
    "two slips": two_slips,
    "options reordered": _reordered,
    "small words": _small_words,
    "preamble": _preamble,
    "word added": _word_added,
    "word dropped": _word_dropped,
    "slip, preamble, order": _mixed,
}
DISTINCT: dict[str, Edit] = {
    "other number": _number,
    "numbers swapped": _numbers_swapped,
    "other entity": _entity,
    "other thing asked": _asked,
    "negated": _negated,
    "qualified": _qualified,
    "other options": _other_options,
}
AMBIGUOUS: dict[str, Edit] = {"qualified by an unlisted word": _qualified_unlisted}
"""One added word that narrows the question: by the definition a near-duplicate, for a reviewer to keep."""
