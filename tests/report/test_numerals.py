"""Formats of figures on pages."""

from every_row import every_row

from assay.report import numerals


@every_row(
    "read, value, text",
    [
        (numerals.points, 81.14, "81.1"),
        (numerals.points, None, "–"),
        (numerals.signed, -2.94, "−2.9"),
        (numerals.signed, 0.4, "+0.4"),
        (numerals.signed, -0.04, "0.0"),
        (numerals.percent, 0.574, "57\N{NO-BREAK SPACE}%"),
        (numerals.percent, -0.04, "−4\N{NO-BREAK SPACE}%"),
        (numerals.percent, -0.004, "0\N{NO-BREAK SPACE}%"),
        (numerals.probability, 0.0341, "0.034"),
        (numerals.probability, 1.0, "1"),
        (numerals.probability, 2.27e-7, "2.3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁷"),
        (numerals.level, 0.9, "90\N{NO-BREAK SPACE}%"),
        (numerals.level, 0.001, "under 1\N{NO-BREAK SPACE}%"),
        (numerals.level, 0.0, "0\N{NO-BREAK SPACE}%"),
        (numerals.level, 12.0, "over 10 times"),
        (numerals.thousands, 45000, "45,000"),
    ],
)
def test_figures_are_formatted(read, value, text) -> None:  # type: ignore[no-untyped-def]
    """True minus signs, fixed decimals, a dash for a missing figure, and no sign on a rounded 0."""
    assert read(value) == text
