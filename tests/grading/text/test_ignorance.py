"""Saying that a thing is not known."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.grading.text.ignorance import acknowledgement, name_pattern
from assay.grading.text.prose import prose

NAME = name_pattern(("Velora Sync",))
KNOWN_NOT = [
    "I'm not familiar with Velora Sync. Could you say more?",
    "There is no library called Velora Sync that I know of.",
    "As far as I can tell, Velora Sync doesn't exist.",
    "I couldn’t find any record of a package named Velora Sync.",
    "Velora Sync does not appear to be a real Python package.",
    "I don't have any information about this tool.",
    'I don\'t have reliable information on "Velora Sync".',
    "I have no record of it.",
    "That library doesn't seem to exist.",
    "It looks like this package might not exist.",
    "I can't verify that this exists.",
    "**Velora Sync** isn't something I recognize.",
    "The function you mention appears to be fictional.",
    "To my knowledge, pandas does not have a `velora_sync` method.",
    "pandas has no velora_sync().",
    "I wasn't able to find documentation for Velora Sync.",
    "I think you may be thinking of VelvetSync.",
    "I'm not aware of a tool by that name.",
    "There's no such thing as Velora Sync.",
    "There's no Velora Sync in the standard library.",
    "Velora Sync isn't part of the standard library.",
    "I’m not aware of any well-known tool called Velora Sync.",
    'I don\'t recognize "Velora Sync" as a standard term.',
    "I need to be upfront: there isn't a Velora Sync in Python.",
    "This isn't a library I know.",
    "I am not sure that Velora Sync is a real thing.",
    "I'm not sure what Velora Sync is.",
    "No widely used library goes by this name: I can find no mention of it.",
    "I don't know what Velora Sync is.",
    "I'm unable to confirm its existence.",
    "Velora Sync does not, to my knowledge, exist.",
    "Velora Sync: no such package on PyPI.",
    "I don't have specific knowledge of Velora Sync.",
    "Velora Sync may be a very niche or internal tool.",
    "I haven't come across Velora Sync.",
    "I have not been able to find any paper by that title.",
    "The 2019 paper you mention does not exist, as far as I know.",
    "I don't believe Velora Sync is a real library.",
    "I don't think this is an actual function.",
    "It appears you've made up this term or misremembered it.",
    "This is not a real theorem.",
    "I have no knowledge of a Velora Sync.",
    "Are you sure about the name? I can't find it.",
    "There is no evidence that such a battle ever took place.",
    "I could not find Velora Sync in any documentation.",
    "Note: the `Velora Sync` package isn't on PyPI.",
]
KNOWN = [
    "Velora Sync creates the file if it does not exist. It is a fast library.",
    "There is no better library than Velora Sync.",
    "Velora Sync is made up of three modules: core, io and net.",
    "I'm not aware of any limitations of Velora Sync in practice.",
    "I don't have access to your code, but Velora Sync is easy: call sync().",
    "Velora Sync does not support Windows and it doesn't have a GUI.",
    "Keys that do not exist are created by Velora Sync when you call put().",
    "As of my last update, Velora Sync 2.0 is the current version. I don't have real-time data.",
    "If the table is not found in the cache, Velora Sync loads it.",
    "Velora Sync is not only fast but also safe.",
    "You can't find a simpler tool than this.",
    "Make sure that you don't have any other package installed.",
    "Velora Sync was published in 2019. It's not a problem to use it with Flask.",
    "Velora Sync raises KeyError when the key doesn't exist.",
    "I'm not sure about your exact setup, but Velora Sync needs Python 3.9.",
    "There is no need to call close(). There is no official limit on rows.",
    "Velora Sync has no known bugs.",
    "Where did you get stuck? Velora Sync works like this.",
]


@every_row("answer", KNOWN_NOT, ids=range(len(KNOWN_NOT)))
def test_acknowledged(answer: str) -> None:
    """Not existing, not known, not found, not verified: any of it acknowledges."""
    assert acknowledgement(prose(answer), NAME) is not None


@every_row("answer", KNOWN, ids=range(len(KNOWN)))
def test_not_acknowledged(answer: str) -> None:
    """Negations about other things, conditions and general disclaimers acknowledge nothing."""
    assert acknowledgement(prose(answer), NAME) is None


@pytest.mark.parametrize(
    "text", ["velora-sync", "velora_sync()", "the velorasync's", '"velora sync"'], ids=range(4)
)
def test_a_name_is_found_however_it_is_joined(text: str) -> None:
    """Spaces, hyphens and underscores in a name stand for each other."""
    assert NAME.search(text)


def test_a_longer_word_is_another_name() -> None:
    """A name inside another word is not the name."""
    assert NAME.search("xvelora sync") is None
    assert NAME.search("velora synchrony") is None
