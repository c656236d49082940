"""LaTeX and typography in plain words."""

from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.text.plain_math import plain


@every_row(
    "written, expected",
    [
        (r"$\boxed{\frac{3}{4}}$", "3/4"),
        (r"\text{about } 1{,}234\,\text{km}", "about 1,234 km"),
        (r"1\frac12", "1 1/2"),
        (r"10^{-3}", "10^(-3)"),
        ("10⁻³", "10^(-3)"),
        ("5 m²", "5 m"),
        ("5\\ \\mathrm{m}^{2}", "5 m"),
        (r"a_{10} = 5", "a = 5"),
        ("2**10", "2^10"),
        ("**2**", "2"),
        (r"50\%", "50%"),
        (r"\$5", "$5"),
        ("it costs $5 or $6", "it costs $5 or $6"),
        (r"\sqrt{2} \approx 1.41", "√(2) ≈ 1.41"),
        (r"\frac{\sqrt{3}}{2}", "(√(3))/(2)"),
        ("½ and 3¼", "1/2 and 3 1/4"),
        ("−５％", "-5%"),
    ],
)
def test_mathematics_is_written_plainly(written: str, expected: str) -> None:
    """Each construct becomes the ordinary signs it stands for."""
    assert plain(written).replace("\u00a0", " ").split() == expected.split()


@given(st.text(max_size=300))
def test_any_text_can_be_made_plain(text: str) -> None:
    """No text breaks the rewriting."""
    assert isinstance(plain(text), str)


def test_deep_nesting_ends() -> None:
    """A thousand nested boxes are not unwrapped one by one for ever."""
    assert "42" in plain("\\boxed{" * 1000 + "42" + "}" * 1000)
