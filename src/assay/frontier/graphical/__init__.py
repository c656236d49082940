"""The graphical model of difficulty, topic and aptitude: fitted by variational inference."""

from assay.frontier.graphical.fit import PgmFit, SeedFit, fit_pgm
from assay.frontier.graphical.settings import Settings
from assay.frontier.graphical.topics import HeldOut

__all__ = ["HeldOut", "PgmFit", "SeedFit", "Settings", "fit_pgm"]
