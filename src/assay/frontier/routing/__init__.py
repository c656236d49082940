"""Practical routers, learnt on some prompts and valued on others, against the frontier."""

from assay.frontier.routing.alike import alike
from assay.frontier.routing.choosing import Choice
from assay.frontier.routing.features import Features
from assay.frontier.routing.folds import Split, split
from assay.frontier.routing.regret import regret
from assay.frontier.routing.result import Routed, Routing
from assay.frontier.routing.router import Router, Trained, train
from assay.frontier.routing.simple import BestSingle, ByCategory

__all__ = [
    "BestSingle",
    "ByCategory",
    "Choice",
    "Features",
    "Routed",
    "Router",
    "Routing",
    "Split",
    "Trained",
    "alike",
    "regret",
    "split",
    "train",
]
