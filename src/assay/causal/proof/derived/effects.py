"""Probabilities under interventions by truncated factorisation, and counterfactuals by the mediation formula.

Sources: Pearl, Causality (2009), equations 1.37 (truncated factorisation), 3.19 (adjustment), and Pearl,
Direct and Indirect Effects (2001), for nested counterfactuals of models with independent disturbances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.causal.proof.derived.factor import Factor, eliminated, product, reduced
from assay.causal.scm import Scm, Variable
from assay.core.errors import InvalidInput


def joint(scm: Scm, keep: Sequence[str], evidence: Mapping[str, int], do: Mapping[str, int]) -> Factor:
    """Return P(keep, evidence | do) as a table over `keep`: only ancestors of what is asked take part."""
    unknown = [name for name in (*keep, *evidence, *do) if name not in scm.by_name]
    if unknown:
        raise InvalidInput(f"the model has no variable {unknown[0]!r}: it has {', '.join(scm.by_name)}")
    needed = _ancestors(scm, {*keep, *evidence}, cut=set(do))
    factors = []
    for name in needed:
        if name in do:
            factors.append(Factor((name,), {(do[name],): Fraction(1)}))
        else:
            factors.append(_factor(scm.by_name[name], {}))
    return eliminated([reduced(factor, evidence) for factor in factors], keep)


def probability(
    scm: Scm, event: Mapping[str, int], given: Mapping[str, int], do: Mapping[str, int]
) -> Fraction:
    """Return P(event | given, do). InvalidInput where what is given cannot happen."""
    below = _total(scm, given, do)
    if below == 0:
        raise InvalidInput(f"given {dict(given)!r} under do {dict(do)!r} has probability 0: nothing follows")
    if any(given.get(name, level) != level for name, level in event.items()):
        return Fraction(0)
    return _total(scm, {**given, **event}, do) / below


def mean(scm: Scm, name: str, given: Mapping[str, int], do: Mapping[str, int]) -> Fraction:
    """Return E[variable | given, do] over the variable's numeric values."""
    variable = scm.by_name[name]
    return sum(
        (
            variable.value(level) * probability(scm, {name: level}, given, do)
            for level in range(variable.size)
        ),
        Fraction(0),
    )


def standardised(
    scm: Scm,
    event: Mapping[str, int],
    treatment: Mapping[str, int],
    over: Sequence[str],
    within: Mapping[str, int],
    weights: Mapping[str, int],
) -> Fraction:
    """Return the sum over z of P(event | treatment, z, within) P(z | weights)."""
    names = [name for name in over if name not in weights]
    mix = joint(scm, names, weights, {})
    total = sum(mix.table.values())
    found = Fraction(0)
    for key, mass in mix.table.items():
        if mass:
            levels = dict(zip(mix.scope, key, strict=True))
            found += probability(scm, event, {**levels, **within, **treatment}, {}) * mass / total
    return found


def counterfactual(
    scm: Scm,
    event: Mapping[str, int],
    do: Mapping[str, int],
    mediators: Mapping[str, Mapping[str, int]],
    given: Mapping[str, int],
) -> Fraction:
    """Return P(event had `do` been set, mediators at their own settings' levels | given).

    Every variable downstream of a setting gets a copy in the world where it is needed; upstream variables
    are shared. InvalidInput where the answer is not a function of the mechanisms' tables: evidence on
    something downstream, or one variable needed in two worlds.
    """
    settings = [dict(do), *(dict(setting) for setting in mediators.values())]
    moved = {name for setting in settings for name in _below(scm, set(setting))}
    if late := sorted(moved & given.keys()):
        raise InvalidInput(f"{late[0]!r} is affected by what is set: give only what comes before")
    factors: dict[str, Factor] = {}
    worlds = {name: number for number, name in enumerate(mediators, start=1)}

    def copy(name: str, world: int) -> str:
        """Return the label of a variable in a world, and add its mechanism there."""
        setting = settings[world]
        if world == 0 and name in worlds:
            return copy(name, worlds[name])
        if name in setting:
            label = f"{name}={setting[name]}"
            factors[label] = Factor((label,), {(setting[name],): Fraction(1)})
            return label
        label = f"{name}@{world}" if name in moved else name
        if label not in factors:
            variable = scm.by_name[name]
            upstream = {parent: copy(parent, world if name in moved else -1) for parent in variable.parents}
            factors[label] = _factor(variable, upstream | {name: label})
        return label

    settings.append({})  # the actual world, where nothing is set, stands last
    asked = {copy(name, 0): level for name, level in event.items()}
    seen = {copy(name, -1): level for name, level in given.items()}
    for name in moved:
        if sum(label.partition("@")[0] == name and "@" in label for label in factors) > 1:
            raise InvalidInput(
                f"{name!r} would be needed in two worlds at once: the effect is not identified"
            )
    below = _mass(factors, seen)
    if below == 0:
        raise InvalidInput(f"given {dict(given)!r} has probability 0: nothing follows")
    return _mass(factors, seen | asked) / below


def _mass(factors: Mapping[str, Factor], levels: Mapping[str, int]) -> Fraction:
    found = eliminated([reduced(factor, levels) for factor in factors.values()], ())
    return found.table.get((), Fraction(0))


def _total(scm: Scm, levels: Mapping[str, int], do: Mapping[str, int]) -> Fraction:
    return joint(scm, (), levels, do).table.get((), Fraction(0))


def _factor(variable: Variable, labels: Mapping[str, str]) -> Factor:
    """Return a mechanism as a table, its variables renamed by `labels`."""
    names = (*variable.parents, variable.name)
    return product(
        Factor((), {(): Fraction(1)}),
        Factor(
            tuple(labels.get(name, name) for name in names),
            {
                (*key, level): chance
                for key, row in variable.table.items()
                for level, chance in enumerate(row)
                if chance
            },
        ),
    )


def _ancestors(scm: Scm, names: set[str], *, cut: set[str]) -> list[str]:
    """Return these variables and what lies upstream, not passing through `cut`."""
    found: set[str] = set()
    open_ = list(names)
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += [] if name in cut else scm.by_name[name].parents
    return [name for name in scm.by_name if name in found]


def _below(scm: Scm, names: set[str]) -> set[str]:
    """Return what lies downstream of these variables; they themselves only where one lies below another."""
    found: set[str] = set()
    for name, variable in scm.by_name.items():
        if (found | names).intersection(variable.parents):
            found.add(name)
    return found
