"""Models of the workspace, and their known prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.core.model import Model
from assay.core.money import Prices
from assay.results.figure import Figure, Flat, Hidden, Timestamp, utc
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class KnownPrices:
    """A model with its prices; None if they are unknown."""

    model: Annotated[Model, Hidden()]
    prices: Annotated[
        Prices | None,
        Figure(
            "prices",
            unit="USD",
            meaning="per million tokens, and per request; cached tokens cost as much as prompt tokens unless "
            "a price is given",
        ),
    ]
    origin: Annotated[
        Literal["workspace", "model list"] | None, Figure("origin", meaning="source of the prices")
    ]
    source: Annotated[str | None, Figure("source", meaning="the address of the model list")] = None
    at: Annotated[Timestamp | None, Figure("time", meaning="when the list was read")] = None

    @property
    def name(self) -> Annotated[str, Figure("model", name="model", meaning="provider/model")]:
        """The model's name."""
        return self.model.name


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of the workspace."""

    known: Annotated[KnownPrices, Flat()]
    model: Annotated[
        Model,
        Flat(
            only=("parameters", "organisation", "family", "series", "released", "weights", "exclusions"),
        ),
    ]
    watched: Annotated[bool, Figure("watched")]
    judge: Annotated[bool, Figure("judge", meaning="whether it judges")]

    @property
    def pin(
        self,
    ) -> Annotated[tuple[str, ...] | None, Figure("pin", meaning="upstream providers allowed to serve it")]:
        """The upstream providers that may serve it; None for any."""
        return None if self.model.pin is None else self.model.pin.only


@dataclass(frozen=True, slots=True)
class RefreshedList:
    """The result of asking one provider for its list of models."""

    provider: Annotated[str, Figure("provider")]
    source: Annotated[str, Figure("source", meaning="the address of the model list")]
    listed: Annotated[int, Figure("listed", meaning="models in its list")]
    priced: Annotated[int, Figure("priced", meaning="models with prices", of="listed")]
    failure: Annotated[AssayError | None, Hidden()] = None

    @property
    def error(self) -> Annotated[str | None, Figure("error", meaning="why the list could not be read")]:
        """Why the list could not be read."""
        return None if self.failure is None else str(self.failure)


@dataclass(frozen=True, slots=True)
class PriceRefresh:
    """The result of a refresh of prices, and the prices that apply now."""

    providers: tuple[RefreshedList, ...]
    models: tuple[KnownPrices, ...]


def _known(row: KnownPrices | ListedModel) -> KnownPrices:
    return row.known if isinstance(row, ListedModel) else row


def _price(row: KnownPrices | ListedModel, kind: Literal["prompt", "completion"]) -> str:
    prices = _known(row).prices
    return "unknown" if prices is None else f"{getattr(prices, kind):g}"


def _origin(row: KnownPrices | ListedModel) -> str:
    known = _known(row)
    return (known.origin or "-") if known.at is None else f"model list of {utc(known.at)[:10]}"


_PRICES: Final = (
    Column("$/M prompt", lambda row: _price(row, "prompt"), right=True),
    Column("$/M answer", lambda row: _price(row, "completion"), right=True),
    Column("prices from", _origin),
)
KNOWN_PRICES: Final = Table(KnownPrices, ("model", *_PRICES))
MODELS: Final = Table(ListedModel, ("model", "pin", *_PRICES), name="models")
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "model-list": (MODELS, "assay model list --json: the workspace's models"),
    "model-prices": (PriceRefresh, "assay model prices --json: a refresh, and the prices that apply now"),
}
