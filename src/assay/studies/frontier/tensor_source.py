"""A source that was read: the tensor, and the notes on it that a report must show."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.tensor import Tensor
from assay.results.frontier import FrontierSource, LeftOut, Rows


@dataclass(frozen=True, slots=True)
class TensorSource:
    """A tensor with its origin.

    `source` has the file or the runs, with all options of reading as the command line writes them. `left_out`
    has the models and prompts of the source that are not in the tensor, and `notes` is for readers. `digest`
    is the SHA-256 of the file, or the digest of the runs' suite. With `simulated`, at least one run did not
    measure real models.
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
        """The origin and the size of the tensor, as they are published."""
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
