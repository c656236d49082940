"""The oracle's value by every method, with intervals, and notes if it cannot be estimated."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.capability import frontier
from assay.frontier.methods.registry import METHODS
from assay.frontier.oracle import oracle, oracles
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor, from_counts
from assay.results.frontier import OracleEstimate

MODELLED: tuple[str, ...] = ("mixture", "pgm")
OTHERS: tuple[str, ...] = ("naive", "power", "smooth", "bracket")


def named(right: np.ndarray, given: np.ndarray, cost: np.ndarray | None = None) -> Tensor:
    """Name the prompts and the models of counts."""
    prompts, models = right.shape
    return from_counts(
        tuple(f"p{n}" for n in range(prompts)), tuple(f"m{n}" for n in range(models)), right, given, cost=cost
    )


def simulated(prompts: int = 80, models: int = 4, generations: int = 10, seed: int = 0) -> Tensor:
    """Return independent cells with their own rates, and a price for each model."""
    rng = np.random.default_rng(seed)
    right = rng.binomial(generations, rng.beta(2, 2, (prompts, models)))
    cost = np.tile(np.arange(1.0, models + 1), (prompts, 1))
    return named(right, np.full_like(right, generations), cost)


def made_up(tensor: Tensor, draws: int = 50) -> Posterior:
    """Return Beta(2, 2) posteriors, which are exact for the simulation's prior."""
    rng = np.random.default_rng(9)
    shape = (draws, *tensor.answers.shape)
    quality = rng.beta(2 + tensor.correct, 2 + tensor.answers - tensor.correct, shape)
    cost = tensor.mean_cost()
    return Posterior(
        "made up",
        quality,
        None if cost is None else np.broadcast_to(cost, shape),
        tensor.observed,
        ("a note",),
    )


def by(tensor: Tensor, method: str, resamples: int = 50) -> OracleEstimate:
    """Return the oracle's value; methods with a statistical model use made-up draws."""
    posterior = made_up(tensor) if method in MODELLED else None
    return oracle(tensor, method, posterior=posterior, resamples=resamples)


def test_naive_worked_by_hand() -> None:
    """Right 2 and 1 of 2 on one prompt, 0 and 1 on the other: 1 and 0.5, against 0.5 for either alone."""
    tensor = named(np.array([[2, 1], [0, 1]]), np.full((2, 2), 2), np.array([[1.0, 2.0], [3.0, 5.0]]))
    estimate = oracle(tensor, "naive", resamples=20)
    assert estimate.quality.value == 0.75
    assert estimate.cost is not None
    assert estimate.cost.value == 3.0
    assert (estimate.best_model, estimate.best_single.value) == ("m0", 0.5)
    assert (estimate.gain.value, estimate.error_reduction.value) == (0.25, 0.5)
    assert estimate.curve.tolist() == [0.75, 0.75]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_its_parts(method: str) -> None:
    """A value inside its interval or an interval, a cost with its estimator, the paper's cost, the curve."""
    estimate = by(simulated(), method)
    interval = estimate.quality.over_prompts
    assert interval is not None
    assert interval.level == 0.95
    assert estimate.quality.value is None or interval.low <= estimate.quality.value <= interval.high
    assert estimate.cost is not None
    assert estimate.cost_estimator
    assert estimate.paper_cost is not None
    assert (len(estimate.sizes), len(estimate.curve)) == (10, 10)
    assert (estimate.quality.these_prompts is not None) == (method in MODELLED)
    assert (estimate.lower is not None, estimate.upper is not None) == (method == "bracket",) * 2


def test_the_best_of_a_draw_is_valued_within_the_draw() -> None:
    """Two draws have different best models: the value is the mean of the maxima, with their costs."""
    tensor = named(np.array([[1, 1]]), np.full((1, 2), 2), np.array([[1.0, 5.0]]))
    draws = np.array([[[0.9, 0.1]], [[0.2, 0.7]]])
    posterior = Posterior("made up", draws, np.broadcast_to([1.0, 5.0], draws.shape), tensor.observed)
    estimate = oracle(tensor, "mixture", posterior=posterior, resamples=20)
    assert estimate.cost is not None
    assert (estimate.quality.value, estimate.cost.value) == pytest.approx((0.8, 3.0))
    assert estimate.quality.these_prompts is not None
    assert estimate.quality.these_prompts.low == pytest.approx(0.7 + 0.025 * 0.2)


