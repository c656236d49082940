"""What was read of a source: the tensor, and all that a report must say about it."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.tensor import Tensor
from assay.results.frontier import FrontierSource, LeftOut, Rows


@dataclass(frozen=True, slots=True)
class Read:
    """A tensor and what a report must say about how it was read.

    `source` names the file or the runs with every choice made in reading, as the command line writes it;
    `left_out` the models and prompts that are in the source but not in the tensor; `notes` what a reader
    should know. `digest` is the SHA-256 of the file, for runs the digest of their suite.
    `simulated`: at least one run did not measure real models.
    """

    tensor: Tensor
    source: str
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    rows: Rows
    digest: str
    simulated: bool = False

    @property
    def summary(self) -> FrontierSource:
        """What was read, without the tensor."""
        tensor = self.tensor
        return FrontierSource(
            source=self.source,
            digest=self.digest,
            simulated=self.simulated,
            prompts=len(tensor.prompts),
            models=len(tensor.models),
            generations=tensor.generations,
            unit=None if tensor.cost is None else tensor.unit,
            rows=self.rows,
            left_out=self.left_out,
            notes=self.notes,
        )
