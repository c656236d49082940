"""The graphical model of difficulty, topic and aptitude, fitted by variational inference."""

from assay.frontier.graphical.fit import PgmFit, SeedFit, fit_pgm
from assay.frontier.graphical.optimiser import PgmSettings
from assay.frontier.graphical.topics import HeldOut

__all__ = ["HeldOut", "PgmFit", "PgmSettings", "SeedFit", "fit_pgm"]
