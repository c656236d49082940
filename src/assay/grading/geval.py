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
from assay.core.documented import HelpText
from assay.core.judging import Bench, Mark, ShownToJudge
from assay.grading.geval_library import (
    HIGHEST,
    METRICS,
    CannotAsk,
    Library,
    NotWeighable,
    UnreadableScore,
    check_single_score,
    copies_example,
    library,
    score_of,
    version,
    weighable_tokens,
)
from assay.grading.judging import fence
from assay.grading.judging.fence import checked_fence, neutralise, section
from assay.grading.text.answer import visible

LONGEST_RATIONALE = 1_500
PARAMETERS: Mapping[str, Any] = {"temperature": 0, "logprobs": True, "top_logprobs": 20}
AGAIN = (
    '\n\nAn earlier reply to this could not be read: {why}. Return one JSON object with "reason" and "score" '
    "(an integer from 0 to 10) and nothing else.\n\nJSON:\n"
)


class GEval:
    """The judged grader `geval`: a score for each metric, read as deepeval reads it.

    Parameters: `metrics`, some of correctness, coherence and instruction_following (all by default), and
    `ideal`, the ideal answer that correctness compares with (by default that of the case's `rubric` grader).
    The mode of a mark is `logprobs` for a score weighted by token probabilities and `integer` for the bare
    score; the rationale then ends with the reason why it was not weighted.
    """

    name: ClassVar[str] = "geval"
    version: ClassVar[str] = "2"
    help: ClassVar[HelpText] = HelpText("""
        A judge's score from 0 to 1 for correctness, coherence or instruction following, weighted by the
        probabilities of the scores that it could have written (G-Eval).

        The weighting makes the score finer than whole marks. It needs a judge whose endpoint returns token
        probabilities; otherwise the bare score counts and the mode is `integer`.

        Install the extra `assay[geval]`. Correctness needs an ideal answer. Read a surprising score's
        rationale in `assay show RUN.SAMPLE`.
    """)
    bench: ClassVar[Bench] = "geval"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the problems of the parameters."""
        known = ["ideal", "metrics"]
        problems = [
            f"unknown parameter {name!r}: write one of {known}" for name in spec.parameters.keys() - known
        ]
        metrics = spec.parameters.get("metrics", list(METRICS))
        if not isinstance(metrics, list | tuple) or not metrics:
            problems.append(f"`metrics` is {metrics!r}: give a list of some of {list(METRICS)}")
        else:
            problems += [
                f"unknown metric {metric!r}: write one of {list(METRICS)}"
                for metric in metrics
                if not isinstance(metric, str) or metric not in METRICS
            ]
        ideal = spec.parameters.get("ideal", "-")
        if not isinstance(ideal, str) or not ideal.strip():
            problems.append(f"`ideal` is {ideal!r}: give the ideal answer as text, or leave it out")
        return tuple(sorted(problems))

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the requested metrics, in the order of the documentation."""
        wanted = spec.parameters.get("metrics", METRICS)
        return tuple(metric for metric in METRICS if metric in wanted)

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str:
        """Return everything that affects a mark: steps, prompt, ideal answer, version of deepeval."""
        parts = [_prompt(case), _ideal(case, spec) if "expected_output" in METRICS[metric].parts else None]
        known = [self.name, self.version, version(), fence.VERSION, metric, METRICS[metric].steps, parts]
        return canonical(known).decode()

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge) -> ModelAsk:
        """Return deepeval's question for a metric, without flags of auto-checks.

        Raises CannotAsk without the library, and for correctness if the case has no ideal answer.
        """
        parts = _parts(case, spec, metric)
        parts["actual_output"] = _fenced(shown)
        prompt = library().prompt(metric, METRICS[metric], parts)
        return _ask(case, metric, prompt)

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: ShownToJudge, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the mark in the last reply; after an unreadable first reply, the question once more."""
        reply = replies[-1]
        if reply.status is CallStatus.ERROR:
            detail = f": {reply.detail}" if reply.detail else ""
            return Mark(None, reason=f"the judge could not be asked: {reply.error}{detail}")
        try:
            return _mark(library(), reply)
        except UnreadableScore as why:
            if len(replies) > 1:
                return Mark(None, reason=f"the judge's reply could not be read twice: {why}")
            asked = self.ask(case, spec, metric, shown).messages[0].content
            return _ask(case, metric, asked + AGAIN.format(why=why))


def _ask(case: Case, metric: str, prompt: str) -> ModelAsk:
    about = {"case": case.id, "metric": metric, "grader": GEval.name}
    return ModelAsk("geval", "", (Message("user", prompt),), PARAMETERS, about=about)


def _mark(deepeval: Library, reply: ModelReply) -> Mark:
    if reply.text is None:
        raise UnreadableScore(str(reply.error or "it is empty"))
    text = visible(reply.text)
    if text.lstrip().startswith("<think"):
        raise UnreadableScore("it ends before its reasoning does")
    check_single_score(text)
    data = deepeval.load_json(text)
    score = score_of(data)
    if isinstance(data, dict) and copies_example(data.get("reason"), deepeval.example):
        raise UnreadableScore("it repeats the example of the form")
    rationale = _rationale(data)
    try:
        weighted = deepeval.weighted_score(score, weighable_tokens(score, reply.logprobs))
    except NotWeighable as why:
        remark = f"[not weighted by logprobs: {why}]"
        return Mark(float(score) / HIGHEST, f"{rationale} {remark}".lstrip(), mode="integer")
    return Mark(weighted / HIGHEST, rationale, mode="logprobs")


def _rationale(data: object) -> str:
    reason = data.get("reason") if isinstance(data, dict) else None
    text = fence.one_line(reason) if isinstance(reason, str) else ""
    return text if len(text) <= LONGEST_RATIONALE else f"{text[: LONGEST_RATIONALE - 1]}…"


def _parts(case: Case, spec: GraderSpec, metric: str) -> dict[str, str]:
    """Return the parts that a metric compares with the answer, by deepeval's names."""
    parts = {"input": _without_image_tags(_prompt(case))}
    if "expected_output" in METRICS[metric].parts:
        ideal = _ideal(case, spec)
        if ideal is None:
            raise CannotAsk(
                f"case {case.id!r} has no ideal answer to compare with: give `ideal` to its geval or rubric "
                "grader, or leave correctness out of `metrics`"
            )
        parts["expected_output"] = _without_image_tags(ideal)
    return parts


def _prompt(case: Case) -> str:
    if len(case.messages) == 1:
        return case.messages[0].content
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in case.messages)


def _ideal(case: Case, spec: GraderSpec) -> str | None:
    rubrics = (grader.parameters.get("ideal") for grader in case.graders if grader.name == "rubric")
    ideal = spec.parameters.get("ideal") or next(rubrics, None)
    return ideal if isinstance(ideal, str) and ideal.strip() else None


def _fenced(shown: ShownToJudge) -> str:
    """Return the neutralised answer between fences."""
    return section("ANSWER", _without_image_tags(neutralise(shown.answer)), checked_fence(shown.fence))


def _without_image_tags(text: str) -> str:
    """Return a text in which deepeval finds no image tags, because it would refuse to ask."""
    return text.replace("[DEEPEVAL:", "[deepeval:")
