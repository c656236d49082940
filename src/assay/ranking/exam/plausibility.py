"""Plausibility checks of a sitting's metering: token counts, speeds, times and repeated texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from assay.results.exam_sitting import MeteringFlag


@dataclass(frozen=True, slots=True)
class Metered:
    """One answer with its declared counts and the server's own times.

    The candidate declares `seconds` and the tokens, or leaves them None. `served_at` and `received_at` are
    UTC seconds by this server's clock.
    """

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None
    served_at: float
    received_at: float

    @property
    def elapsed(self) -> float:
        """Seconds from serving the question to receiving the answer, by the server's clock."""
        return self.received_at - self.served_at


@dataclass(frozen=True, slots=True)
class PlausibilityBounds:
    """The bounds beyond which an answer, or a share of answers, is flagged.

    Shares are checked only with at least `least` metered answers: `same_share` bounds the share of the most
    frequent completion count, `same_text_share` that of the most frequent text, and `round_share` that of
    counts divisible by ten (a tenth is expected). No tokeniser reaches `characters_per_token` on average;
    there is no lower bound, because hidden reasoning counts as completion. No served model reaches
    `tokens_per_second` or sends its first token within `least_seconds`. `slack` (seconds) allows for the
    rounding of clocks.
    """

    least: int = 20
    same_share: float = 0.5
    same_text_share: float = 0.2
    round_share: float = 0.5
    characters_per_token: float = 12.0
    tokens_per_second: float = 5_000.0
    least_seconds: float = 0.05
    slack: float = 1.0


LIMITS: Final = PlausibilityBounds()


def flags(answers: Sequence[Metered], limits: PlausibilityBounds = LIMITS) -> tuple[MeteringFlag, ...]:
    """Return what is implausible about a sitting's metering; a flag is a reason to look, not a verdict."""
    counted = [answer for answer in answers if answer.completion_tokens is not None]
    tokens = [answer.completion_tokens or 0 for answer in counted]
    checks = [
        _repeated("constant completion tokens", tokens, limits.same_share, limits, "the same count in over"),
        _repeated("identical answers", [answer.text.strip() for answer in answers], limits.same_text_share,
                  limits, "the same text in over"),
        _round(tokens, limits),
        _matching(
            "fewer tokens than the text can have",
            counted,
            lambda answer: len(answer.text) > limits.characters_per_token * (answer.completion_tokens or 0),
            f"over {limits.characters_per_token:g} characters a token",
        ),
        _matching(
            "impossible speed",
            counted,
            lambda answer: (answer.completion_tokens or 0)
            > limits.tokens_per_second * max(answer.elapsed, 0.0),
            f"over {limits.tokens_per_second:g} tokens a second since the question was served",
        ),
        _matching(
            "answered too fast",
            answers,
            lambda answer: answer.elapsed < limits.least_seconds,
            f"under {limits.least_seconds:g} s after the question was served",
        ),
        _matching(
            "declared time longer than there was",
            [answer for answer in answers if answer.seconds is not None],
            lambda answer: (answer.seconds or 0.0) > answer.elapsed + limits.slack,
            f"over {limits.slack:g} s more than between serving and receiving",
        ),
    ]  # fmt: skip
    return tuple(flag for flag in checks if flag is not None)


def _repeated(
    kind: str, values: Iterable[Hashable], share: float, limits: PlausibilityBounds, bound: str
) -> MeteringFlag | None:
    counts = Counter(values)
    n = counts.total()
    most = max(counts.values(), default=0)
    if n < limits.least or most <= share * n:
        return None
    return MeteringFlag(kind, most, n, f"{bound} {share:.0%} of answers")


def _round(tokens: Sequence[int], limits: PlausibilityBounds) -> MeteringFlag | None:
    different = set(tokens)
    tens = sum(count % 10 == 0 for count in tokens)
    if len(tokens) < limits.least or len(different) == 1 or tens <= limits.round_share * len(tokens):
        return None
    return MeteringFlag(
        "round token counts", tens, len(tokens), f"divisible by ten in over {limits.round_share:.0%}"
    )


def _matching(
    kind: str, answers: Sequence[Metered], implausible: Callable[[Metered], bool], bound: str
) -> MeteringFlag | None:
    count = sum(map(implausible, answers))
    return MeteringFlag(kind, count, len(answers), bound) if count else None
