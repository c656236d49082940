"""The causal benchmark: how a form was made, what attacks on it find, and a question explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Listed
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

Letter = Literal["A", "B", "C", "D"]
VariantName = Literal["base", "trap", "transfer", "numeric", "analyst"]
ErrorKind = Literal["partial insight", "reversed logic", "textbook reflex", "sophisticated but misapplied"]
SolverName = Literal["guesser", "marginal-association", "adjust-for-everything", "correct"]


@dataclass(frozen=True, slots=True)
class RejectedForm:
    """A form that was drawn before another one and failed its lint."""

    retry: Annotated[int, Figure("retry")]
    findings: Annotated[tuple[str, ...], Figure("findings"), Listed("text")]


@dataclass(frozen=True, slots=True)
class FormRecord:
    """How a form was made and how hard it is: what is published beside its questions."""

    generator: Annotated[
        int, Figure("generator", meaning="raised with every change after which a seed gives another form")
    ]
    seed: Annotated[
        str | None,
        Figure("seed", meaning="none for a sealed form whose seed was given: whoever has it has the keys"),
    ]
    seed_sha256: Annotated[str, Figure("SHA-256 of the seed")]
    retries: Annotated[int, Figure("retries", meaning="forms drawn before this one that failed their lint")]
    rejected: tuple[RejectedForm, ...]
    redraws: Annotated[
        Mapping[str, int],
        Figure("redraws", meaning="questions drawn again to bring the solvers into their bands"),
        Listed("id", "draw"),
    ]
    questions: Annotated[int, Figure("questions")]
    bundles: Annotated[int, Figure("bundles")]
    content_sha256: Annotated[str, Figure("SHA-256 of the content", meaning="every prompt and key, in order")]
    chance: Annotated[float, Figure("chance", meaning="a blind guesser's accuracy", least=0, most=1)]
    solvers: Annotated[
        Mapping[SolverName, float],
        Figure("solvers", meaning="expected accuracy of each simulated solver, 0-1"),
        Listed("solver", "expected_accuracy"),
    ]


@dataclass(frozen=True, slots=True)
class GeneratedForm:
    """A form that was made, with the files that were written."""

    record: Annotated[FormRecord, Flat()]
    files: Annotated[tuple[str, ...], Figure("files"), Listed("file")]


@dataclass(frozen=True, slots=True)
class Tested:
    """One test of a form: an attack, or of the keys' order and spread, which have no `right` and `chance`."""

    name: Annotated[str, Figure("test")]
    description: Annotated[str, Figure("description")]
    n: Annotated[int, Figure("of", meaning="questions on which the attack had something to say")]
    right: Annotated[float | None, Figure("right", of="n")]
    chance: Annotated[float | None, Figure("by chance", meaning="right answers to be expected by chance")]
    p: Annotated[float, Figure("p", meaning="one-sided chance of so many right answers", least=0, most=1)]
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
    """Something that should not be published."""

    kind: Annotated[Literal["luck", "near-duplicate", "template", "options"], Figure("finding")]
    text: Annotated[str, Figure("what it is")]


@dataclass(frozen=True, slots=True)
class FormLint:
    """The tests of a form and what they found."""

    questions: Annotated[int, Figure("questions")]
    tests: tuple[Tested, ...]
    findings: tuple[FormFinding, ...]

    @property
    def passed(self) -> Annotated[bool, Figure("passed", meaning="nothing was found")]:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model got right when shown the options only, or the whole questions; errors count as wrong."""

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
    ) -> Annotated[bool, Figure("simulated", meaning="nobody was asked: the figures measure nothing real")]:
        """Whether nobody was asked: simulated models answer from the exemplars, which know the key."""
        return self.model.startswith("simulated/")


@dataclass(frozen=True, slots=True)
class LintedForm:
    """What attacks on a form found, and how models do without its questions."""

    form: Annotated[str, Figure("form")]
    lint: Annotated[FormLint, Flat()]
    baselines: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One variable: its causes, whether it is measured, and its rows as `Z=1, X=0: 3/10, 7/10`."""

    name: Annotated[str, Figure("variable")]
    parents: Annotated[tuple[str, ...], Figure("parents", meaning="its causes"), Listed("name")]
    hidden: Annotated[bool, Figure("hidden", meaning="not measured")]
    rows: Annotated[
        tuple[str, ...], Figure("rows", meaning="the chances of its levels, given its causes"), Listed("row")
    ]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim in notation, what an option asserts, and what each route finds."""

    query: Annotated[str, Figure("query")]
    asserted: Annotated[str, Figure("asserted")]
    derived: Annotated[str, Figure("derived", meaning="by graph criteria and formulas")]
    counted: Annotated[str, Figure("counted", meaning="by counting units and random numbers")]
    true: Annotated[bool, Figure("true")]


@dataclass(frozen=True, slots=True)
class DerivationStep:
    """A step to the key: a labelled term with its value."""

    label: Annotated[str, Figure("label")]
    term: Annotated[str, Figure("term")]
    value: Annotated[str, Figure("value")]


@dataclass(frozen=True, slots=True)
class ExplainedOption:
    """An option as shown: why it is right or wrong, and the claims that decide it."""

    letter: Annotated[Letter, Figure("letter")]
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
    """Everything that is known of a question."""

    id: Annotated[str, Figure("question")]
    concept: Annotated[str, Figure("concept")]
    variant: Annotated[VariantName, Figure("variant")]
    template: Annotated[str, Figure("wording")]
    scene: Annotated[str, Figure("scene")]
    state: Annotated[str, Figure("state", meaning="what was drawn")]
    stem: Annotated[str, Figure("question's text")]
    arrows: Annotated[tuple[str, ...], Figure("arrows"), Listed("arrow")]
    variables: tuple[Mechanism, ...]
    derivation: tuple[DerivationStep, ...]
    options: tuple[ExplainedOption, ...]


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "causal-explain": (Explanation, "assay causal explain --json"),
    "causal-generate": (GeneratedForm, "assay causal generate --json"),
    "causal-lint": (LintedForm, "assay causal lint --json"),
}
