"""A small model of deck metres that sellers own, walked through in every order of events."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

CAPACITY = 4


@dataclass(frozen=True, slots=True)
class Deck:
    """Who owns how many units, what is sold or under way, and what the centre takes the kiosk to own."""

    web: int = 2
    kiosk: int = 2
    sold: int = 0
    to_web: int = 0
    to_kiosk: int = 0
    believed: int = 2


def steps(deck: Deck, *, reclaim: bool) -> Iterator[Deck]:
    """Yield what can happen next: sales, transfers, arrivals, losses, the kiosk's death, a reclaim."""
    if deck.web:
        yield replace(deck, web=deck.web - 1, sold=deck.sold + 1)
        yield replace(deck, web=deck.web - 1, to_kiosk=deck.to_kiosk + 1, believed=deck.believed + 1)
    if deck.kiosk:
        yield replace(deck, kiosk=deck.kiosk - 1, sold=deck.sold + 1)
        yield replace(deck, kiosk=deck.kiosk - 1, to_web=deck.to_web + 1)
        yield replace(deck, kiosk=0)
    if deck.to_web:
        lost = replace(deck, to_web=deck.to_web - 1)
        yield lost
        yield replace(lost, web=deck.web + 1, believed=max(0, deck.believed - 1))
    if deck.to_kiosk:
        lost = replace(deck, to_kiosk=deck.to_kiosk - 1)
        yield lost
        yield replace(lost, kiosk=deck.kiosk + 1)
    if reclaim and deck.believed:
        yield replace(deck, web=deck.web + deck.believed, believed=0)


def oversold(*, reclaim: bool) -> bool:
    """Return whether any order of events sells more than the capacity."""
    seen, waiting = {Deck()}, deque([Deck()])
    while waiting:
        for following in steps(waiting.popleft(), reclaim=reclaim):
            if following.sold > CAPACITY:
                return True
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return False
