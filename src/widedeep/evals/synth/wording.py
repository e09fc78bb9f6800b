"""How are subjects put into the words of a question?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from widedeep.evals.synth.types import Fact

_WITH_ARTICLE = re.compile(r"^(?:(?:Gulf|Bay|Strait) of .*|.*\b(?:Sea|Ocean|[Rr]iver|Nile))$")


def ask(template: str, subject: str) -> str:
    """Return a template about one subject as a sentence."""
    if _is_many(subject):
        template = template.replace("does {s}", "do {s}")
    return sentence(template.replace("{s's}", possessive(subject)).replace("{s}", subject))


def described(templates: Sequence[str]) -> list[str]:
    """Return the templates that read well when the subject is a description."""
    plain = [template for template in templates if "{s's}" not in template]
    # A year behind a description would seem to belong to it.
    return [template for template in plain if template.startswith("In ")] or plain


def pair(template: str, one: str, other: str) -> str:
    """Return a template about two subjects as a sentence."""
    return sentence(template.replace("{a}", one).replace("{b}", other))


def several(template: str, subjects: Sequence[str]) -> str:
    """Return a template about a list of subjects as a sentence."""
    listed = f"{'; '.join(subjects[:-1])}; {subjects[-1]}"
    if not any("," in each or " and " in each for each in subjects):
        listed = f"{', '.join(subjects[:-1])} and {subjects[-1]}"
    return sentence(template.replace("{list}", listed))


def bridge(fact: Fact) -> str:
    """Return the value of a fact as described by its subject: "the director of the film X"."""
    return (fact.relation.bridge or "").replace("{s}", fact.subject)


def inverse(fact: Fact, noun: str) -> str:
    """Return the subject of a fact as described by its value: "the country whose capital is X"."""
    value = fact.value.text
    named = f"the {value}" if _WITH_ARTICLE.match(value) else value
    clause = (fact.relation.inverse or "").replace("{v}", named)
    return f"the {noun} {clause}"


def possessive(name: str) -> str:
    """Return the genitive of a name."""
    return f"{name}'" if _is_many(name) else f"{name}'s"


def _is_many(name: str) -> bool:
    """Tell whether a name is a plural: "the Solomon Islands"."""
    return name.startswith("the ") and name.endswith("s") and len(name.split()) <= 5


def sentence(text: str) -> str:
    """Return the text with a capital letter at its start."""
    text = re.sub(r"\s+", " ", text).strip()
    return text[:1].upper() + text[1:]
