"""What a page loads from outside is found; what only links is left alone."""

from __future__ import annotations

import pytest

from assay.grading.pages.parse import parse
from assay.grading.pages.references import outside

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


@pytest.mark.parametrize("source", LOADING)
def test_loading_is_found(source: str) -> None:
    """Whatever makes a browser fetch something is found."""
    assert outside(parse(source))


@pytest.mark.parametrize("source", FREE)
def test_linking_is_free(source: str) -> None:
    """Links, comments, namespaces, data and fragments load nothing."""
    assert outside(parse(source)) == []


def test_allowed_beginnings_are_allowed() -> None:
    """An address that begins as allowed is no fault; another still is."""
    page = parse("<img src='https://a.org/x.png'><img src='https://b.org/x.png'>")
    (fault,) = outside(page, ["https://a.org/"])
    assert "b.org" in fault
