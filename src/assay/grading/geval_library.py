"""The interface to the deepeval library: its prompt, its weighted score, and the steps of each metric.

deepeval calls its judge itself. Here it makes no calls: a judge that raises an exception captures the prompt,
and deepeval's reading is applied to replies that Assay requested.

The criteria are fixed as steps in `prompts/geval.md`, one a line. Without them the library lets the judge
write its own steps for every case (Liu et al. 2023, "G-Eval", section 2), so that two answers would be marked
by two scales.
"""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from importlib.resources import files
from io import StringIO
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

from assay.grading.judging.loose_json import budget_for, objects, values_of

Part = Literal["input", "actual_output", "expected_output"]
_HEADING = re.compile(r"^%% (.+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Metric:
    """One aspect that G-Eval marks from 0 to 10: its name, and the parts of a case that it compares."""

    name: str
    parts: tuple[Part, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """The evaluation steps for the judge."""
        steps = _steps()
        return (
            *steps["first step of every metric"],
            *steps[self.name],
            *steps["last step of every metric"],
        )


METRICS = {
    metric.name: metric
    for metric in (
        Metric("correctness", ("input", "actual_output", "expected_output")),
        Metric("coherence", ("input", "actual_output")),
        Metric("instruction_following", ("input", "actual_output")),
    )
}


@cache
def _steps() -> dict[str, list[str]]:
    text = (files("assay.grading") / "prompts" / "geval.md").read_text("utf-8")
    _, *parts = _HEADING.split(text)
    return {name: lines.split("\n")[:-1] for name, lines in zip(parts[::2], parts[1::2], strict=True)}


MISSING = "G-Eval needs the deepeval library, which is not installed: pip install 'assay[geval]'"
SILENT = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_FILE_SYSTEM": "READ_ONLY",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_DISABLE_LEGACY_KEYFILE": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "CONFIDENT_TRACE_INTERNAL": "0",
}
"""Settings that keep deepeval from the network, from files, and from reading `.env` into the environment.

They remain set: deepeval reads its settings again whenever one of them changes.
"""


class CannotAsk(Exception):
    """G-Eval cannot be asked; the text is the reason of an ungraded mark. It does not stop a run."""


def version() -> str | None:
    """Return the installed version of deepeval, None without it, without importing it."""
    try:
        return installed_version("deepeval")
    except PackageNotFoundError:
        return None


class Library:
    """The imported deepeval library; see `library`."""

    def __init__(self) -> None:
        from deepeval.metrics import GEval
        from deepeval.metrics.g_eval.utils import calculate_weighted_summed_score
        from deepeval.metrics.utils import trimAndLoadJson
        from deepeval.models import DeepEvalBaseLLM
        from deepeval.test_case import LLMTestCase, SingleTurnParams

        class Captured(Exception):
            """Contains deepeval's prompt; its text is empty, since deepeval searches it."""

            prompt = ""

        class Capturing(DeepEvalBaseLLM):  # type: ignore[misc]
            """A judge that raises an exception with the question instead of answering."""

            def load_model(self, *args: Any, **kwargs: Any) -> Any:
                return self

            def get_model_name(self, *args: Any, **kwargs: Any) -> str:
                return "assay"

            def generate(self, *args: Any, **kwargs: Any) -> str:
                raise NotImplementedError

            async def a_generate(self, *args: Any, **kwargs: Any) -> str:
                raise NotImplementedError

            def generate_raw_response(self, prompt: str, top_logprobs: int) -> Any:
                captured = Captured()
                captured.prompt = prompt
                raise captured

        self._captured = Captured
        self._metric = GEval
        self._judge = Capturing()
        self._parts = SingleTurnParams
        self._test_case = LLMTestCase
        self._load = trimAndLoadJson
        self._weigh = calculate_weighted_summed_score

    def prompt(self, name: str, metric: Metric, parts: dict[str, str]) -> str:
        """Return deepeval's prompt for a score. `parts` are by deepeval's names."""
        measurement = self._metric(
            name=name,
            evaluation_params=[self._parts(part) for part in metric.parts],
            evaluation_steps=list(metric.steps),
            model=self._judge,
            async_mode=False,
        )
        try:
            measurement.measure(self._test_case(**parts), _show_indicator=False)
        except self._captured as captured:
            return str(captured.prompt)
        raise CannotAsk(f"deepeval {version()} does not ask its judge like version 4.3: install 'deepeval<5'")

    @cached_property
    def example(self) -> str | None:
        """The reason in the example of deepeval's prompt; None without an example."""
        parts = {"input": "-", "actual_output": "-"}
        return example_reason(self.prompt("coherence", METRICS["coherence"], parts))

    def load_json(self, text: str) -> object:
        """Return the JSON that deepeval finds in a reply. Raises UnreadableScore without one."""
        try:
            return self._load(text)
        except Exception as error:
            raise UnreadableScore("it is not JSON") from error

    def weighted_score(self, score: int | float | str, tokens: Sequence[Token]) -> float:
        """Return deepeval's score from 0 to 10, weighted by the probabilities of the alternatives."""
        logprobs = SimpleNamespace(content=tokens)
        reply = SimpleNamespace(choices=[SimpleNamespace(logprobs=logprobs)])
        return float(self._weigh(score, reply))


@cache
def library() -> Library:
    """Import deepeval without its output. Raises CannotAsk, with what to do, if it cannot be imported."""
    os.environ.update(SILENT)
    before = frozenset(os.environ)
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            return Library()
    except ModuleNotFoundError as error:
        if error.name != "deepeval":
            raise CannotAsk(f"deepeval cannot be imported: {error}") from error
        raise CannotAsk(MISSING) from None
    except Exception as error:
        raise CannotAsk(f"deepeval cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        for name in frozenset(os.environ) - before:
            del os.environ[name]


HIGHEST = 10
LEAST_SHARE = 0.01
"""The library leaves out alternatives below this probability."""

_BEFORE_SCORE = re.compile(r"""["']score["']\s*:\s*["']?\s*\Z""")
_FAR = 40
LONGEST_EXAMPLE = 600
"""The number of characters at the end of a prompt that contain its example."""


class Alternative(NamedTuple):
    """A token that the judge could have written, with the natural logarithm of its probability."""

    token: str
    logprob: float


class Token(NamedTuple):
    """A token that the judge wrote, with its most probable alternatives (itself among them)."""

    token: str
    top_logprobs: tuple[Alternative, ...] = ()


class NotWeighable(Exception):
    """The reason why logprobs cannot be weighted."""


class UnreadableScore(Exception):
    """The reason why a reply has no score."""


def check_single_score(text: str) -> None:
    """Raise UnreadableScore if a reply has more than one `score`, at any depth or in several objects."""
    every = objects(text, budget_for(text))
    scores = [score for candidate in every for score in values_of(candidate, "score")]
    if len(scores) > 1:
        raise UnreadableScore("it has more than one `score`")


def example_reason(prompt: str) -> str | None:
    """Return the reason in the example at the end of the library's prompt; None without an example."""
    shown = [
        reason
        for candidate in objects(prompt[-LONGEST_EXAMPLE:], budget_for(prompt))
        if values_of(candidate, "score")
        for reason in values_of(candidate, "reason")
    ]
    return shown[-1] if shown and isinstance(shown[-1], str) else None


def copies_example(reason: object, example: str | None) -> bool:
    """Return whether a judge's reason is the example's, so that the judge only copied the form."""
    return isinstance(reason, str) and example is not None and _letters(reason) == _letters(example)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def score_of(data: object) -> int | float | str:
    """Return the score as the judge wrote it. Raises UnreadableScore if it is not a number from 0 to 10."""
    if not isinstance(data, dict) or "score" not in data:
        raise UnreadableScore("it has no `score`")
    score = data["score"]
    if isinstance(score, bool) or not isinstance(score, int | float | str):
        raise UnreadableScore("its `score` is no number")
    try:
        number = float(score)
    except (ValueError, OverflowError):
        raise UnreadableScore("its `score` is no number") from None
    if not 0 <= number <= HIGHEST:
        raise UnreadableScore(f"its `score` lies outside 0 to {HIGHEST}")
    return score


def weighable_tokens(score: int | float | str, logprobs: Mapping[str, Any] | None) -> tuple[Token, ...]:
    """Return the tokens of a reply, with alternatives only for the score.

    `logprobs` is the protocol's `choices[0].logprobs`. Raises NotWeighable if a weighted score would not be
    the judge's: without this check the library would silently use the integer, or weight another token.
    """
    content = _content(logprobs)
    written = str(score)
    if not written.isdecimal():
        raise NotWeighable(f"the score {written[:20]!r} is not an integer")
    at = next((i for i in range(len(content) - 1, -1, -1) if content[i].get("token") == written), None)
    if at is None:
        raise NotWeighable(f"no token of the reply is {written!r}")
    before = "".join(str(part.get("token")) for part in content[max(0, at - _FAR) : at])
    if not _BEFORE_SCORE.search(before):
        raise NotWeighable(f"the last token {written!r} does not follow `score`")
    alternatives = _alternatives(content[at])
    _check(int(written), alternatives)
    return tuple(
        Token(str(part.get("token")), alternatives if i == at else ()) for i, part in enumerate(content)
    )


def _content(logprobs: object) -> list[Mapping[str, Any]]:
    if logprobs is None:
        raise NotWeighable("the reply came without logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content or not all(isinstance(part, dict) for part in content):
        raise NotWeighable("the logprobs hold no tokens")
    return content


def _alternatives(part: Mapping[str, Any]) -> tuple[Alternative, ...]:
    top = part.get("top_logprobs")
    if not isinstance(top, list) or not top:
        raise NotWeighable("the token of the score has no alternatives")
    alternatives = []
    for entry in top:
        token = entry.get("token") if isinstance(entry, dict) else None
        logprob = entry.get("logprob") if isinstance(entry, dict) else None
        if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, int | float):
            raise NotWeighable("the alternatives of the score's token are malformed")
        if math.isnan(logprob) or logprob > 0:
            raise NotWeighable(f"a logarithm of a probability is {logprob!r}")
        alternatives.append(Alternative(token, float(logprob)))
    return tuple(alternatives)


def _check(score: int, alternatives: tuple[Alternative, ...]) -> None:
    """Raise NotWeighable unless every alternative that the library would weight is a score from 0 to 10."""
    weighed = {
        int(entry.token)
        for entry in alternatives
        if entry.logprob >= math.log(LEAST_SHARE) and entry.token.isdecimal()
    }
    if not weighed:
        raise NotWeighable(f"no alternative that is a number reaches {LEAST_SHARE:.0%}")
    if max(weighed) > HIGHEST:
        raise NotWeighable(f"an alternative is {max(weighed)}, which is not a score")
    if 1 in weighed and score > HIGHEST // 2 and all(entry.token != "10" for entry in alternatives):
        raise NotWeighable("an alternative 1 with a high score may be the first digit of 10")
