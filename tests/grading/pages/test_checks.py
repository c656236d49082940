"""Each general check tells a page where it holds from one where it does not."""

from __future__ import annotations

import pytest

from assay.grading.pages.checks import NAMES, faults
from assay.grading.pages.parse import parse

CASES = [
    ("doctype", "<!DOCTYPE html><p>x", "<html><p>x"),
    ("lang", "<html lang=de>", "<html lang=''>"),
    ("title", "<title>A</title><svg><title>B</title></svg>", "<title> </title>"),
    ("title", "<title>A</title>", "<title>A</title><title>B</title>"),
    ("viewport", "<meta name=viewport content='width=device-width'>", "<meta name=viewport content='x'>"),
    ("charset", "<meta charset=utf-8>", "<meta name=charset>"),
    ("one_h1", "<h1>A</h1>", "<h1>A</h1><h1>B</h1>"),
    ("one_h1", "<h1><img alt=Logo></h1>", "<h1><img alt=''></h1><img alt=Logo>"),
    ("heading_order", "<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>", "<h1>A</h1><h3>B</h3>"),
    ("heading_order", "<p>none", "<h2>A</h2><h3>B</h3>"),
    ("labels", "<label>Name <input></label>", "<label><input></label>"),
    ("labels", "<label for=n>Name</label><input id=n>", "<label for=m>Name</label><input id=n>"),
    ("labels", "<label for=n>N</label><input id=n>", "<label for=n></label><input id=n>"),
    ("labels", "<b id=t>Name</b><textarea aria-labelledby=t>", "<textarea aria-labelledby=t></textarea>"),
    ("labels", "<input type=hidden><input type=submit>", "<select></select>"),
    ("labels", "<input aria-label=Name>", "<input placeholder=Name>"),
    ("alts", "<img alt=''>", "<img src='#'>"),
    ("unique_ids", "<p id=a><p id=b>", "<p id=a><p id=a>"),
    ("balanced", "<p>a<p>b", "<div>a"),
    (
        "contrast",
        "<style>p{color:#000;background:#fff}</style>",
        "<style>p{color:#999;background:#fff}</style>",
    ),
    ("contrast", "<p style='color:red'>", "<p style='color:yellow;background-color:white'>"),
    ("self_contained", "<img src='data:image/gif;base64,R0'>", "<img src=logo.png>"),
]
IDS = [f"{name}-{place}" for place, (name, _, _) in enumerate(CASES)]


@pytest.mark.parametrize(("name", "good", "bad"), CASES, ids=IDS)
def test_it_holds(name: str, good: str, bad: str) -> None:
    """A page that is right has no faults."""
    assert faults(name, parse(good)) == []


@pytest.mark.parametrize(("name", "good", "bad"), CASES, ids=IDS)
def test_it_does_not(name: str, good: str, bad: str) -> None:
    """A page that is wrong has one fault, in words."""
    assert len(faults(name, parse(bad))) == 1


def test_every_check_has_a_case() -> None:
    """All checks are tried above."""
    assert {name for name, _, _ in CASES} == set(NAMES)
