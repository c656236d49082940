"""The shapes of a suite's files as users write them: the manifest and one file for each use case."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from assay.files.shape import StrictShape

SLUG = r"^[a-z0-9][a-z0-9._-]*$"
Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Fall = Annotated[float, Field(gt=0, le=1)]
Deviation = Annotated[float, Field(lt=0)]
Positive = Annotated[int, Field(ge=1)]


class BoundsShape(StrictShape):
    """The bounds of the verdict; keys that are left out keep the seed's value."""

    suspicious_z: Deviation | None = Field(
        None, description="a negative number of standard deviations, such as -2"
    )
    suspicious_drop: Fall | None = Field(None, description="a fraction of the mean, such as 0.10")
    cooked_z: Deviation | None = Field(
        None, description="a negative number of standard deviations, such as -3"
    )
    cooked_drop: Fall | None = Field(None, description="a fraction of the mean, such as 0.20")
    collapse_drop: Fall | None = Field(None, description="a fraction of the mean, such as 0.35")
    floor: Annotated[float, Field(gt=0, le=100)] | None = Field(None, description="points above 0, such as 2")


class ThresholdsShape(StrictShape):
    """The constants of the watch; keys that are left out keep the seed's value."""

    deterministic: BoundsShape | None = Field(None, description="a mapping of bounds")
    judged: BoundsShape | None = Field(None, description="a mapping of bounds")
    window_days: Positive | None = Field(None, description="a whole number of days, such as 14")
    least_days: Positive | None = Field(None, description="a whole number of days, such as 5")
    sustained_days: Positive | None = Field(None, description="a whole number of days, such as 2")
    gap_share: Share | None = Field(None, description="a share from 0 to 1, such as 0.20")
    cooked_use_cases: Positive | None = Field(None, description="a whole number of use cases, such as 2")
    suspicious_beside_cooked: Positive | None = Field(
        None, description="a whole number of use cases, such as 2"
    )
    recovery_days: Positive | None = Field(None, description="a whole number of days, such as 3")
    judge_shift: Annotated[float, Field(gt=0, le=4)] | None = Field(
        None, description="marks on the 1-5 scale, such as 0.3"
    )
    common_share: Share | None = Field(None, description="a share from 0 to 1, such as 0.80")
    case_share: Share | None = Field(None, description="a share from 0 to 1, such as 0.50")


class PanelShape(StrictShape):
    """The judges of a board. They may change from run to run, so they do not enter the digest."""

    judges: list[Text] = Field(default_factory=list, description="a list of models as `provider/model`")
    geval: Text | None = Field(None, description="the judge of G-Eval as `provider/model`")
    exclude: Literal["self", "family"] = Field("self", description="`self` or `family`")
    substitute: Text | None = Field(None, description="a model as `provider/model`")
    flags: bool = Field(True, description="true or false")
    max_tokens: Positive = Field(8192, description="a whole number of tokens, such as 8192")


class ManifestShape(StrictShape):
    """`suite.yaml`."""

    name: str = Field(pattern=SLUG, description="lower-case letters, digits and hyphens, such as `daily`")
    version: str = Field(
        pattern=r"^[0-9A-Za-z][0-9A-Za-z.+-]*$",
        description='a version as text, such as `2.0.0` (in quotes where it has one dot: "2.0")',
    )
    title: Text = Field(description="a line of text for people")
    visibility: Literal["public", "private"] = Field(description="`public` or `private`")
    canary: Text | None = Field(None, description='a random text, such as "assay-canary-" and a GUID')
    description: str = Field("", description="a text")
    judge: Text | None = Field(None, description="the judge's model as `provider/model`")
    panel: PanelShape | None = Field(None, description="`{judges: [...], geval: ...}`")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="generation parameters, such as `{temperature: 0}`"
    )
    thresholds: ThresholdsShape | None = Field(None, description="a mapping of thresholds")
    use_cases: Annotated[list[Text], Field(min_length=1)] = Field(
        description="a list of the use cases' files, such as `[extraction.yaml]`"
    )


