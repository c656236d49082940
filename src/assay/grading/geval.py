"""G-Eval through the deepeval library: correctness, coherence and instruction following, each from 0 to 1.

Source: Liu et al. 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment", equation 1 (the
score weighted by token probabilities), as deepeval reads it. See docs/methodology/geval.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.canonical import canonical
from assay.core.case import Case, GraderSpec
from assay.core.judging import Bench, Mark, Shown
from assay.grading.geval_library import CannotAsk, Library, library, version
from assay.grading.geval_reading import HIGHEST, Odd, Unreadable, only_score, repeats, score_of, weighable
from assay.grading.geval_steps import METRICS
from assay.grading.judging import fence, hidden
from assay.grading.judging.fence import accepted, neutralised, section
from assay.grading.text.answer import visible

LONGEST_RATIONALE = 1_500
PARAMETERS: Mapping[str, Any] = {"temperature": 0, "logprobs": True, "top_logprobs": 20}
AGAIN = (
    '\n\nAn earlier reply to this could not be read: {why}. Return one JSON object with "reason" and "score" '
    "(an integer from 0 to 10) and nothing else.\n\nJSON:\n"
)


class GEval:
    """Asks the judge of G-Eval for each metric and reads its reply as deepeval would.

    Parameters: `metrics`, some of correctness, coherence and instruction_following (all by default), and
    `ideal`, the ideal answer that correctness compares with (by default that of the case's `rubric` grader).
    The mode of a mark is `logprobs` for a score weighted by token probabilities and `integer` for
    the bare score; the rationale then ends with why it was not weighted.
    """

    name: ClassVar[str] = "geval"
    version: ClassVar[str] = "2"
    bench: ClassVar[Bench] = "geval"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        known = ["ideal", "metrics"]
        found = [
            f"unknown parameter {name!r}: write one of {known}" for name in spec.parameters.keys() - known
        ]
        metrics = spec.parameters.get("metrics", list(METRICS))
        if not isinstance(metrics, list | tuple) or not metrics:
            found.append(f"`metrics` is {metrics!r}: give a list of some of {list(METRICS)}")
        else:
            found += [
                f"unknown metric {metric!r}: write one of {list(METRICS)}"
                for metric in metrics
                if not isinstance(metric, str) or metric not in METRICS
            ]
        ideal = spec.parameters.get("ideal", "-")
        if not isinstance(ideal, str) or not ideal.strip():
            found.append(f"`ideal` is {ideal!r}: give the ideal answer as text, or leave it out")
        return tuple(sorted(found))

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the metrics to be marked, in the order of the documentation."""
        wanted = spec.parameters.get("metrics", METRICS)
        return tuple(metric for metric in METRICS if metric in wanted)

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str:
        """Return what bears on a mark: the steps, the prompt, the ideal answer, the version of deepeval."""
        parts = [_prompt(case), _ideal(case, spec) if "expected_output" in METRICS[metric].parts else None]
        known = [self.name, self.version, version(), fence.VERSION, metric, METRICS[metric].steps, parts]
        return canonical(known).decode()

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: Shown) -> ModelAsk:
        """Return deepeval's question for a metric.

        Raises CannotAsk without the library, and for correctness where the case has no ideal answer.
        Flags are not shown: G-Eval knows no auto-checks.
        """
        parts = _parts(case, spec, metric)
        parts["actual_output"] = _fenced(shown)
        prompt = library().prompt(metric, METRICS[metric], parts)
        return _ask(case, metric, prompt)

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: Shown, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the mark of the last reply; an unreadable one is asked again once, then gives no mark."""
        reply = replies[-1]
        if reply.status is CallStatus.ERROR:
            told = f": {reply.detail}" if reply.detail else ""
            return Mark(None, reason=f"the judge could not be asked: {reply.error}{told}")
        try:
            return _mark(library(), reply)
        except Unreadable as why:
            if len(replies) > 1:
                return Mark(None, reason=f"the judge's reply could not be read twice: {why}")
            asked = self.ask(case, spec, metric, shown).messages[0].content
            return _ask(case, metric, asked + AGAIN.format(why=why))


def _ask(case: Case, metric: str, prompt: str) -> ModelAsk:
    about = {"case": case.id, "metric": metric, "grader": GEval.name}
    return ModelAsk("geval", "", (Message("user", prompt),), PARAMETERS, about=about)


def _mark(deepeval: Library, reply: ModelReply) -> Mark:
    if reply.text is None:
        raise Unreadable(str(reply.error or "it is empty"))
    text = visible(reply.text)
    if text.lstrip().startswith("<think"):
        raise Unreadable("it ends before its reasoning does")
    only_score(text)
    data = deepeval.loaded(text)
    score = score_of(data)
    if isinstance(data, dict) and repeats(data.get("reason"), deepeval.example):
        raise Unreadable("it repeats the example of the form")
    rationale = _rationale(data)
    try:
        weighted = deepeval.weighted(score, weighable(score, reply.logprobs))
    except Odd as why:
        told = f"[not weighted by logprobs: {why}]"
        return Mark(float(score) / HIGHEST, f"{rationale} {told}".lstrip(), mode="integer")
    return Mark(weighted / HIGHEST, rationale, mode="logprobs")


def _rationale(data: object) -> str:
    said = data.get("reason") if isinstance(data, dict) else None
    text = hidden.plain(said) if isinstance(said, str) else ""
    return text if len(text) <= LONGEST_RATIONALE else f"{text[: LONGEST_RATIONALE - 1]}…"


def _parts(case: Case, spec: GraderSpec, metric: str) -> dict[str, str]:
    """Return what a metric compares besides the answer, by deepeval's names."""
    parts = {"input": _unplaced(_prompt(case))}
    if "expected_output" in METRICS[metric].parts:
        ideal = _ideal(case, spec)
        if ideal is None:
            raise CannotAsk(
                f"case {case.id!r} has no ideal answer to compare with: give `ideal` to its geval or rubric "
                "grader, or leave correctness out of `metrics`"
            )
        parts["expected_output"] = _unplaced(ideal)
    return parts


def _prompt(case: Case) -> str:
    if len(case.messages) == 1:
        return case.messages[0].content
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in case.messages)


def _ideal(case: Case, spec: GraderSpec) -> str | None:
    rubrics = (grader.parameters.get("ideal") for grader in case.graders if grader.name == "rubric")
    ideal = spec.parameters.get("ideal") or next(rubrics, None)
    return ideal if isinstance(ideal, str) and ideal.strip() else None


def _fenced(shown: Shown) -> str:
    """Return the answer between fences, with nothing hidden in it."""
    return section("ANSWER", _unplaced(neutralised(shown.answer)), accepted(shown.fence))


def _unplaced(text: str) -> str:
    """Return a text in which deepeval finds no place for an image: it would refuse to ask."""
    return text.replace("[DEEPEVAL:", "[deepeval:")
