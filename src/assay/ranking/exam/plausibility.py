"""Whether what a sitting reports of its metering can be true: token counts, speeds, times, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Metered:
    """What is known of one answer: its text, its declared counts, and the server's own times.

    `seconds` and the tokens are the candidate's words, None where it said nothing. `served_at` and
    `received_at` are this server's clock, UTC seconds.
    """

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None
    served_at: float
    received_at: float

    @property
    def elapsed(self) -> float:
        """The seconds from serving the question to receiving the answer, by the server's clock."""
        return self.received_at - self.served_at


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds beyond which an answer, or a share of answers, is flagged.

    `least` metered answers are needed before a share is judged. `same_share` is the share of one completion
    count, `same_text_share` that of one text, `round_share` that of counts divisible by ten (a tenth is
    expected). `characters_per_token` is more than any tokeniser packs into a token on average; there is no
    lower bound, as hidden reasoning counts as completion. `tokens_per_second` is beyond what any
    served model writes, `least_seconds` under any model's first token. `slack` bears clocks' rounding.
    """

    least: int = 20
    same_share: float = 0.5
    same_text_share: float = 0.2
    round_share: float = 0.5
    characters_per_token: float = 12.0
    tokens_per_second: float = 5_000.0
    least_seconds: float = 0.05
    slack: float = 1.0


LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing that is implausible: `count` of `n` answers, and the bound that they pass, in words."""

    kind: str
    count: int
    n: int
    told: str


def flags(answers: Sequence[Metered], limits: Limits = LIMITS) -> tuple[Flag, ...]:
    """Return what is implausible about a sitting's metering; a flag is a reason to look, not a verdict."""
    counted = [one for one in answers if one.completion_tokens is not None]
    tokens = [one.completion_tokens or 0 for one in counted]
    found = [
        _most("constant completion tokens", tokens, limits.same_share, limits, "the same count in over"),
        _most("identical answers", [one.text.strip() for one in answers], limits.same_text_share, limits,
              "the same text in over"),
        _round(tokens, limits),
        _each(
            "fewer tokens than the text can have",
            counted,
            lambda one: len(one.text) > limits.characters_per_token * (one.completion_tokens or 0),
            f"over {limits.characters_per_token:g} characters a token",
        ),
        _each(
            "impossible speed",
            counted,
            lambda one: (one.completion_tokens or 0) > limits.tokens_per_second * max(one.elapsed, 0.0),
            f"over {limits.tokens_per_second:g} tokens a second since the question was served",
        ),
        _each(
            "answered too fast",
            answers,
            lambda one: one.elapsed < limits.least_seconds,
            f"under {limits.least_seconds:g} s after the question was served",
        ),
        _each(
            "declared time longer than there was",
            [one for one in answers if one.seconds is not None],
            lambda one: (one.seconds or 0.0) > one.elapsed + limits.slack,
            f"over {limits.slack:g} s more than between serving and receiving",
        ),
    ]  # fmt: skip
    return tuple(flag for flag in found if flag is not None)


def _most(kind: str, values: Iterable[Hashable], share: float, limits: Limits, told: str) -> Flag | None:
    counts = Counter(values)
    n = counts.total()
    most = max(counts.values(), default=0)
    if n < limits.least or most <= share * n:
        return None
    return Flag(kind, most, n, f"{told} {share:.0%} of answers")


def _round(tokens: Sequence[int], limits: Limits) -> Flag | None:
    different = set(tokens)
    tens = sum(count % 10 == 0 for count in tokens)
    if len(tokens) < limits.least or len(different) == 1 or tens <= limits.round_share * len(tokens):
        return None
    return Flag("round token counts", tens, len(tokens), f"divisible by ten in over {limits.round_share:.0%}")


def _each(kind: str, answers: Sequence[Metered], wrong: Callable[[Metered], bool], told: str) -> Flag | None:
    count = sum(map(wrong, answers))
    return Flag(kind, count, len(answers), told) if count else None
