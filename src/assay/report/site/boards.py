"""The list of boards, and two models of a board prompt by prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.report.frame import SiteFrame
from assay.report.site.samples import GENERAL_NOTICE
from assay.report.site.style import site_page
from assay.runs.site.boards import BoardLine, ComparedModels, PromptPair

MOST_PROMPTS: Final = 1000
"""Prompts on the page of two models."""


@dataclass(frozen=True, slots=True)
class BoardsView:
    """The list of boards."""

    boards: tuple[BoardLine, ...]
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if any(board.simulated for board in self.boards) else None


def boards_page(boards: Sequence[BoardLine], site: SiteFrame) -> str:
    """Return the list of boards."""
    return _page("site_boards.html", BoardsView(tuple(boards)), site)


@dataclass(frozen=True, slots=True)
class ComparedView:
    """Two models prompt by prompt. The names of a private suite's prompts are `hidden`."""

    compared: ComparedModels
    hidden: bool
    made: None = None

    @property
    def pairs(self) -> tuple[PromptPair, ...]:
        """The prompts that the page shows."""
        return self.compared.pairs[:MOST_PROMPTS]

    @property
    def left_out(self) -> int:
        """The number of prompts that it does not show."""
        return len(self.compared.pairs) - len(self.pairs)

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if self.compared.simulated else None


def compared_models_page(compared: ComparedModels, site: SiteFrame) -> str:
    """Return the page of two models prompt by prompt."""
    hidden = compared.private and not site.reveal
    return _page("site_compared_models.html", ComparedView(compared, hidden), site)


def _page(template: str, view: object, site: SiteFrame) -> str:
    return site_page(template, view, site)
