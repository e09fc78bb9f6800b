"""What remains of a question without courtesy, instructions and odd characters?"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MOST_CHARACTERS = 1500

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'"})
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ud800-\udfff]")

_PREFIX = re.compile(
    r"^(?:(?:hi|hello|hey|greetings|ok|okay|so|well|dear \w+|good (?:morning|day|evening)|thanks"
    r"|quick question|question|q|please|kindly|also|and)\b(?: there| everyone| all)?\s*[,:!.-]*\s*"
    r"|(?:could|can|would|will|might) (?:you|someone|anyone)(?: please| kindly| possibly| maybe)?"
    r" (?:tell|give|show|help|find|let|explain|provide|look up|check|say|inform|list|name|state)"
    r"(?: me| us)?(?: out| about| to (?:find|know|understand)| with| know| on)?\s*(?:of )?"
    r"|(?:make|give|create|draw|show|build|prepare|produce|write|put together)(?: me| us)? "
    r"(?:a |an |the )?(?:\w+ )?(?:table|comparison|chart|list|overview|matrix|summary)"
    r"(?: (?:of|with|showing|for|listing|comparing))? (?:the )?"
    r"|(?:name|list|state|identify|find|determine|report|provide) (?=the |a |all |each |every )"
    r"|(?:please |kindly |just )?(?:tell|give|inform|show) (?:me|us)(?: please)?(?: about| of)?"
    r"[\s,:]+"
    r"|i(?:'d| would|'ll| will) (?:really |just |also )?(?:like|love|need|want) (?:you )?to"
    r" (?:know|find out|learn|ask|hear|see|understand|tell me)(?: about| more about)?\s*"
    r"|i(?:'m| am) (?:just |really )?(?:curious|wondering|interested|trying)"
    r"(?: to (?:know|learn|find out|understand|find)| about| in)?\s*[,:-]?\s*"
    r"|i (?:was|have been) wondering(?: about| if you know| if you could tell me)?\s*[,:-]?\s*"
    r"|i (?:just |also |really )?(?:want|need|wish) to (?:know|find out|learn|ask)(?: about)?\s*"
    r"|(?:do|would) you (?:happen to )?(?:know|tell me)\s*[,:]?\s*"
    r"|(?:any idea|can i ask|may i ask|let me ask|let me know|i wonder|we need|find out|look up"
    r"|help me (?:find|understand|with)|if possible|if you can|for (?:my|a|our|the)"
    r" (?:report|essay|project|homework|school|presentation|quiz|class)(?: project)?)"
    r"\b\s*[,:-]?\s*)",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"^(?:please |kindly |just |then |and )*(?:answer|respond|reply|be (?:brief|concise|short"
    r"|precise|specific|careful|accurate|sure)|keep|cite|think|use (?:only|the|your|a)"
    r"|give (?:only|just|a"
    r"|an|your|the) (?:\w+ )?(?:answer|number|value|source|reference|citation|response|explanation)"
    r"|do not|don't|no need|only (?:give|the|answer|reply|return)|return|include (?:the )?(?:source"
    r"|citation|reference)|show your|explain your|provide (?:a |an |the |your )?(?:short |brief "
    r"|concise |detailed )?(?:answer|source|citation|reference|response)|thanks|thank you|cheers"
    r"|a short answer|a brief answer|one (?:word|sentence|line)|in (?:one|a) (?:word|sentence|line)"
    r"|make sure|take your time|i need (?:this|it)|it's for|this is for|short answer|briefly"
    r"|no explanation|sources?\b|format)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[,;]?\s*\b(?:please|thanks|thank you|pls|if you (?:know|can|could|don't mind)|if possible"
    r"|according to (?:the |your |this )?(?:\w+ ){0,3}(?:corpus|sources?|documents?|data|evidence"
    r"|factbook|text|files?|encyclopedia|records?)|in (?:one|a|a single|a few|\d+) "
    r"(?:words?|sentences?|lines?)|(?:and )?(?:answer|respond|reply) (?:briefly|shortly|concisely"
    r"|in .*|with .*)|(?:and |with )?(?:please )?(?:cite|citing|citations?|name|quote|give)"
    r" (?:your|the|all|each)? ?(?:sources?|citations?|evidence))\s*(?=[.?!]?\s*$)",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?:can|could|would|will) you (?:please )?help(?: me)?(?: out)?(?: with \w+)?\W*"
    r"|(?:i have )?a (?:quick )?question(?: for you)?\W*|help(?: me)?\W*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|in"
    r"|of|at|on|for|compare|list|name|give|tell|show|find|rank|order|sort|between|contrast|describe|explain"
    r"|identify|state|summari[sz]e)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:its|it|their|they|there|his|her|he|she|that|this|these|those|them)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[a-z0-9)\"]{2}\.)\s+(?=[A-Z\"])|\n+")


def clean(text: str) -> str:
    """Return the part of a user's words that asks, at most 1,500 characters of it."""
    return _clean(text[: 4 * MOST_CHARACTERS])


@lru_cache(maxsize=256)
def _clean(text: str) -> str:
    text = unicodedata.normalize("NFC", text).translate(_QUOTES)
    if text.isupper() and len(text.split()) > 1:
        text = text.lower()
    parts = [" ".join(_CONTROL.sub(" ", part).split()) for part in _SENTENCE.split(text)]
    parts = [part for part in parts if re.search(r"\w", part)]
    asked = [stripped for part in parts if (stripped := strip(part))]
    asked = [part for part in asked if not _INSTRUCTION.match(part)] or asked or parts
    asked = [part for part in asked if not _COURTESY.fullmatch(part)] or asked
    return _joined(asked)[:MOST_CHARACTERS]


def _joined(parts: list[str]) -> str:
    asking = [part for part in parts if _ASKS.search(part)]
    if not asking or any(_POINTS_BACK.search(part) for part in asking):
        return " ".join(parts)
    return " ".join(asking)


def strip(sentence: str) -> str:
    """Return a sentence without courtesy before it and instructions after it."""
    for _ in range(6):
        shorter = _TAIL.sub("", _PREFIX.sub("", sentence, count=1))
        if shorter == sentence:
            break
        sentence = shorter.strip().lstrip(",:;–— ")
    return sentence
