"""Bets on ranks: fair, and never better for a better rank."""

import numpy as np

from assay.watch.bets import RESERVE, SHARES, payoffs, rank_cells, rank_edges, share_rows


def test_every_bet_averages_to_one_over_a_uniform_rank() -> None:
    """The mean payoff over [0, 1] is 1, for every share of recent days and every fall."""
    widths = np.diff(rank_edges())
    means = np.einsum("scf,c->sf", payoffs(), widths)
    np.testing.assert_allclose(means, 1.0, atol=1e-12)


def test_a_higher_rank_never_pays_more() -> None:
    """Counting ties in full can only lower the payoff."""
    assert (np.diff(payoffs(), axis=1) <= 1e-12).all()


def test_nothing_is_bet_when_all_days_are_recent() -> None:
    """Without a day before the fall there is nothing to compare with, so every factor is 1."""
    np.testing.assert_allclose(payoffs()[-1], 1.0)


def test_no_day_takes_more_than_what_was_staked() -> None:
    """The reserve is left after the worst day."""
    assert payoffs().min() >= RESERVE


def test_the_lowest_of_many_days_pays_nearly_what_the_odds_allow() -> None:
    """The largest fall, one recent day of 100: the lowest hundredth of ranks pays 95 times and more.

    All the money not kept in reserve, on a rank whose odds are 1 in 100, would pay 95.05.
    """
    row = int(share_rows(np.array([0.01]))[0])
    cells = rank_cells(np.linspace(0.0001, 0.0099, 50))
    assert 85.0 < payoffs()[row, cells, -1].mean() < 110.0


def test_a_rank_falls_into_the_cell_that_holds_it() -> None:
    """Ranks just above and below an edge land on either side of it."""
    edges = rank_edges()
    inner = edges[1:-1]
    assert (rank_cells(inner * (1 + 1e-9)) == np.arange(1, len(inner) + 1)).all()
    assert (rank_cells(inner * (1 - 1e-9)) == np.arange(0, len(inner))).all()


def test_shares_outside_the_table_take_its_ends() -> None:
    """A share of 1 takes the last row, a vanishing one the first."""
    assert share_rows(np.array([1e-9, 1.0])).tolist() == [0, SHARES - 1]
