"""The causal benchmark: the record of a form, its lint with shortcut attacks, and an explained question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Listed
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

Letter = Literal["A", "B", "C", "D"]
OpenLetter = Literal["A", "B", "C", "D", ""]
VariantName = Literal["base", "trap", "transfer", "numeric", "analyst"]
ErrorKind = Literal["partial insight", "reversed logic", "textbook reflex", "sophisticated but misapplied"]
SolverName = Literal["guesser", "marginal-association", "adjust-for-everything", "correct"]


@dataclass(frozen=True, slots=True)
class RejectedForm:
    """An earlier draw of a form that failed its lint."""

    retry: Annotated[int, Figure("retry")]
    findings: Annotated[tuple[str, ...], Figure("findings"), Listed("text")]


@dataclass(frozen=True, slots=True)
class FormRequest:
    """What a form was asked to hold: bundles of five variants a concept, or a ladder of levels and rungs."""

    plan: Annotated[Literal["bundles", "ladder"], Figure("plan")]
    questions: Annotated[int, Figure("questions asked for")]
    levels: Annotated[tuple[int, ...], Figure("levels"), Listed("level")]
    concepts: Annotated[tuple[str, ...], Figure("concepts", meaning="none stands for all"), Listed("concept")]
    rungs: Annotated[
        tuple[str, ...], Figure("rungs", meaning="rungs of the ladder of causation"), Listed("rung")
    ]
    twins: Annotated[int, Figure("twins", meaning="twins of each kind")]


@dataclass(frozen=True, slots=True)
class FormRecord:
    """The record of a form's making and difficulty, which is published beside its questions."""

    generator: Annotated[
        int,
        Figure("generator", meaning="the generator's version: after a change a seed gives another form"),
    ]
    seed: Annotated[
        str | None,
        Figure(
            "seed", meaning="none for a sealed form whose seed was given, because the seed reveals the keys"
        ),
    ]
    seed_sha256: Annotated[str, Figure("SHA-256 of the seed")]
    retries: Annotated[int, Figure("retries", meaning="forms drawn before this one that failed their lint")]
    rejected: tuple[RejectedForm, ...]
    questions: Annotated[int, Figure("questions")]
    concepts: Annotated[int, Figure("concepts")]
    content_sha256: Annotated[str, Figure("SHA-256 of the content", meaning="every prompt and key, in order")]
    chance: Annotated[float, Figure("chance", meaning="a blind guesser's accuracy", least=0, most=1)]
    solvers: Annotated[
        Mapping[SolverName, float],
        Figure("solvers", meaning="expected accuracy of each simulated solver, 0-1"),
        Listed("solver", "expected_accuracy"),
    ]
    request: FormRequest


@dataclass(frozen=True, slots=True)
class GeneratedForm:
    """A new form with the files that were written."""

    record: Annotated[FormRecord, Flat()]
    files: Annotated[tuple[str, ...], Figure("files"), Listed("file")]


@dataclass(frozen=True, slots=True)
class Tested:
    """One test of a form: a shortcut attack, or a test of the keys' order or spread.

    The latter have no `right` and no `chance`.
    """

    name: Annotated[str, Figure("test")]
    description: Annotated[str, Figure("description")]
    n: Annotated[int, Figure("of", meaning="questions for which the attack chose an option")]
    right: Annotated[float | None, Figure("right", of="n")]
    chance: Annotated[float | None, Figure("by chance", meaning="right answers expected by chance")]
    p: Annotated[
        float, Figure("p", meaning="one-sided probability of so many right answers", least=0, most=1)
    ]
    adjusted: Annotated[
        float, Figure("Holm", meaning="p with Holm's correction over all tests of the form", least=0, most=1)
    ]


def _significant(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}g}"


TESTS: Final = Table(
    Tested,
    (
        "name",
        Column("right", lambda test: _significant(test.right, 4), right=True),
        "n",
        Column("by chance", lambda test: _significant(test.chance, 4), right=True),
        Column("p", lambda test: _significant(test.p, 2), right=True, legend=legend_of(Tested, "p")),
        Column("Holm", lambda test: _significant(test.adjusted, 2), right=True),
    ),
)


@dataclass(frozen=True, slots=True)
class FormFinding:
    """A defect because of which a form should not be published."""

    kind: Annotated[Literal["luck", "near-duplicate", "template", "options"], Figure("finding")]
    text: Annotated[str, Figure("what it is")]


