"""The one door to the deepeval library: kept silent, asked for its prompt and for its weighted score.

deepeval measures a judge that it calls itself. Here it calls nobody: its prompt is taken from a judge that
raises with it, and its way of reading is applied to a reply that Assay's own calls brought.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from io import StringIO
from types import SimpleNamespace
from typing import Any

from assay.grading.geval_reading import Token, Unreadable, example_reason
from assay.grading.geval_steps import METRICS, Metric

MISSING = "G-Eval needs the deepeval library, which is not installed: pip install 'assay[geval]'"
SILENT = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_FILE_SYSTEM": "READ_ONLY",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_DISABLE_LEGACY_KEYFILE": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "CONFIDENT_TRACE_INTERNAL": "0",
}
"""What keeps deepeval from the network, from files, and from reading `.env` into the environment.

They stay set: deepeval looks at its settings again whenever one of them changes.
"""


class CannotAsk(Exception):
    """Why G-Eval cannot be asked for; the text is the reason of an ungraded mark. It stops no run."""


def version() -> str | None:
    """Return the version of deepeval that is installed, None without it. Does not import it."""
    try:
        return installed_version("deepeval")
    except PackageNotFoundError:
        return None


class Library:
    """deepeval, imported. Made by `library`."""

    def __init__(self) -> None:
        from deepeval.metrics import GEval
        from deepeval.metrics.g_eval.utils import calculate_weighted_summed_score
        from deepeval.metrics.utils import trimAndLoadJson
        from deepeval.models import DeepEvalBaseLLM
        from deepeval.test_case import LLMTestCase, SingleTurnParams

        class Captured(Exception):
            """Carries deepeval's prompt out; its text stays empty, since deepeval searches it."""

            prompt = ""

        class Capturing(DeepEvalBaseLLM):  # type: ignore[misc]
            """A judge that gives no answer but raises with the question."""

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
        """Return the prompt by which deepeval would ask its judge for a score. `parts` by their names."""
        measuring = self._metric(
            name=name,
            evaluation_params=[self._parts(part) for part in metric.parts],
            evaluation_steps=list(metric.steps),
            model=self._judge,
            async_mode=False,
        )
        try:
            measuring.measure(self._test_case(**parts), _show_indicator=False)
        except self._captured as captured:
            return str(captured.prompt)
        raise CannotAsk(
            f"deepeval {version()} does not ask its judge as version 4.3 does: install 'deepeval<5'"
        )

    @cached_property
    def example(self) -> str | None:
        """The reason in the example of deepeval's prompt; None when its prompt shows none."""
        parts = {"input": "-", "actual_output": "-"}
        return example_reason(self.prompt("coherence", METRICS["coherence"], parts))

    def loaded(self, text: str) -> object:
        """Return the JSON that deepeval finds in a reply. Raises Unreadable."""
        try:
            return self._load(text)
        except Exception as error:
            raise Unreadable("it is not JSON") from error

    def weighted(self, score: int | float | str, tokens: Sequence[Token]) -> float:
        """Return deepeval's score from 0 to 10, weighted by the probabilities of the alternatives."""
        logprobs = SimpleNamespace(content=tokens)
        reply = SimpleNamespace(choices=[SimpleNamespace(logprobs=logprobs)])
        return float(self._weigh(score, reply))


@cache
def library() -> Library:
    """Import deepeval, silenced. Raises CannotAsk, naming the cure, where it cannot be imported."""
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
