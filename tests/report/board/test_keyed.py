"""The keyed board's page as text: all figures, escaped, and no secret."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from keyed_answers import answers, simulated
from stored_keyed_boards import bare, full, stored_keyed

from assay.core.errors import InvalidInput
from assay.report.board.keyed import keyed_page, write_keyed_board
from assay.results.ranking import Excluded
from assay.runs.board.stored import StoredKeyedBoard

MADE = datetime(2026, 3, 22, 6, 30, tzinfo=UTC)
HOSTILE = "a/<script>alert(1)</script>\"><img src=x onerror='alert(2)'>{{ 7 * 7 }}"


def markup(stored: StoredKeyedBoard) -> str:
    """Return the page without its scripts and styles."""
    return re.sub(r"<(script|style).*?</\1>", "", keyed_page(stored, made=MADE), flags=re.S)


def body(stored: StoredKeyedBoard) -> str:
    """Return what a reader sees of the page, as one line of plain text."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup(stored))).split())


def test_the_header_describes_the_page() -> None:
    """Suite, version, samples, chance, time, and a notice that the data is simulated."""
    text = body(full())
    for words in (
        "Keyed causal 1",
        "12 models, 100 questions on 20 concepts",
        "25.0 of 100",
        "2026-03-22 06:30",
    ):
        assert words in text
    assert 0 < text.index("Simulated.") < text.index("Standings")


def test_sections_are_in_order() -> None:
    """The headings are in a fixed order."""
    headings = re.findall(r"<h2[^>]*>(.*?)<", markup(full()))
    assert [heading.strip() for heading in headings] == [
        "Standings",
        "Excluded from this suite",
        "The same models on The generalist suite",
        "Significant differences",
        "Consistency by concept",
        "Results by variant and concept",
        "Missing data",
        "How to read this page",
    ]


def test_a_line_has_every_count() -> None:
    """The best model: 94 ok and 6 errors of 100; over valid and over all."""
    text = body(full())
    assert "model-01 88.3" in text
    assert "83.0 70.0–92.0" in text
    assert "100 94 0 0 6 0 83 0" in text


def test_exclusions_have_their_reasons() -> None:
    """A model that is excluded from the other suite has no figure there."""
    text = body(full())
    assert "provider/old retired API runs that do not count: 1" in text
    assert "provider/gone broken path" in text
    assert "model-01 excluded: paid tier only" in text
    assert "82.0 (judges only) 80 78 2 0 0" in text
    assert "not mixed into any other section" in text


def test_missing_data_is_listed() -> None:
    """Errors, unread letters, bundles left out, unknown costs."""
    text = body(full(missing=("run 3 stopped: the budget ran out",)))
    for words in (
        "6 of 100 errored",
        "35 of 100 unread",
        "6 bundles with an answer missing",
        "the budget ran out",
    ):
        assert words in text


def test_sections_without_content_are_left_out() -> None:
    """There is no link to them either."""
    text = markup(stored_keyed(simulated(np.random.default_rng(1), [0.6, 0.5])))
    assert 'id="excluded"' not in text
    assert 'href="#beside"' not in text


def test_a_model_without_an_answer_has_no_rank() -> None:
    """The page can be made without any accuracy or bundle."""
    text = body(bare())
    assert "No answer, so no rank" in text
    assert "There is only one model." in text


def test_names_are_escaped_everywhere() -> None:
    """Markup in a model's name, a title and a reason is text, also in the charts' data."""
    made = answers(np.ones((1, 2, 20)), models=(HOSTILE, "b"))
    page = keyed_page(
        stored_keyed(made, title="<img src=y>", excluded=(Excluded("<b>x", "<i>why", ()),)), made=MADE
    )
    assert "<img src=x" not in page
    assert "<img src=y" not in page
    assert "<i>why" not in page
    data = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert data is not None
    assert any(HOSTILE in row["text"] for row in json.loads(data[1])["accuracy"]["rows"])


@pytest.mark.slow
def test_a_private_suite_says_so() -> None:
    """No case of it is named."""
    stored = stored_keyed(simulated(np.random.default_rng(1), [0.6, 0.5]), visibility="private")
    assert "questions, options, keys and answers are not shown" in body(stored)
    cases = tuple(
        replace(use_case, cases=tuple(replace(case, id=f"nonce-8b1f9e-{case.id}") for case in use_case.cases))
        for use_case in stored.suite.use_cases
    )
    assert "nonce-8b1f9e" not in keyed_page(
        replace(stored, suite=replace(stored.suite, use_cases=cases)), made=MADE
    )


def test_the_page_is_written_to_a_file(tmp_path: Path) -> None:
    """The address of the file is returned; a folder is refused."""
    assert write_keyed_board(full(5), tmp_path / "page.html", made=MADE).startswith("file://")
    with pytest.raises(InvalidInput, match="give a file"):
        write_keyed_board(full(5), tmp_path)
