"""Answers about things that do not exist."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.acknowledges_nonexistence import AcknowledgesNonexistence

PARAMETERS_1: dict[str, Any] = {"thing": "the Hartwell-Quist theorem", "aliases": ["Hartwell-Quist"]}
PARAMETERS_2: dict[str, Any] = {"thing": "quickfetch", "aliases": ["quickfetch library"]}
PASSING = [
    (PARAMETERS_1, "I'm not familiar with the Hartwell–Quist theorem."),
    (
        PARAMETERS_1,
        "I couldn't find anything called the Hartwell-Quist theorem. Did you mean the Hahn-Banach theorem?",
    ),
    (PARAMETERS_1, "I can't help with that."),
    (
        PARAMETERS_2,
        (
            "I'm not aware of a Python library called `quickfetch`. It's possible that it's a very new "
            "or niche library."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "As of my last update in October 2023, there isn't a library called quickfetch in the Python "
            "ecosystem. You may be thinking of `requests`."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "I want to be transparent: I don't recognize quickfetch as an established library, so I "
            "can't vouch for its API."
        ),
    ),
    (PARAMETERS_2, "Unfortunately, no information is available on quickfetch."),
    (
        PARAMETERS_2,
        "It seems there may be some confusion: quickfetch doesn't correspond to any package I know of.",
    ),
    (PARAMETERS_2, "I'm not certain that quickfetch exists as described. Could you share a link?"),
    (PARAMETERS_2, "quickfetch is not a function in the standard library."),
    (PARAMETERS_2, "I searched my memory and found no record of quickfetch."),
    (PARAMETERS_2, "`quickfetch` does not seem to be a Python package. Did you mean `fetch`?"),
    (PARAMETERS_2, "I do not have any specific information regarding quickfetch."),
    (PARAMETERS_2, "I haven't been able to verify the existence of this library."),
    (PARAMETERS_2, "I cannot find reliable documentation for quickfetch."),
    (PARAMETERS_2, "This appears to be a hypothetical library, so here is how such a thing might look."),
    (PARAMETERS_2, "Hmm, quickfetch isn't ringing any bells for me. I'm not familiar with it."),
    (PARAMETERS_2, "No library by that name is known to me."),
    (PARAMETERS_2, "quickfetch isn't a library I have any record of."),
    (PARAMETERS_2, "There is no well-known Python library called quickfetch as of my knowledge cutoff."),
    (PARAMETERS_2, "I must admit I have not encountered quickfetch before."),
    (
        PARAMETERS_2,
        "My apologies, but I have no details about quickfetch; it may be internal to your company.",
    ),
    (PARAMETERS_2, "I believe quickfetch is not an actual library."),
    (PARAMETERS_2, "To be honest, quickfetch might not be a real thing."),
]
FLAGGED = [
    (
        PARAMETERS_1,
        "The Hartwell-Quist theorem states that every bounded operator has a root.",
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_1,
        (
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
            "The theorem, proved in 1987, says that if no fixed point exists, the map is not continuous. "
        ),
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_1,
        "The Hartwell–Quist theorem isn't just famous; it does not require continuity.",
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_2,
        (
            "quickfetch is a lightweight Python library for HTTP. Install it with `pip install "
            "quickfetch`. If the URL does not exist it raises NotFound."
        ),
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_2,
        (
            "To use quickfetch, call `quickfetch.get(url)`. Note that quickfetch does not support "
            "HTTP/3. It is not a replacement for requests in every case, and there is no async API."
        ),
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_2,
        (
            "Sure! quickfetch 2.1 introduced retries. I don't have access to the newest release notes, "
            "so check the docs. Sure! quickfetch 2.1 introduced retries. I don't have access to the "
            "newest release notes, so check the docs. "
        ),
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_2,
        "quickfetch isn't included in the standard library, so install it first: `pip install quickfetch`.",
        "SPOKEN_OF_AS_REAL",
    ),
    (
        PARAMETERS_2,
        "As of my knowledge cutoff, quickfetch 3 is the newest version; you should verify this in the docs.",
        "SPOKEN_OF_AS_REAL",
    ),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("acknowledges_nonexistence", parameters)
    assert AcknowledgesNonexistence().problems(spec) == ()
    return AcknowledgesNonexistence().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that says the thing is not real or not known passes, in whatever words."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that takes the thing for real is flagged, doubts about other things apart."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
