"""Normalisation of texts before they are compared."""

from hypothesis import given
from hypothesis import strategies as st

from assay.grading.text.normalisation import SWITCHES, TextNormalisation

wordings = st.builds(TextNormalisation, **dict.fromkeys(SWITCHES, st.booleans()))


def test_nothing_is_ignored_but_composition_when_all_is_off() -> None:
    """With every switch off, only the composition of accents makes no difference."""
    strict = TextNormalisation(**dict.fromkeys(SWITCHES, False))
    assert strict.normal("Zu\u0308rich ") == "Zürich "


@given(st.text(max_size=60), wordings)
def test_case_and_outer_space_are_ignored_only_where_said(text: str, how: TextNormalisation) -> None:
    """Padding a text changes its normal form only where spaces count."""
    padded = f"  {text}\n"
    if how.ignore_space:
        assert how.normal(padded) == how.normal(text)
    else:
        assert how.normal(padded).strip() == how.normal(text).strip()
