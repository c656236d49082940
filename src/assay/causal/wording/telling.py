"""Wordings of crossed questions: a stem that tells two facts, and the phrases that say yes or no to each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.causal.options.crossed import Pair
from assay.causal.options.disputes import Dispute
from assay.causal.wording.graphs import sentence

Two = tuple[str, str]


def fields(scene: Any, **more: str) -> dict[str, str]:
    """Return a scene's texts by name, with a capital by capitalised name (`Units`), small by `…_low_case`."""
    texts = {each.name: str(getattr(scene, each.name)) for each in dataclasses.fields(scene)} | more
    lower = {f"{name}_low_case": text[:1].lower() + text[1:] for name, text in texts.items()}
    return texts | lower | {name.capitalize(): sentence(text) for name, text in texts.items()}


def pick(texts: Two, truth: bool) -> str:
    """Return the first text where something is so, the second where it is not."""
    return texts[0] if truth else texts[1]


@dataclass(frozen=True, slots=True)
class Telling:
    """One independent wording. `first` and `second` tell the facts (where so, where not) in the stem, at
    `{first}` and `{second}`; `one` and `other` affirm and deny them in an answer, joined by `joint`.
    """

    stem: str
    first: Two
    second: Two
    one: Two
    other: Two
    joint: str = "; "

    def tell(self, texts: Mapping[str, str], state: Pair) -> str:
        """Return the stem of a story in which the facts are so."""
        first = pick(self.first, state[0]).format(**texts)
        second = pick(self.second, state[1]).format(**texts)
        return self.stem.format(**texts, first=first, second=second)

    def say(self, texts: Mapping[str, str], option: Pair) -> str:
        """Return the answer that holds the facts to be so."""
        joined = f"{pick(self.one, option[0])}{self.joint}{pick(self.other, option[1])}."
        return sentence(joined.format(**texts))


@dataclass(frozen=True, slots=True)
class Debate:
    """One wording of a dispute; `holds` are what whoever affirms and denies each point says.

    In the stem `{a}` and `{b}` are the analysts, `{a1}`, `{a2}`, `{b1}` and `{b2}` what they say on each
    point; in `verdict`, `{one}` and `{other}` are who is right on the points.
    """

    stem: str
    first: Two
    second: Two
    holds: tuple[Two, Two]
    verdict: str

    def tell(self, texts: Mapping[str, str], state: Pair, between: Dispute) -> str:
        """Return the stem of a story in which the facts are so."""
        said = {
            f"{'ab'[who]}{point + 1}": pick(self.holds[point], between.affirms(who, point)).format(**texts)
            for who in (0, 1)
            for point in (0, 1)
        }
        said |= {name.capitalize(): sentence(text) for name, text in said.items()}
        return self.stem.format(
            **texts,
            **said,
            a=between.names[0],
            b=between.names[1],
            first=pick(self.first, state[0]).format(**texts),
            second=pick(self.second, state[1]).format(**texts),
        )

    def say(self, texts: Mapping[str, str], option: Pair, between: Dispute) -> str:
        """Return the answer that holds the facts to be so."""
        one, other = between.holders(option)
        return self.verdict.format(**texts, one=one, other=other)
