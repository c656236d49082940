"""The `html_page` grader: structural checks of a self-contained HTML page in an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.pages.checks import NAMES, faults
from assay.grading.pages.page import HtmlPage, extract, parse
from assay.grading.pages.selector import selector
from assay.grading.parameters import Parameters
from assay.grading.text import pattern

KEYS = {"require": "select", "forbid": "select", "text": "pattern", "no_text": "pattern"}
"""The lists of demands, each with the key that its mappings must have."""

KNOWN = (*KEYS, "checks", "allow")


@dataclass(frozen=True, slots=True)
class DemandOutcome:
    """The result of one demand on the page: its description, whether it holds, its weight, the evidence."""

    what: str
    holds: bool
    weight: float
    found: Any


def outcomes(parameters: Mapping[str, Any], page: HtmlPage) -> Iterator[DemandOutcome]:
    """Yield the outcome of every demand that well-formed parameters make."""
    for item in _items(parameters, "require"):
        least, most = item.get("min", 1), item.get("max")
        number = len(selector(item["select"]).select(page))
        upper = "" if most is None else f", at most {most}"
        holds = number >= least and (most is None or number <= most)
        yield DemandOutcome(f"at least {least}{upper} of {item['select']!r}", holds, _weight(item), number)
    for item in _items(parameters, "forbid"):
        lines = [element.line for element in selector(item["select"]).select(page)]
        yield DemandOutcome(f"none of {item['select']!r}", not lines, _weight(item), {"on lines": lines[:10]})
    text = page.text[: pattern.LONGEST]
    for name, wanted in (("text", True), ("no_text", False)):
        for item in _items(parameters, name):
            match = pattern.compiled(item["pattern"], ignore_case=True).search(text)
            negation = "" if wanted else "no "
            found = None if match is None else match.group()[:120]
            yield DemandOutcome(
                f"{negation}text {item['pattern']!r}", (match is not None) == wanted, _weight(item), found
            )
    for name, weight in _checks(parameters).items():
        wrong = faults(name, page, tuple(parameters.get("allow", ())))
        yield DemandOutcome(name, not wrong, weight, {"faults": len(wrong), "first": wrong[:10]})


def _problems(parameters: Parameters) -> list[str]:
    problems = []
    if not any(parameters.get(name) for name in KNOWN if name != "allow"):
        problems.append("no demands: give `require`, `forbid`, `text`, `no_text` or `checks`")
    for name in KEYS:
        problems += _demand_problems(name, parameters.get(name, ()))
    problems += _check_problems(parameters.get("checks", ()))
    allow = parameters.get("allow", ())
    if not _is_list(allow) or not all(isinstance(start, str) and start for start in allow):
        problems.append(f"allow is {allow!r}: write a list of the beginnings of addresses")
    return problems


@check(
    "html_page",
    version="1",
    names=KNOWN,
    problems=_problems,
    about=HelpText("""
        Marks the weighted share of demands that the HTML page in the answer meets: elements, texts and
        general checks such as labels on form fields.

        The page is parsed and not rendered, so layout and behaviour in a browser are not part of the mark.
        An answer without a page scores 0.

        Write demands as CSS selectors (`require`, `forbid`), patterns of visible text (`text`, `no_text`)
        or `checks`. The evidence lists each demand with what was found.
    """),
)
def html_page(answer: str, parameters: Parameters) -> Grade:
    """Return the weighted share of demands that the HTML page in an answer meets; 0 without a page.

    Parameters: `require`, `forbid` (selectors), `text`, `no_text` (patterns in the visible text, ignoring
    case), `checks` (general checks, by name or with weights, or "all"), `allow` (beginnings of addresses that
    may be loaded). Evidence: each demand with its matches. See docs/methodology/constraints.md.
    """
    source = extract(answer)
    if source is None:
        return Grade(0.0, {"page": None, "why": "no HTML page in the answer"})
    results = list(outcomes(parameters, parse(source)))
    met = sum(outcome.weight for outcome in results if outcome.holds)
    total = sum(outcome.weight for outcome in results)
    evidence = {
        "page": {"characters": len(source)},
        "weight met": met,
        "weight": total,
        "demands": [
            {"what": outcome.what, "holds": outcome.holds, "weight": outcome.weight, "found": outcome.found}
            for outcome in results
        ],
    }
    return Grade(met / total, evidence)


def _items(parameters: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    for item in parameters.get(name, ()):
        yield {KEYS[name]: item} if isinstance(item, str) else item


def _weight(item: Mapping[str, Any]) -> float:
    return float(item.get("weight", 1))


def _checks(parameters: Mapping[str, Any]) -> Mapping[str, float]:
    checks = parameters.get("checks", ())
    if isinstance(checks, Mapping):
        return {name: float(weight) for name, weight in checks.items()}
    return dict.fromkeys(NAMES if checks == "all" else checks, 1.0)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_weight(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _demand_problems(name: str, items: object) -> list[str]:
    if not isinstance(items, Sequence) or isinstance(items, str):
        return [f"{name} is {items!r}: write a list"]
    key, problems = KEYS[name], []
    known = {key, "weight"} | ({"min", "max"} if name == "require" else set())
    for item in items:
        whole = {key: item} if isinstance(item, str) else item
        if not isinstance(whole, Mapping) or not isinstance(whole.get(key), str) or set(whole) - known:
            problems.append(f"{name} has {item!r}: write a text, or a mapping of {', '.join(sorted(known))}")
            continue
        if not _is_weight(whole.get("weight", 1)):
            problems.append(f"{name} {whole[key]!r} has weight {whole['weight']!r}: write a number above 0")
        problem = _selector_problem(whole[key]) if key == "select" else pattern.problem(whole[key])
        if problem:
            problems.append(f"{name}: {problem}")
        if name == "require":
            problems += _count_problems(whole)
    return problems


def _selector_problem(text: str) -> str | None:
    try:
        selector(text)
    except ValueError as error:
        return str(error)
    return None


def _count_problems(item: Mapping[str, Any]) -> list[str]:
    least, most = item.get("min", 1), item.get("max")
    for name, value in (("min", least), ("max", most)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            return [f"require {item['select']!r} has {name} {value!r}: write a whole number from 0"]
    if most is not None and least is not None and least > most:
        return [f"require {item['select']!r} has min {least} above max {most}"]
    if least is None:
        return [f"require {item['select']!r} has no min: leave it out for 1"]
    return []


def _check_problems(checks: object) -> list[str]:
    if checks == "all":
        return []
    if not isinstance(checks, Sequence | Mapping) or isinstance(checks, str):
        return [f"checks is {checks!r}: write a list of names, a mapping of names to weights, or 'all'"]
    names = ", ".join(NAMES)
    problems = [f"unknown check {name!r}: write one of {names}" for name in checks if name not in NAMES]
    if isinstance(checks, Mapping):
        problems += [
            f"check {name!r} has weight {weight!r}: write a number above 0"
            for name, weight in checks.items()
            if not _is_weight(weight)
        ]
    return problems