def test_a_cell_that_may_not_be_chosen_is_not_chosen() -> None:
    """A cell that was never observed has draws, but the oracle does not choose it."""
    tensor = named(np.array([[1, 0], [1, 1]]), np.array([[2, 0], [2, 2]]))
    draws = np.broadcast_to([[0.5, 0.9], [0.5, 0.4]], (3, 2, 2))
    estimate = oracle(
        tensor, "mixture", posterior=Posterior("made up", draws, None, tensor.observed), resamples=20
    )
    assert estimate.quality.value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (0.4, "below the best single's observed mean; part of that mean is luck"),
        (0.9, "above the naive value"),
    ],
)
def test_an_implausible_value_has_a_note(drawn: float, message: str) -> None:
    """The value is below the best single model (here 0.5) or above the naive oracle."""
    tensor = named(np.array([[1, 1], [1, 1]]), np.full((2, 2), 2))
    posterior = Posterior("made up", np.full((5, 2, 2), drawn), None, tensor.observed)
    assert message in " ".join(oracle(tensor, "mixture", posterior=posterior, resamples=20).notes)


def test_a_posterior_of_another_tensor_is_refused() -> None:
    """Its shape is wrong."""
    with pytest.raises(InvalidInput, match="posterior has shape"):
        oracle(simulated(), "mixture", posterior=made_up(simulated(prompts=3)))


@pytest.mark.parametrize("method", METHODS)
def test_one_generation_leaves_naive_and_an_upper_end(method: str) -> None:
    """Every method says that the bias cannot be measured and how far it may mislead."""
    estimate = oracle(simulated(generations=1), method, resamples=20)
    assert (estimate.quality.value is not None) == (method == "naive")
    assert (estimate.upper is not None) == (method == "bracket")
    assert estimate.lower is None
    assert "bias cannot be measured" in " ".join(estimate.notes)


def test_how_far_one_generation_may_mislead_worked_by_hand() -> None:
    """One of two right on each prompt: equal models at 1/2 would have a naive oracle of 3/4, 0.25 more."""
    estimate = oracle(named(np.array([[1, 0], [0, 1]]), np.ones((2, 2), dtype=int)), "naive", resamples=20)
    text = " ".join(estimate.notes)
    assert "from 0.5 to about 0.75" in text
    assert "up to 0.25 of its lead of 0.5 over the best single model may be luck" in text


@pytest.mark.parametrize("method", METHODS)
def test_one_model_is_its_own_oracle(method: str) -> None:
    """There is no gain, no bias and no fit, and a note says so."""
    estimate = oracle(simulated(models=1, generations=2), method, resamples=20)
    assert estimate.quality.value == estimate.best_single.value
    assert (estimate.gain.value, estimate.error_reduction.value) == (0.0, 0.0)
    assert "one model" in " ".join(estimate.notes)


@pytest.mark.parametrize(("method", "least"), [("power", 3), ("smooth", 5)])
def test_too_few_generations_for_a_form_have_a_note(method: str, least: int) -> None:
    """With fewer sizes than parameters there is no value; with as many there is one, with a warning."""
    few, enough = (by(simulated(generations=number), method) for number in (least - 1, least))
    assert few.quality.value is None
    assert f"{least} parameters" in few.notes[0]
    assert enough.quality.value is not None
    assert "extrapolations are unreliable" in " ".join(enough.notes)


def test_continuous_quality_goes_through_every_method() -> None:
    """A note says that the curve is sampled; outside 0-1 there is no error reduction."""
    rng = np.random.default_rng(2)
    tensor = Tensor(tuple("abcdefgh"), ("x", "y"), rng.normal(50, 20, (8, 2, 6)), scale=None)
    for method in OTHERS:
        estimate = oracle(tensor, method, resamples=20)
        assert "Monte-Carlo standard error" in " ".join(estimate.notes)
        assert estimate.error_reduction.value is None
        assert estimate.cost is None
        assert estimate.cost_estimator == "no costs were recorded"
    assert np.all(np.diff(estimate.curve) < 0.5)


def test_short_cells_and_empty_prompts_are_named() -> None:
    """An extrapolation says that short cells keep their luck; a prompt without answers is left out."""
    right, given = simulated().correct, simulated().answers
    given[0, 0], right[0, 0], given[1], right[1] = 2, 1, 0, 0
    estimate = oracle(named(right, given), "power", resamples=20)
    text = " ".join(estimate.notes)
    assert "1 of 316 cells have fewer than G = 10" in text
    assert "'p1'" in text
    assert estimate.prompts == 79


def test_several_methods_share_their_replicates() -> None:
    """The upper end of the bracket is the naive value, to the last digit of its interval."""
    naive, bracket = oracles(simulated(), ("naive", "bracket"), resamples=50)
    assert bracket.upper == naive.quality


