"""Each general check tells a page where it holds from one where it does not."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.grading.pages.checks import (
    NAMES,
    Colour,
    colour,
    contrast_ratio,
    faults,
    low_contrast,
    outside,
    rules,
)
from assay.grading.pages.page import parse

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


@every_row("name, good, bad", CASES, ids=IDS)
def test_it_holds(name: str, good: str, bad: str) -> None:
    """A page that is right has no faults."""
    assert faults(name, parse(good)) == []


@every_row("name, good, bad", CASES, ids=IDS)
def test_it_does_not(name: str, good: str, bad: str) -> None:
    """A page that is wrong has one fault, in words."""
    assert len(faults(name, parse(bad))) == 1


def test_every_check_has_a_case() -> None:
    """All checks are tried above."""
    assert {name for name, _, _ in CASES} == set(NAMES)


@every_row(
    "value, wanted",
    [
        ("#FFF", (255, 255, 255)),
        ("#102030", (16, 32, 48)),
        ("Navy", (0, 0, 128)),
        ("rgb(1, 2, 300)", (1, 2, 255)),
        ("transparent", None),
        ("linear-gradient(red, blue)", None),
        ("abc", None),
        ("", None),
    ],
)
def test_plain_colours_are_read(value: str, wanted: Colour | None) -> None:
    """Hexadecimal, named and rgb() colours are read; anything else is unknown."""
    assert colour(value) == wanted


def test_contrast_of_black_and_white() -> None:
    """Black on white is 21 to 1, the highest there is."""
    assert contrast_ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


def test_contrast_of_the_standards_grey() -> None:
    """#767676 on white is the well-known lightest grey that passes 4.5."""
    assert contrast_ratio((0x76,) * 3, (255,) * 3) == pytest.approx(4.54, abs=0.005)


def test_variables_are_looked_up() -> None:
    """A colour given as a variable is the variable's value."""
    css = ":root { --ink: #777 } @media print { p { color: var(--ink); background: #888 } }"
    assert len(low_contrast(rules(css))) == 1


def test_a_colour_without_ground_is_not_judged() -> None:
    """Text colour alone says nothing about contrast."""
    assert low_contrast(rules("p { color: #eee } body { background: #fff }")) == []


LOADING = [
    "<script src='https://cdn.example/x.js'></script>",
    "<img src=logo.png>",
    "<img alt='' srcset='a.png 1x, b.png 2x'>",
    "<video poster=p.jpg></video>",
    "<link rel=stylesheet href=style.css>",
    "<link rel='preconnect' href='https://fonts.example'>",
    "<object data=x.svg></object>",
    "<svg><use href='icons.svg#a'/></svg>",
    "<style>@import 'x.css';</style>",
    "<style>body { background: url( 'bg.png' ) }</style>",
    "<p style='background:url(//e.org/x.png)'>",
    "<script>import {a} from './a.js'</script>",
    "<script>const m = await import(`https://e.org/m.js`)</script>",
    "<script>fetch('/api')</script>",
    "<iframe src='https://e.org'></iframe>",
]
FREE = [
    "<a href='https://e.org'>x</a>",
    "<form action='https://e.org'></form>",
    "<link rel=canonical href='https://e.org'>",
    "<svg xmlns='http://www.w3.org/2000/svg'><use href='#a'/></svg>",
    "<style>/* url(old.png) */ p { background: url(data:image/png;base64,x) }</style>",
    "<style>p { fill: url(#gradient) }</style>",
    "<img src='data:image/gif;base64,R0'>",
    "<p>import x from 'y'</p>",
    "<script>const important = 'from \"here\"'; items.from = 1</script>",
]


@every_row("source", LOADING)
def test_loading_is_found(source: str) -> None:
    """Whatever makes a browser fetch something is found."""
    assert outside(parse(source))


@every_row("source", FREE)
def test_linking_is_free(source: str) -> None:
    """Links, comments, namespaces, data and fragments load nothing."""
    assert outside(parse(source)) == []


def test_allowed_beginnings_are_allowed() -> None:
    """An address that begins as allowed is no fault; another still is."""
    page = parse("<img src='https://a.org/x.png'><img src='https://b.org/x.png'>")
    (fault,) = outside(page, ["https://a.org/"])
    assert "b.org" in fault
