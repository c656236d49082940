"""Help pages: every name has one, the committed pages are up to date, and `assay explain` prints them."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

from command_line import Assay

import assay as package
from assay.cli.help_pages import GROUPS, page_texts, write_pages
from assay.core.documented import DocumentedIntEnum, DocumentedStrEnum

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "explained"
PAGES = [page for group in GROUPS for page in group.pages]


def test_the_committed_pages_are_up_to_date(tmp_path: Path) -> None:
    """`python -m assay.cli.help_pages docs/reference/explained` writes them."""
    committed = {str(path.relative_to(DOCS)): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    assert committed == page_texts()


def test_writing_removes_pages_of_names_that_are_gone(tmp_path: Path) -> None:
    """What is not of a group or name any more does not stay behind."""
    write_pages(tmp_path)
    gone = [tmp_path / "old" / "README.md", tmp_path / GROUPS[0].slug / "old.md"]
    for path in gone:
        path.parent.mkdir(exist_ok=True)
        path.write_text("old")
    write_pages(tmp_path)
    assert not any(path.exists() for path in gone)


def test_every_set_of_names_with_help_has_pages() -> None:
    """No enumeration that declares help is missing from the groups."""
    for module in pkgutil.walk_packages(package.__path__, "assay."):
        if ".migrations." not in module.name:
            importlib.import_module(module.name)
    declared = {
        member.help
        for base in (DocumentedStrEnum, DocumentedIntEnum)
        for members in base.__subclasses__()
        if members.__module__.startswith("assay.")
        for member in members
    }
    assert declared <= {page.help for page in PAGES}


def test_a_name_has_one_page_in_its_group() -> None:
    """Neither do two names of a group share a file."""
    paths = [(page.group, page.slug) for page in PAGES]
    assert len(set(paths)) == len(paths)


def test_pages_are_short_and_say_something() -> None:
    """A page has 40 to 150 words, and its first sentence fits a tooltip."""
    words = {
        f"{page.group}/{page.slug}": len(
            f"{page.help.meaning} {page.help.why} {page.help.action} {page.help.example}".split()
        )
        for page in PAGES
    }
    assert {name: count for name, count in words.items() if not 40 <= count <= 150} == {}
    assert {page.name: page.help.summary for page in PAGES if len(page.help.summary) > 200} == {}


def test_commands_that_pages_name_exist(assay: Assay) -> None:
    """Each `assay COMMAND ...` of a page can be called."""
    texts = " ".join(page_texts().values())
    commands = {
        tuple(re.findall(r"^[a-z-]+(?: [a-z][a-z-]*)?", call)[0].split())
        for call in re.findall(r"`assay ((?!explain)[a-z][^`]*)`", texts)
    }
    wrong = [command for command in sorted(commands) if assay(*command, "--help").status != 0]
    assert wrong == []


def test_explain_prints_a_page(assay: Assay) -> None:
    """Capitals do not matter; a name in two groups prints both pages, GROUP/NAME one of them."""
    both, one = assay("explain", "cooked"), assay("explain", "model-state/COOKED")
    assert both.status == one.status == 0
    assert both.out.startswith(one.out)
    assert "COOKED (state of a use case)" in both.out
    assert max(map(len, both.out.splitlines())) <= 80


def test_explain_lists_names(assay: Assay) -> None:
    """Alone it lists all names by group, with a group's name the first sentence on each."""
    assert "COOKED" in assay("explain").out
    group = assay("explain", "model-state")
    assert group.status == 0
    assert "The model is clearly worse" in group.out


def test_explain_suggests_the_closest_name(assay: Assay) -> None:
    """An unknown name ends with status 2 and the name that was probably meant."""
    ended = assay("explain", "coked")
    assert (ended.status, "did you mean 'COOKED'?" in ended.err) == (2, True)
    assert "did you mean" not in assay("explain", "zzzzzz").err
