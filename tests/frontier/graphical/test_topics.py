"""The choice of the number of topics, and when a fit has settled."""

from __future__ import annotations

from assay.frontier.graphical.optimiser import StoppingRule
from assay.frontier.graphical.topics import HeldOut, choose


def test_fewest_within_one_error() -> None:
    """The first number of topics within one standard error of the best is chosen."""
    rows = [
        HeldOut(1, True, -0.50, 0.030, 0.002, converged=True),
        HeldOut(4, True, -0.471, 0.001, 0.002, converged=True),
        HeldOut(8, True, -0.470, 0.0, 0.0, converged=True),
    ]
    assert choose(rows).topics == 4


def test_settled_after_two_idle_blocks() -> None:
    """A fit settles when two blocks in a row rise by less than the share, and one good block starts anew."""
    rule = StoppingRule(0.01)
    for elbo, settled in (
        (-1000.0, False),
        (-999.0, False),
        (-900.0, False),
        (-899.0, False),
        (-898.9, True),
    ):
        rule = rule.after(elbo)
        assert rule.settled is settled
