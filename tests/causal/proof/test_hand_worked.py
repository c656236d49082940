"""Numbers worked by hand, from textbook models, by both routes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from causal_queries import adjusted_difference, counterfactual, crude, effect, mean, p

from assay.causal.proof.proof import Proof
from assay.causal.queries import (
    Compare,
    MinimalAdjustment,
    Rounded,
    Separated,
    ValidAdjustment,
    ValidFrontDoor,
    ValidInstrument,
)
from assay.causal.scm import Scm, binary, dag, levels

F = Fraction


@pytest.fixture
def kidney() -> Proof:
    """Kidney stones (Charig and others 1986): open surgery X, success Y, large stones Z; counts of 700.

    Small: 81/87 against 234/270; large: 192/263 against 55/80.
    """
    return Proof(
        Scm(
            (
                binary("Z", "", F(343, 700)),
                binary("X", "Z", {0: F(87, 357), 1: F(263, 343)}),
                binary(
                    "Y",
                    "Z X",
                    {(0, 1): F(81, 87), (0, 0): F(234, 270), (1, 1): F(192, 263), (1, 0): F(55, 80)},
                ),
            )
        )
    )


def test_simpsons_paradox(kidney: Proof) -> None:
    """Crude: 273/350 - 289/350 = -16/350; standardised over stone size the sign turns."""
    by_hand = F(357, 700) * (F(81, 87) - F(234, 270)) + F(343, 700) * (F(192, 263) - F(55, 80))

    assert kidney.number(crude("X", "Y")) == F(-16, 350)
    assert kidney.number(effect("X", "Y")) == by_hand
    assert by_hand > 0


def test_adjustment_gives_the_effect(kidney: Proof) -> None:
    """Standardising over the common cause is the effect, exactly."""
    assert kidney.holds(Compare(adjusted_difference("X", "Y", ["Z"]), "=", effect("X", "Y")))


def test_reversed_conditioning(kidney: Proof) -> None:
    """P(X=1 | Y=1) = 273/562."""
    assert kidney.number(p({"X": 1}, {"Y": 1})) == F(273, 562)


def test_front_door() -> None:
    """Smoking, tar, cancer: the front-door graph holds, and the effect is what its formula gives by hand.

    U fair; P(X=1|U) = 1/4, 3/4; P(M=1|X) = 1/5, 4/5; P(Y=1|M,U) = (1 + 2M + 4U)/8.
    do(X): P(M) differs by 3/5, and M moves Y by 2/8: 3/20.
    """
    proof = Proof(
        Scm(
            (
                binary("U", "", F(1, 2), hidden=True),
                binary("X", "U", {0: F(1, 4), 1: F(3, 4)}),
                binary("M", "X", {0: F(1, 5), 1: F(4, 5)}),
                binary("Y", "M U", {(m, u): F(1 + 2 * m + 4 * u, 8) for m in (0, 1) for u in (0, 1)}),
            )
        )
    )

    assert proof.number(effect("X", "Y")) == F(3, 20)
    assert proof.number(crude("X", "Y")) == F(3, 20) + F(1, 2) * F(4, 8)
    assert proof.holds(ValidFrontDoor("X", "Y", ("M",)))
    assert not proof.holds(ValidAdjustment(("X",), "Y", ("M",)))


def test_natural_effects() -> None:
    """Mediation by hand: P(M=1|X) = 1/4, 3/4; P(Y=1|X,M) = (1 + 2X + 3M + 2XM)/8.

    NDE = P(M=0|x=0) 2/8 + P(M=1|x=0) 4/8 = 3/4 * 2/8 + 1/4 * 4/8 = 5/16;
    NIE = (3/4 - 1/4) * 3/8 = 3/16; the total effect is 11/16, as the rest is the interaction on M's change.
    """
    proof = Proof(
        Scm(
            (
                binary("X", "", F(1, 2)),
                binary("M", "X", {0: F(1, 4), 1: F(3, 4)}),
                binary(
                    "Y",
                    "X M",
                    {(x, m): F(1 + 2 * x + 3 * m + 2 * x * m, 8) for x in (0, 1) for m in (0, 1)},
                ),
            )
        )
    )
    at_rest = counterfactual({"Y": 1}, {"X": 0})
    direct = counterfactual({"Y": 1}, {"X": 1}, mediators={"M": {"X": 0}}) - at_rest
    indirect = counterfactual({"Y": 1}, {"X": 0}, mediators={"M": {"X": 1}}) - at_rest

    assert proof.number(direct) == F(5, 16)
    assert proof.number(indirect) == F(3, 16)
    assert proof.number(effect("X", "Y")) == F(5, 16) + F(3, 16) + F(1, 2) * F(2, 8)


def test_effect_on_the_treated() -> None:
    """Among the treated the confounder is commoner: ETT = P(Z=1|X=1) 4/8 + P(Z=0|X=1) 1/8 = 13/32."""
    proof = Proof(
        Scm(
            (
                binary("Z", "", F(1, 2)),
                binary("X", "Z", {0: F(1, 4), 1: F(3, 4)}),
                binary("Y", "X Z", {(x, z): F(1 + x * (1 + 3 * z), 8) for x in (0, 1) for z in (0, 1)}),
            )
        )
    )
    treated = counterfactual({"Y": 1}, {"X": 1}, given={"X": 1})
    spared = counterfactual({"Y": 1}, {"X": 0}, given={"X": 1})

    assert proof.number(treated - spared) == F(3, 4) * F(4, 8) + F(1, 4) * F(1, 8)


def test_compliers() -> None:
    """Wald: with half compliers, a fifth always-takers and the rest never, ITT / uptake is their effect."""
    kinds = levels("C", "", {(): [F(1, 2), F(1, 5), F(3, 10)]}, hidden=True)  # complier, always, never
    uptake = {(z, c): F(1 if c == 1 or (c == 0 and z == 1) else 0) for z in (0, 1) for c in (0, 1, 2)}
    outcome = {(x, c): F(2 + x * (2 - c) + c, 10) for x in (0, 1) for c in (0, 1, 2)}
    proof = Proof(
        Scm((kinds, binary("Z", "", F(1, 3)), binary("X", "Z C", uptake), binary("Y", "X C", outcome)))
    )

    assert proof.number(crude("Z", "X")) == F(1, 2)
    assert proof.number(crude("Z", "Y") / crude("Z", "X")) == F(2, 10)
    assert proof.number(effect("X", "Y", given={"C": 0})) == F(2, 10)
    assert proof.holds(ValidInstrument("Z", "X", "Y"))
    assert not proof.holds(ValidInstrument("C", "X", "Y"))


def test_m_bias() -> None:
    """In the M graph nothing need be adjusted for; the collider alone spoils, either hidden cause repairs."""
    proof = Proof(dag("U>X U>M V>M V>Y X>Y"))

    assert proof.holds(ValidAdjustment(("X",), "Y", ()))
    assert not proof.holds(ValidAdjustment(("X",), "Y", ("M",)))
    assert proof.holds(ValidAdjustment(("X",), "Y", ("M", "U")))
    assert not proof.holds(MinimalAdjustment(("X",), "Y", ("M", "U")))
    assert proof.holds(Separated("U", "V"))
    assert not proof.holds(Separated("U", "V", ("M",)))


def test_an_effect_of_the_treatment_is_no_instrument() -> None:
    """W follows the treatment: it is tied to it, and still brings nothing about."""
    proof = Proof(dag("U>X U>Y X>Y X>W Z>X"))

    assert proof.holds(ValidInstrument("Z", "X", "Y"))
    assert not proof.holds(ValidInstrument("W", "X", "Y"))
    assert not proof.holds(ValidInstrument("Z", "X", "Y", ("W",)))


def test_descendant_of_a_collider_opens_it() -> None:
    """Conditioning on a collider's effect opens the collider."""
    assert not Proof(dag("A>C B>C C>D")).holds(Separated("A", "B", ("D",)))


def test_means_use_the_values() -> None:
    """A variable of 10, 20 and 40 with chances 1/2, 1/4, 1/4 has mean 20."""
    variable = levels("N", "", {(): [F(1, 2), F(1, 4), F(1, 4)]}, values=[10, 20, 40])

    assert Proof(Scm((variable,))).number(mean("N")) == 20


@pytest.mark.parametrize(
    ("value", "places", "rounded"),
    [(F(1, 8), 2, F(13, 100)), (F(-1, 8), 2, F(-13, 100)), (F(1, 3), 3, F(333, 1000)), (F(5), 1, F(5))],
)
def test_rounding_is_away_from_zero(value: Fraction, places: int, rounded: Fraction) -> None:
    """Halves are rounded away from zero on either side."""
    scm = Scm((levels("N", "", {(): [F(1)]}, values=[value]),))

    assert Proof(scm).number(Rounded(mean("N"), places)) == rounded
