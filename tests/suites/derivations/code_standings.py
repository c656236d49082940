"""A second implementation of `standings`: results listed per team and question."""

from __future__ import annotations

from random import Random
from typing import Any


def standings(
    matches: list[tuple[Any, ...]], deductions: dict[str, int] | None = None
) -> list[tuple[Any, ...]]:
    """Rank by comparing every team with every other."""
    for home, away, *goals in matches:
        if home == away or goals.count(None) == 1 or any(g is not None and g < 0 for g in goals):
            raise ValueError((home, away, goals))
    teams = {team for match in matches for team in match[:2]}

    def results(team: str, rivals: set[str]) -> list[tuple[int, int]]:
        at_home = [(hg, ag) for h, a, hg, ag in matches if h == team and a in rivals and hg is not None]
        return at_home + [
            (ag, hg) for h, a, hg, ag in matches if a == team and h in rivals and hg is not None
        ]

    def points(games: list[tuple[int, int]]) -> int:
        return 3 * sum(f > a for f, a in games) + sum(f == a for f, a in games)

    def difference(games: list[tuple[int, int]]) -> int:
        return sum(f for f, _ in games) - sum(a for _, a in games)

    net = {team: points(results(team, teams)) - (deductions or {}).get(team, 0) for team in teams}
    merit = {}
    for team in teams:
        all_games = results(team, teams)
        among = results(team, {rival for rival in teams if net[rival] == net[team]})
        merit[team] = (
            net[team],
            points(among),
            difference(among),
            difference(all_games),
            sum(f for f, _ in all_games),
        )
    rows = [
        (1 + sum(merit[rival] > merit[team] for rival in teams), team, net[team], *merit[team][3:])
        for team in teams
    ]
    return sorted(rows)


def random_input(rng: Random) -> tuple[Any, ...]:
    """Return a random small league with few goals, so that ties are common."""
    teams = ["A", "B", "C", "D", "e"][: rng.randint(2, 5)]
    matches: list[tuple[Any, ...]] = []
    for _ in range(rng.randint(0, 9)):
        home, away = rng.sample(teams, 2)
        if rng.random() < 0.02:
            away = home
        played = rng.random() < 0.9
        goals: tuple[int | None, int | None] = (
            (rng.randint(0, 2), rng.randint(0, 2)) if played else (None, None)
        )
        if rng.random() < 0.02:
            goals = (goals[0], None)
        matches.append((home, away, *goals))
    return matches, rng.choice([None, {}, {"A": 1, "B": 3}, {"C": 2, "nobody": 5}])


def holds(arguments: tuple[Any, ...], result: list[tuple[Any, ...]]) -> bool:
    """Goal differences cancel, points add up, and ranks count places."""
    matches, deductions = arguments
    played = [match for match in matches if match[2] is not None]
    given = sum(2 if hg == ag else 3 for _, _, hg, ag in played)
    taken = sum(p for team, p in (deductions or {}).items() if team in {row[1] for row in result})
    ranks = [row[0] for row in result]
    return (
        sum(row[3] for row in result) == 0
        and sum(row[2] for row in result) == given - taken
        and all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    )
