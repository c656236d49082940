"""One sample: prompt, answer, grades with their evidence, and every call."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import simulation_notice
from assay.report.site.style import site_page
from assay.results.run_pages import SamplePage


@dataclass(frozen=True, slots=True)
class SampleView:
    """A sample's page. With `preview` it frames the answer, a web page, without scripts or network."""

    sample: SamplePage
    preview: bool
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of a simulated model."""
        return sample_simulation(self.sample)


def sample_view_page(sample: SamplePage, site: SiteFrame) -> str:
    """Return the page of a sample."""
    return site_page("site_sample.html", SampleView(sample, is_web_page(sample.answer)), site)


def sample_simulation(sample: SamplePage) -> str | None:
    """Return the notice of a simulated model; None for a real one."""
    name = sample.sample.model
    return simulation_notice([name], [name]) if sample.simulated else None


def is_web_page(answer: str | None) -> bool:
    """Return whether an answer holds a web page, as answers of web-design cases do."""
    return answer is not None and "<html" in answer.lower() and "</html>" in answer.lower()


PREVIEW_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""The policy of a preview: no scripts, no network, no forms, and an origin of its own."""


def preview_page(answer: str) -> str:
    """Return the web page in an answer for a sandboxed frame; its policy forbids scripts and network."""
    begin = answer.lower().index("<html")
    end = answer.lower().rindex("</html>") + len("</html>")
    policy = PREVIEW_POLICY.removesuffix("; sandbox")
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"{answer[begin:end]}"
    )
