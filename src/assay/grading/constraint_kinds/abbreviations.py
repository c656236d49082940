"""English abbreviations written with a full stop, and words that usually open a sentence."""

from __future__ import annotations

_NEVER_LAST = """
mr mrs ms mx dr prof rev hon st sr sra fr gen col capt cpt lt cmdr sgt maj gov sen rep pres messrs mme mlle
vs e.g i.e cf viz al approx ca fig figs eq nos vol vols pp ed eds op mt ft
"""
_SOMETIMES_LAST = """
etc inc ltd corp co jr bros dept est tel ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec
mon tue wed thu fri sat a.m p.m u.s u.k u.n u.s.a e.u d.c ph.d b.a m.a b.c a.d b.sc m.sc m.d min max
"""
_OPENERS = """
the a an this that these those it he she we they i you there here in on at as but and so if when while after
before however for to my our his her its their your what who where why how with by from now then
"""

NEVER_LAST = frozenset(_NEVER_LAST.split())
"""Abbreviations after which the sentence goes on, whatever follows."""

SOMETIMES_LAST = frozenset(_SOMETIMES_LAST.split())
"""Abbreviations that end a sentence when one of `OPENERS` follows with a capital."""

OPENERS = frozenset(_OPENERS.split())
"""Words that often open a sentence and are seldom capitalised within one."""
