"""The language of an answer is detected the same way every time."""

from __future__ import annotations

from langdetect import DetectorFactory

from assay.grading.constraint_kinds.language import CODES, detect


def test_the_same_text_has_the_same_language() -> None:
    """A text between two languages is not judged by chance."""
    assert len({detect("no mar di una sala") for _ in range(30)}) == 1


def test_the_library_is_left_alone() -> None:
    """The seed is ours: the library's own factory stays as others set it."""
    before = DetectorFactory.seed
    detect("hello there")
    assert DetectorFactory.seed == before


def test_a_text_without_letters_has_no_language() -> None:
    """Digits and signs tell nothing."""
    assert detect("12 + 30 = 42") is None


def test_the_codes_are_the_librarys() -> None:
    """The codes offered to suites are those that can be detected."""
    from assay.grading.constraint_kinds.language import _detectors

    assert sorted(CODES) == sorted(_detectors().get_lang_list())