class SamplesShape(StrictShape):
    """The number of epochs a day, normally and on suspicious days."""

    base: Positive = Field(description="a whole number from 1")
    full: Positive = Field(description="a whole number, at least `base`")


class WeightsShape(StrictShape):
    """The shares of the mechanical checks and of the judge."""

    checks: Share = Field(description="a share from 0 to 1, such as 0.5")
    judge: Share = Field(description="a share from 0 to 1, such as 0.5")


class MessageShape(StrictShape):
    """One turn."""

    role: Literal["system", "user", "assistant"] = Field(description="`system`, `user` or `assistant`")
    content: Text = Field(description="the text of the turn")


class ExemplarShape(StrictShape):
    """A hand-made answer with its correct score."""

    answer: str = Field(description="the answer as a model would give it")
    score: Share = Field(description="the score that the mechanical graders must give, from 0 to 1")
    marks: Annotated[float, Field(ge=1, le=5)] | None = Field(
        None, description="an expert's marks, from 1 to 5"
    )
    note: str = Field("", description="a text")


class CaseShape(StrictShape):
    """One case. Its graders are read separately: each is a mapping with the grader's name as key."""

    id: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        description="letters, digits and hyphens, such as `messy-invoice`",
    )
    system: Text | None = Field(None, description="a text")
    prompt: Text | None = Field(None, description="the text of the question")
    messages: Annotated[list[MessageShape], Field(min_length=1)] | None = Field(
        None, description="a list of turns, such as `[{role: user, content: ...}]`"
    )
    max_tokens: Positive = Field(4096, description="a whole number of tokens, such as 4096")
    tags: list[Text] = Field(default_factory=list, description="a list of words")
    subcategory: Text | None = Field(None, description="a word, such as bug_detection")
    difficulty: Literal["easy", "medium", "hard"] | None = Field(
        None, description="`easy`, `medium` or `hard`"
    )
    check_type: Text | None = Field(None, description="a word, such as word_count")
    level: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="a level from 1 to 4")
    rung: Literal["association", "intervention", "counterfactual"] | None = Field(
        None, description="`association`, `intervention` or `counterfactual`"
    )
    twin: Literal["renamed", "pressured", "undeterminable"] | None = Field(
        None, description="`renamed`, `pressured` or `undeterminable`"
    )
    twin_of: Text | None = Field(None, description="the id of the case that it is a twin of")
    pressed_for: Annotated[str, Field(pattern="^[A-Za-z0-9]$")] | None = Field(
        None, description="the letter of the wrong option that a speaker insists on, such as `B`"
    )
    refusals: Annotated[str, Field(pattern="^[A-Za-z0-9]+$")] | None = Field(
        None, description="the letters of the options that say that it cannot be told, such as `CD`"
    )
    graders: Annotated[list[Any], Field(min_length=1)] = Field(
        description="a list of graders, such as `- exact: {expect: Paris}`"
    )
    weights: WeightsShape | None = Field(None, description="`{checks: 0.5, judge: 0.5}`")
    derivation: str | None = Field(None, description="a text on how the reference answer was checked")
    exemplars: list[ExemplarShape] = Field(
        default_factory=list, description="a list of answers, such as `- {score: 1.0, answer: ...}`"
    )


class UseCaseShape(StrictShape):
    """The file of a use case. Its cases are checked one by one, so that all their problems are found."""

    name: str = Field(
        pattern=SLUG, description="lower-case letters, digits and hyphens, such as `code-generation`"
    )
    title: Text = Field(description="a line of text for people")
    grading: Literal["deterministic", "hybrid", "judge"] = Field(
        description="`deterministic`, `hybrid` or `judge`"
    )
    samples: SamplesShape = Field(description="`{base: 1, full: 3}`")
    weights: WeightsShape | None = Field(None, description="`{checks: 0.5, judge: 0.5}`")
    rubric: Text | None = Field(
        None, description="the judge's rules as text, with an anchor for each mark 1-5"
    )
    cases: Annotated[list[Any], Field(min_length=1)] = Field(description="a list of cases")
