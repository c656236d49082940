"""The language of an answer, by langdetect's first guess with a fixed seed."""

from __future__ import annotations

from functools import cache

from langdetect import LangDetectException
from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

from assay.grading.constraint_kinds.kind import Demands, Finding, Kind, Parameters, text

_CODES = """
af ar bg bn ca cs cy da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk ml mr ne nl no pa pl
pt ro ru sk sl so sq sv sw ta te th tl tr uk ur vi zh-cn zh-tw
"""
CODES = tuple(_CODES.split())
"""The languages that langdetect knows."""


@cache
def _detectors() -> DetectorFactory:
    """Return langdetect's profiles in a factory with a seed; the library's shared one has none."""
    factory = DetectorFactory()
    factory.load_profile(PROFILES_DIRECTORY)
    factory.set_seed(0)
    return factory


def detect(answer: str) -> str | None:
    """Return the code of the language, the same for the same text; None when there is nothing to go by."""
    detector = _detectors().create()
    detector.append(answer)
    try:
        found: str = detector.detect()
    except LangDetectException:
        return None
    return found if found != "unknown" else None


def _response_language(answer: str, parameters: Parameters) -> Finding:
    wanted = parameters["language"]
    found = detect(answer)
    return Finding(found == wanted, found, f"language {wanted}")


KINDS = (
    Kind(
        "language:response_language",
        (text("language", choices=CODES),),
        _response_language,
        lambda given: Demands(language=given["language"]),
    ),
)
