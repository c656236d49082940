"""The delivery log: every notification to a webhook with its outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.core.notification import DeliveryStatus
from assay.core.workspace import Webhook
from assay.report.frame import SiteFrame
from assay.report.site.style import site_page
from assay.results.watch import NotificationDelivery

MOST_DELIVERIES: Final = 200
SIMULATED: Final = "Notifications marked so are about models that are not real."


@dataclass(frozen=True, slots=True)
class DeliveriesView:
    """The last deliveries, the newest first, the numbers of all by status, and the webhooks."""

    deliveries: Sequence[NotificationDelivery]
    counts: Mapping[DeliveryStatus, int]
    hooks: Sequence[Webhook]
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of notifications about simulated models."""
        return SIMULATED if any(delivery.simulated for delivery in self.deliveries) else None

    @property
    def total(self) -> int:
        """The number of all deliveries."""
        return sum(self.counts.values())

    @property
    def undelivered(self) -> int:
        """The number of deliveries that failed or are not finished."""
        return self.total - self.counts.get(DeliveryStatus.SENT, 0)

    @property
    def removed(self) -> tuple[str, ...]:
        """The webhooks of shown deliveries that the workspace does not have any more."""
        known = {hook.name for hook in self.hooks}
        gone = {delivery.hook for delivery in self.deliveries if delivery.status is not DeliveryStatus.SENT}
        return tuple(sorted(gone - known))


def deliveries_page(
    deliveries: Sequence[NotificationDelivery],
    counts: Mapping[DeliveryStatus, int],
    hooks: Sequence[Webhook],
    site: SiteFrame,
) -> str:
    """Return the page of the delivery log."""
    return site_page(
        "site_deliveries.html",
        DeliveriesView(deliveries, counts, hooks),
        site,
        statuses=tuple(DeliveryStatus),
    )
