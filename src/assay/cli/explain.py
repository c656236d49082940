"""`assay explain`: print the help page of a name that Assay shows, or list all names."""

from __future__ import annotations

import textwrap

import typer

from assay.cli.app import new_app
from assay.cli.help_pages import GROUPS, HelpGroup, HelpPage, find_group, find_pages

app = new_app()
WIDTH = 80


@app.command()
def explain(
    name: list[str] = typer.Argument(
        None,
        metavar="[NAME]",
        help="Name as it is shown, such as COOKED, or a group (default: list all names).",
    ),
) -> None:
    """Explain a status, check, flag or kind of error.

    Capitals do not matter, and a name of several words needs no quotation marks. If a name belongs to several
    groups, all its pages are printed; GROUP/NAME prints one page, and GROUP lists the names of a group.
    """
    text = " ".join(name or ())
    if not text:
        for group in GROUPS:
            _print_names(group)
    elif (named_group := find_group(text)) is not None:
        _print_summaries(named_group)
    else:
        for place, page in enumerate(find_pages(text)):
            if place:
                typer.echo("")
            _print_page(page)


def _print_names(group: HelpGroup) -> None:
    typer.echo(f"{group.title} ({group.slug})")
    typer.echo(_wrapped(", ".join(page.name for page in group.pages), "  "))


def _print_summaries(group: HelpGroup) -> None:
    typer.echo(f"{group.title}\n{_wrapped(group.intro)}")
    for page in group.pages:
        typer.echo(f"\n{page.name}\n{_wrapped(page.help.summary, '  ')}")


def _print_page(page: HelpPage) -> None:
    group = find_group(page.group)
    assert group is not None
    typer.echo(f"{page.name} ({group.title.lower()})\n\n{_wrapped(page.help.meaning)}")
    parts = {
        "Why it matters": page.help.why,
        "What to do": page.help.action,
        "Example": page.help.example,
    }
    for heading, text in parts.items():
        if text:
            typer.echo(f"\n{heading}\n{_wrapped(text, '  ')}")


def _wrapped(text: str, indent: str = "") -> str:
    lines = textwrap.fill(
        text.replace(" %", "\N{NO-BREAK SPACE}%"),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\N{NO-BREAK SPACE}", " ")