@dataclass(frozen=True, slots=True)
class FormLint:
    """The tests of a form and their findings."""

    questions: Annotated[int, Figure("questions")]
    tests: tuple[Tested, ...]
    findings: tuple[FormFinding, ...]

    @property
    def passed(self) -> Annotated[bool, Figure("passed", meaning="nothing was found")]:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Trial:
    """A model's right answers when shown the options only, or the whole questions; errors count as wrong."""

    model: Annotated[str, Figure("model")]
    shown: Annotated[Literal["options only", "whole questions"], Figure("shown")]
    run: Annotated[int, Figure("run")]
    right: Annotated[int, Figure("right", of="n")]
    n: Annotated[int, Figure("n", meaning="questions")]
    error: Annotated[
        int, Figure("errors", meaning="questions without an answer; they count as wrong", of="n")
    ]
    interval: Annotated[
        Interval,
        Flat(only=("low", "high")),
        Figure("interval", meaning="exact 95 % interval of the accuracy"),
    ]

    @property
    def accuracy(self) -> Annotated[float, Figure("accuracy", share=True, of="n")]:
        """The share of right answers."""
        return self.right / self.n

    @property
    def simulated(
        self,
    ) -> Annotated[
        bool, Figure("simulated", meaning="no real model was asked: the figures measure nothing real")
    ]:
        """Whether no real model was asked: simulated models answer from the exemplars, which know the key."""
        return self.model.startswith("simulated/")


@dataclass(frozen=True, slots=True)
class LintedForm:
    """The lint of a form, and the results of models that were shown its options only."""

    form: Annotated[str, Figure("form")]
    lint: Annotated[FormLint, Flat()]
    baselines: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class ClaimShare:
    """A claim of a concept, and how often it is true."""

    claim: Annotated[str, Figure("claim")]
    true: Annotated[float, Figure("true", share=True, of="stories")]
    stories: Annotated[int, Figure("stories", meaning="stories drawn at all levels")]


CLAIM_SHARES: Final = Table(ClaimShare, ("claim", "true", "stories"))


@dataclass(frozen=True, slots=True)
class CheckedConcept:
    """The check of a concept's data."""

    concept: Annotated[str, Figure("concept")]
    questions: Annotated[int, Figure("questions", meaning="questions drawn, proved and read back")]
    claims: tuple[ClaimShare, ...]
    findings: Annotated[tuple[str, ...], Figure("findings"), Listed("text")]

    @property
    def passed(self) -> Annotated[bool, Figure("passed", meaning="nothing was found")]:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One variable: its causes, whether it is measured, and its rows as `Z=1, X=0: 3/10, 7/10`."""

    name: Annotated[str, Figure("variable")]
    parents: Annotated[tuple[str, ...], Figure("parents", meaning="its causes"), Listed("name")]
    hidden: Annotated[bool, Figure("hidden", meaning="not measured")]
    rows: Annotated[
        tuple[str, ...],
        Figure("rows", meaning="the probabilities of its levels, given its causes"),
        Listed("row"),
    ]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim in notation, the option's assertion, and the result of both ways of computing it."""

    query: Annotated[str, Figure("query")]
    asserted: Annotated[str, Figure("asserted")]
    derived: Annotated[str, Figure("derived", meaning="by graph criteria and formulas")]
    counted: Annotated[str, Figure("counted", meaning="by counting units and random numbers")]
    true: Annotated[bool, Figure("true")]


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """A step of the key's derivation: a labelled term with its value."""

    label: Annotated[str, Figure("label")]
    term: Annotated[str, Figure("term")]
    value: Annotated[str, Figure("value")]


@dataclass(frozen=True, slots=True)
class ExplainedOption:
    """An option as shown, with the claims that decide it and the reason why it is right or wrong."""

    letter: Annotated[OpenLetter, Figure("letter", meaning="empty for an open answer")]
    text: Annotated[str, Figure("text")]
    right: Annotated[bool, Figure("right")]
    kind: Annotated[
        ErrorKind | None, Figure("kind", meaning="the kind of error of a wrong option; the key has none")
    ]
    why: Annotated[str, Figure("why")]
    claims: tuple[CheckedClaim, ...]
    figure: CheckedClaim | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question with its model, derivation and options."""

    id: Annotated[str, Figure("question")]
    concept: Annotated[str, Figure("concept")]
    variant: Annotated[VariantName, Figure("variant")]
    template: Annotated[str, Figure("wording")]
    scene: Annotated[str, Figure("scene")]
    state: Annotated[str, Figure("state", meaning="the values that were drawn for it")]
    stem: Annotated[str, Figure("question's text")]
    arrows: Annotated[tuple[str, ...], Figure("arrows"), Listed("arrow")]
    variables: tuple[Mechanism, ...]
    derivation: tuple[DerivationStep, ...]
    options: tuple[ExplainedOption, ...]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "causal-explain": (Explanation, "assay causal explain --json"),
    "causal-generate": (GeneratedForm, "assay causal generate --json"),
    "causal-lint": (LintedForm, "assay causal lint --json"),
    "causal-concept": (CheckedConcept, "assay causal lint --concept --json"),
}
