"""Tables in Markdown and HTML."""

from __future__ import annotations

from assay.grading.checks.formats import tables

TABLE = "| a | b |\n|---|:-:|\n| 1 | x\\|y |\n| 2 | z |"


def test_a_markdown_table() -> None:
    """Header and rows are told apart, and an escaped bar is text."""
    (found,) = tables(f"Before\n\n{TABLE}\n\nAfter")
    assert (found.header, found.rows, found.widths) == (("a", "b"), (("1", "x\\|y"), ("2", "z")), [2])


def test_what_stands_beside_a_table() -> None:
    """Text counts, blank lines, fences and quotation marks do not."""
    assert tables(f"> {TABLE.replace(chr(10), chr(10) + '> ')}")[0].beside(TABLE) == ""
    fenced = f"```markdown\n{TABLE}\n```"
    assert tables(fenced)[0].beside(fenced) == ""
    assert tables(f"Hi\n{TABLE}")[0].beside(f"Hi\n{TABLE}") == "Hi"


def test_rules_between_rows_are_no_rows() -> None:
    """Some models draw a rule below every row."""
    (found,) = tables("| a | b |\n|---|---|\n| 1 | 2 |\n|---|---|\n| 3 | 4 |")
    assert found.rows == (("1", "2"), ("3", "4"))


def test_an_html_table() -> None:
    """Cells are read without their tags, closed or not."""
    (found,) = tables("<table><tr><th>a<th>b</tr><tr><td><b>1</b></td><td>2</td></tr></table>")
    assert (found.header, found.rows, found.html) == (("a", "b"), (("1", "2"),), True)


def test_several_tables() -> None:
    """Each table is found."""
    assert len(tables(f"{TABLE}\n\ntext\n\n{TABLE}")) == 2
