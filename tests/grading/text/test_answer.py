"""Where final answers stand."""

from every_row import every_row

from assay.grading.text.answer import boxes, cut, final_line, last_box, last_marker, line_after, visible


@every_row(
    "text, after",
    [
        ("ANSWER: 4", " 4"),
        ("ANSWER: 3 ANSWER: 4", " 4"),
        ("ANSWER: 3\nanswer : 4", " 4"),
        ("**Answer:** 4", " 4"),
        ("**ANSWER**: 4", " 4"),
        ("FINAL ANSWER：4", "4"),
        ("MYANSWER: 4", None),
        ("the answer is 4", None),
    ],
)
def test_the_last_marker_is_found_as_models_write_it(text: str, after: str | None) -> None:
    """Capitals, bold marks, spaces and full-width colons do not hide a marker; other words make none."""
    span = last_marker(text, "ANSWER:")
    assert (span and text[span[1] :]) == after


def test_a_short_marker_keeps_its_capitals() -> None:
    """`A:` is not found in `a:`, nor inside another word."""
    assert last_marker("plan a: 5, USA: 3", "A:") is None


def test_an_empty_line_after_a_marker_is_passed_over() -> None:
    """Display-math brackets and blank lines lead on to the line that says something."""
    text = "ANSWER:\n\n$$\n42\n$$"
    start, end = line_after(text, len("ANSWER:"))
    assert text[start:end] == "42"


def test_boxes_are_read_with_their_braces_balanced() -> None:
    """A fraction in a box keeps its own braces."""
    assert [content for _, _, content in boxes(r"\boxed{\frac{3}{4}} and \boxed 5")] == [r"\frac{3}{4}", "5"]


def test_an_unclosed_box_reaches_to_its_end() -> None:
    """A truncated box holds what there is."""
    assert last_box(r"so \boxed{42") == (3, "42")


def test_boxes_joined_by_or_are_one() -> None:
    """Two boxes in one breath are read together, so that they contradict each other."""
    assert last_box(r"$\boxed{3}$ or $\boxed{4}$") == (1, "3 or 4")


def test_only_the_last_boxes_are_read() -> None:
    """A flood of boxes costs bounded work: the last eight are enough to see a contradiction."""
    assert len(boxes("\\boxed{" * 2000)) == 8


def test_reasoning_before_the_closing_tag_is_left_out() -> None:
    """Only what follows the last `</think>` is the answer."""
    assert visible("<think>ANSWER: 3</think>4") == "4"


def test_the_final_line_skips_blank_ones() -> None:
    """Trailing blank lines do not count."""
    text = "one\ntwo\n \n"
    start, end = final_line(text)
    assert text[start:end] == "two"


def test_cut_keeps_both_ends_within_the_bound() -> None:
    """A long text is shortened in its middle."""
    short = cut("a" * 500 + "z", 20)
    assert len(short) <= 20
    assert short.startswith("a") and short.endswith("z")