def test_an_interval_over_prompts_counts_each_uncertainty_once() -> None:
    """Independent prompts: the spread of their posterior means alone; a shared departure is added to it."""
    rng = np.random.default_rng(3)
    tensor = named(np.ones((400, 2), dtype=int), np.full((400, 2), 2))
    means, widths = np.linspace(0.2, 0.8, 400), []
    for shared in (0.0, 0.05):
        one = means + rng.normal(0, 0.1, (200, 400)) + shared * rng.normal(0, 1, (200, 1))
        draws = np.stack([one, np.full_like(one, -1.0)], axis=2)
        posterior = Posterior("made up", draws, None, tensor.observed)
        estimate = oracle(tensor, "mixture", posterior=posterior, resamples=1000)
        assert estimate.quality.over_prompts is not None
        widths.append((estimate.quality.over_prompts.high - estimate.quality.over_prompts.low) / (2 * 1.96))
    sampled = means.std() / 20
    assert widths == pytest.approx([sampled, np.hypot(sampled, 0.05)], rel=0.1)


@pytest.mark.slow
def test_intervals_cover_the_truth() -> None:
    """Of 60 simulated samples of prompts the modelled value's and the bracket's 90 % intervals cover most."""
    covered = []
    truth = np.random.default_rng(1).beta(2, 2, (200_000, 4)).max(axis=1).mean()
    for seed in range(60):
        priced = simulated(generations=6, seed=seed)
        tensor = named(priced.correct, priced.answers)
        for method in ("mixture", "bracket"):
            interval = by(tensor, method, resamples=200).quality.over_prompts
            assert interval is not None
            covered.append(interval.low <= truth <= interval.high)
    modelled, bracketed = np.array(covered).reshape(-1, 2).mean(axis=0)
    assert 0.8 <= modelled <= 0.98
    assert bracketed >= 0.9


def test_draws_that_tie_pay_the_cheapest_in_any_order_of_the_models() -> None:
    """Two models are equally good in every draw: the oracle costs 1 with either first."""
    for order in ([0, 1], [1, 0]):
        tensor = named(np.full((4, 2), 3), np.full((4, 2), 3), np.tile(np.array([5.0, 1.0])[order], (4, 1)))
        quality = np.ones((3, 4, 2))
        posterior = Posterior(
            "tied", quality, np.broadcast_to(tensor.mean_cost(), (3, 4, 2)), tensor.observed
        )  # type: ignore[arg-type]
        estimate = oracle(tensor, "mixture", posterior=posterior, resamples=20)
        assert estimate.cost is not None
        assert estimate.cost.value == 1.0
        assert estimate.cost.these_prompts is not None
        assert estimate.cost.these_prompts.high == 1.0


def test_the_oracle_is_the_frontier_at_alpha_one_in_value_and_intervals() -> None:
    """Draws on a grid tie often; quality, cost and both intervals agree between the two ways."""
    tensor = simulated(prompts=40, models=5)
    exact = made_up(tensor)
    posterior = Posterior("grid", np.round(exact.quality, 1), exact.cost, exact.may_choose)
    estimate = oracle(tensor, "mixture", posterior=posterior, resamples=60)
    end = frontier(tensor, "mixture", posterior=posterior, resamples=60).points[-1]
    assert estimate.cost is not None
    for ours, point in ((estimate.quality, end.quality), (estimate.cost, end.cost)):
        assert ours.value == pytest.approx(point.value, abs=1e-12)
        for interval, expected in (
            (ours.over_prompts, point.over_prompts),
            (ours.these_prompts, point.these_prompts),
        ):
            assert interval is not None
            assert expected is not None
            assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_empty_positions_are_not_generations() -> None:
    """Marks of a model without costs go, with five empty places they leave: curves end at 5, none is flat."""
    rng = np.random.default_rng(5)
    marks, cost = rng.beta(2, 2, (20, 3, 10)), rng.lognormal(0, 1, (20, 3, 10))
    marks[:, :2, 5:] = cost[:, :2, 5:] = cost[:, 2] = np.nan
    tensor = Tensor(tuple(f"p{n}" for n in range(20)), ("a", "b", "c"), marks, cost=cost)
    short = Tensor(tensor.prompts, ("a", "b"), marks[:, :2, :5], cost=cost[:, :2, :5])
    for method in ("power", "smooth"):
        estimate, alone = oracle(tensor, method, resamples=0), oracle(short, method, resamples=0)
        assert estimate.sizes.tolist() == [1, 2, 3, 4, 5]
        assert estimate.curve == pytest.approx(alone.curve, abs=0.03)
        assert frontier(tensor, method, resamples=0).points[-1].quality.value is not None


def test_one_generation_in_the_second_place_is_one_generation() -> None:
    """Half of the prompts have their answer in the second position; the note on luck is still given."""
    quality = np.full((6, 2, 2), np.nan)
    quality[:3, :, 0], quality[3:, :, 1] = [1.0, 0.0], [0.0, 1.0]
    tensor = Tensor(tuple(f"p{n}" for n in range(6)), ("a", "b"), quality)
    assert any("lift the naive oracle from 0.5 to" in note for note in oracle(tensor, "naive").notes)
