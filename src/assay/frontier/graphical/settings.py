"""What the graphical model assumes and how hard its fit tries: every prior and every limit, in one value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Priors of the model and limits of its fit; the defaults are the paper's uniform priors.

    `difficulty` and `aptitude` are (a, b) of the Beta priors of D_n and A_tl; `topic` is the Dirichlet's one
    parameter. `spread` is (median, log standard deviation) of the log-normal prior of the concentration at
    the middle difficulty, where cells may differ from the link, and the standard deviation of the two
    coefficients by which its logarithm changes with difficulty. `nodes` is how many points of Gauss-Jacobi
    quadrature stand for a prompt's difficulty. `hidden` is the width of the neural link's two layers,
    `stiffness` the standard deviation of the normal priors of its weights around the start, at which it is
    the multiplicative link.

    Adam runs at `rate` in blocks of `block` steps until the mean ELBO of a block betters the best earlier
    block by less than `tolerance` of its size, twice in a row, or until `most_steps`. `held_out` is
    the share of a cell's generations that the choice of the number of topics is judged on, `grid` the numbers
    tried.
    """

    difficulty: tuple[float, float] = (1.0, 1.0)
    aptitude: tuple[float, float] = (1.0, 1.0)
    topic: float = 1.0
    spread: tuple[float, float, float] = (30.0, 3.0, 1.5)
    nodes: int = 24
    hidden: int = 8
    stiffness: float = 1.0
    rate: float = 0.06
    block: int = 25
    tolerance: float = 5e-4
    most_steps: int = 1500
    held_out: float = 0.25
    grid: tuple[int, ...] = (1, 2, 4, 8, 16)
