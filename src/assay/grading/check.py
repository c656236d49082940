"""Declaring a mechanical grader as one function with its name, version and parameters.

    @check("word_count", version="1")
    def word_count(answer: str, *, target: Count, tolerance: float | None = None) -> Grade: ...

The keyword arguments are the parameters that a suite may give. A parameter without a default is required; its
type defines what a suite must write. An auto-check's grade is 1 without flags and 0 with at least one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, get_args

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.parameters import (
    GraderParameter,
    Parameters,
    ParameterShape,
    PreparedSpecs,
    parameter_problems,
)

Text = Annotated[str, ParameterShape.TEXT]
Texts = Annotated[Sequence[str], ParameterShape.TEXTS]
Patterns = Annotated[Sequence[str], ParameterShape.PATTERNS]
Count = Annotated[int, ParameterShape.COUNT]
Switch = Annotated[bool, ParameterShape.FLAG]

Flag = dict[str, Any]


class MechanicalGrader:
    """A grader that is a function of the answer and the parameters, without judges or sandbox."""

    def __init__(
        self,
        name: str,
        version: str,
        function: Callable[..., Grade],
        prepare: Callable[..., Any] | None,
        names: Sequence[str],
        problems: Callable[[Parameters], Iterable[str]],
        any_of: Sequence[str],
        about: HelpText | None,
    ) -> None:
        self.name, self.version, self.help = name, version, about
        self.__doc__ = function.__doc__
        self._function, self._problems, self._any_of = function, problems, any_of
        if names:
            self._parameters = tuple(
                GraderParameter(known, ParameterShape.ANY, required=False) for known in names
            )
        else:
            self._parameters = _declared_parameters(prepare or function)
        make = prepare or dict
        self._prepared = PreparedSpecs(
            lambda spec: make(spec.parameters) if names else make(**spec.parameters)
        )
        self._takes_prepared = bool(names) or prepare is not None

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the problems of the parameters."""
        parameters = spec.parameters
        problems = parameter_problems(self._parameters, parameters)
        if self._any_of and not any(name in parameters for name in self._any_of):
            problems.append(f"nothing to check: give at least one of {', '.join(self._any_of)}")
        return (*problems, *self._problems(parameters))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Return no requests: the grader is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return the grade of an answer."""
        if self._takes_prepared:
            return self._function(answer, self._prepared(spec))
        return self._function(answer, **spec.parameters)


def check(
    name: str,
    *,
    version: str,
    prepare: Callable[..., Any] | None = None,
    names: Sequence[str] = (),
    problems: Callable[[Parameters], Iterable[str]] = lambda parameters: (),
    any_of: Sequence[str] = (),
    about: HelpText | None = None,
) -> Callable[[Callable[..., Grade]], MechanicalGrader]:
    """Declare a function as the mechanical grader of that name.

    With `prepare` the parameters are its keyword arguments, and the function takes the answer and the result
    of `prepare`, which is computed once for each case. With `names`, the names of the parameters, `prepare`
    or the function takes all parameters as one mapping, and only `problems` checks them. `problems` yields
    problems of the parameters other than their types; at least one parameter of `any_of` must be given.
    `about` is the grader's help page, which every built-in grader has.
    """
    return lambda function: MechanicalGrader(name, version, function, prepare, names, problems, any_of, about)


def flag(code: str, message: str, **details: Any) -> Flag:
    """Return one flag: its code, a message of one line, and details."""
    return {"code": str(code), "says": message, **details}


def grade(*flags: Flag, **evidence: Any) -> Grade:
    """Return the grade of an answer with these flags and further evidence."""
    return Grade(0.0 if flags else 1.0, {"flags": list(flags), **evidence})


def _declared_parameters(function: Callable[..., object]) -> tuple[GraderParameter, ...]:
    """Return the parameters declared by a function's keyword-only arguments."""
    return tuple(
        GraderParameter(
            argument.name, *_shape(argument.annotation, required=argument.default is argument.empty)
        )
        for argument in inspect.signature(function, eval_str=True).parameters.values()
        if argument.kind is argument.KEYWORD_ONLY
    )


def _shape(annotation: Any, *, required: bool) -> tuple[ParameterShape, bool, tuple[str, ...]]:
    for hint in (annotation, *get_args(annotation)):
        for metadata in getattr(hint, "__metadata__", ()):
            if isinstance(metadata, ParameterShape):
                choices = [extra for extra in hint.__metadata__ if isinstance(extra, tuple)]
                return metadata, required, choices[0] if choices else ()
    return ParameterShape.ANY, False, ()
