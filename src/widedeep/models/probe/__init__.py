"""What can a model at a server really do? It is asked, with a search that is canned."""

from widedeep.models.probe.cases import Case, Mode
from widedeep.models.probe.findings import FLAGS, Findings, Talk
from widedeep.models.probe.probing import WIDTHS, Probe, most_requests

__all__ = ["FLAGS", "WIDTHS", "Case", "Findings", "Mode", "Probe", "Talk", "most_requests"]
