"""Formulas of the data, read into terms and worked by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from causal_queries import greatest, least, p
from every_row import every_row

from assay.causal import queries as q
from assay.causal.notation import written
from assay.causal.numbers.formula import bound, condition, names, parsed
from assay.causal.numbers.known import Known
from assay.causal.numbers.rough import Rough
from assay.causal.proof.proof import Proof
from assay.causal.scm import Scm, binary
from assay.core.errors import InvalidInput

F = Fraction
CONFOUNDED = Scm(
    (
        binary("Z", "", F(2, 5)),
        binary("X", "Z", {0: F(1, 4), 1: F(3, 4)}),
        binary("Y", "X Z", {(0, 0): F(1, 10), (0, 1): F(2, 5), (1, 0): F(3, 10), (1, 1): F(7, 10)}),
    )
)
# P(X=1) = 3/5 * 1/4 + 2/5 * 3/4 = 9/20; P(Z=1 | X=1) = (3/10) / (9/20) = 2/3.
WORKED = [
    ("0.25", F(1, 4)),
    ("5%", F(1, 20)),
    ("1 - 2 * 3 + 8 / 4", F(-3)),
    ("(1 - 2) * 3", F(-3)),
    ("-1 + 3", F(2)),
    ("P(X=1)", F(9, 20)),
    ("P(Z=1 | X=1)", F(2, 3)),
    ("P(X=1, Z=1)", F(3, 10)),
    ("P(Y=1 | X=1)", F(17, 30)),  # 1/3 * 3/10 + 2/3 * 7/10
    ("P(Y=1 | do(X=1))", F(23, 50)),  # 3/5 * 3/10 + 2/5 * 7/10
    ("P(Y=1 | Z=1, do(X=1))", F(7, 10)),
    ("P(Y=1 | do(X=1)) - P(Y=1 | do(X=0))", F(6, 25)),
    ("E(Y | do(X=1))", F(23, 50)),
    ("adj(Y=1; X=1; over Z)", F(23, 50)),
    ("adj(Y=1; X=1; over Z; weights X=1)", F(17, 30)),
    ("adj(Y=1; X=1; over Z; weights X=0)", F(41, 110)),  # P(Z=1 | X=0) = 2/11: 9/11 * 3/10 + 2/11 * 7/10
    ("cf(Y=1; do X=0 | X=1)", F(3, 10)),  # 1/3 * 1/10 + 2/3 * 2/5
    ("max(P(X=1), 1/2)", F(1, 2)),
    ("min(P(X=1), 1/2, 1/5)", F(1, 5)),
    ("round(P(Z=1 | X=1), 2)", F(67, 100)),
    ("sqrt(1/9 + P(X=1) * 0)", F(1, 3)),
]


@every_row("text, value", WORKED)
def test_formulas_are_worked_by_hand(text: str, value: Fraction) -> None:
    """Both routes give what a formula is worth."""
    assert Proof(CONFOUNDED).number(parsed(text)) == value


@every_row("text, reason", [
    ("P(Y=1", "ends too early"),
    ("P(Y)", "where '=' is due"),
    ("P(Y=0.5)", "write a level"),
    ("1 2", "after its end"),
    ("1 $ 2", "remove it"),
    ("mean(Y)", "write one of P, E, adj, cf"),
    ("round(1, P(Y=1))", "not whole"),
    ("* 2", "where a number"),
    ("adj(Y=1; X=1; over 3)", "name of a variable"),
])  # fmt: skip
def test_a_formula_that_cannot_be_read_is_refused(text: str, reason: str) -> None:
    """The message quotes the formula and says where it breaks."""
    with pytest.raises(InvalidInput, match=reason):
        parsed(text)


def test_names_stand_for_variables_levels_and_parameters() -> None:
    """A state binds names; several variables may only follow `over`."""
    formula = parsed("adj(Y=got; X=1; over shown) + slack")
    names_of = {"shown": ("Z", "W"), "got": ("0",)}
    made = bound(formula, names_of, {"slack": F(1, 10)})
    assert written(made) == "Σ_{Z, W} P(Y=0 | X=1, Z, W) P(Z, W) + 1/10"
    assert names(formula) == ({"Y", "X", "shown"}, {"slack"})
    with pytest.raises(InvalidInput, match="may only follow `over`"):
        bound(parsed("P(shown=1)"), names_of, {})
    with pytest.raises(InvalidInput, match="'slack' is not a parameter"):
        bound(formula, names_of, {})
    with pytest.raises(InvalidInput, match="'got' is not a level"):
        bound(formula, {}, {"slack": F(0)})


def test_a_condition_has_one_relation() -> None:
    """Conditions compare two formulas."""
    assert condition("P(Y=1) > 5%") == q.Compare(parsed("P(Y=1)"), ">", parsed("5%"))
    for text in ("P(Y=1)", "0 < P(Y=1) < 1"):
        with pytest.raises(InvalidInput, match="needs one of"):
            condition(text)


def test_the_larger_and_the_smaller_term() -> None:
    """`greatest` and `least` are exact in both routes, near in floating point, and have a notation."""
    one, other = p({"X": 1}), p({"Y": 1}, do={"X": 1})
    proof, rough = Proof(CONFOUNDED), Rough.of(CONFOUNDED)
    assert proof.number(greatest(one, other)) == proof.number(greatest(other, one)) == F(23, 50)
    assert proof.number(least(one, other)) == proof.number(least(other, one)) == F(9, 20)
    assert rough.number(greatest(one, 0)).item() == pytest.approx(0.45)
    assert written(least(one, other) - 1) == "min(P(X=1), P(Y=1 | do(X=1))) − 1"


def test_a_root_is_exact_or_refused() -> None:
    """9/20 has no root among the fractions; in floating point it has one."""
    root = parsed("sqrt(P(X=1))")
    proof = Proof(CONFOUNDED)
    for route in (proof.derived, proof.counted):
        with pytest.raises(InvalidInput, match="9/20"):
            route.number(root)
    for square in ("sqrt(0 - 4/9)", "sqrt(9/20)"):
        with pytest.raises(InvalidInput, match="not the square of a fraction"):
            Known().number(parsed(square))
    assert Rough.of(CONFOUNDED).number(root).item() == pytest.approx(0.67082, abs=1e-5)
    assert written(root) == "√(P(X=1))"


def test_counterfactuals_on_what_happened() -> None:
    """With the chance made explicit, both routes learn from a result: a unit's own past, by hand.

    Y = X or N, P(N=1) = 1/4, X tossed. Of units with X=1 and Y=1 a quarter have N=1: these alone keep Y=1.
    """
    world = Scm(
        (
            binary("N", "", F(1, 4)),
            binary("X"),
            binary("Y", "X N", {(x, n): F(x or n) for x in (0, 1) for n in (0, 1)}),
        )
    )
    proof = Proof(world)
    assert proof.number(parsed("cf(Y=1; do X=0 | X=1, Y=1)")) == F(1, 4)
    assert proof.number(parsed("cf(Y=1; do X=1 | X=0, Y=0)")) == 1
    assert proof.number(parsed("adj(Y=1; X=0; over N; weights X=1, Y=1)")) == F(1, 4)
    with pytest.raises(InvalidInput, match="two worlds"):
        Proof(CONFOUNDED).number(parsed("cf(Y=1; do X=0 | X=1, Y=1)"))
