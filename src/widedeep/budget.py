"""What of a run's limits is used, and does another turn or call still fit?

Turns and calls are exact. Tokens and USD are reserved at a bound before anything is bought and
settled by what it really took, so that no limit is ever passed, also where runs share one: a
run's answer is reserved from the moment its turn opens. Seconds are deadlines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, isfinite

from widedeep.costs import FREE, Budget, Cost, plus
from widedeep.errors import UsageError
from widedeep.messages import StoppedBy

ANSWERING = 0.25
"""The share of a limit of seconds that is kept for the answering request."""

LONGEST_ANSWERING = 60.0
"""Seconds that are kept for the answering request at most."""

ROUNDING = 1e-9
"""What sums of the same amounts in another order may differ by, in USD."""

_NAMES: tuple[tuple[str, StoppedBy], ...] = (("tokens", "max_tokens"), ("usd", "max_usd"))


class Spend:
    """What has been used of a budget; `outer` is the budget that this one is part of.

    Args:
        budget: the limits.
        name: whose limits they are, as messages say it.
        outer: limits that hold as well, shared with others.
        clock: what a limit of seconds goes by where others share it; they end when it is reached.

    Raises:
        UsageError: a limit that cannot be.
    """

    __slots__ = (
        "budget",
        "calls",
        "clock",
        "coming",
        "each",
        "kept",
        "met",
        "name",
        "outer",
        "reserved",
        "room",
        "spent",
        "turns",
    )

    def __init__(
        self,
        budget: Budget,
        name: str = "run",
        outer: Spend | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.budget = check(budget)
        self.name = name
        self.outer = shared(outer)
        self.clock = clock
        self.turns = 0
        self.calls = 0
        self.spent = FREE
        self.reserved = FREE
        self.coming = self.kept = self.each = FREE
        self.room: int | None = None
        self.met: StoppedBy | None = None

    @property
    def priced(self) -> bool:
        """Whether tokens or USD are limited, so that bounds must be known."""
        outer = self.outer is not None and self.outer.priced
        return outer or self.budget.tokens is not None or self.budget.usd is not None

    def used(self, seconds: float = 0.0) -> Mapping[str, float]:
        """Return the share used of each limited budget, 0 to 1, after `seconds` of the run."""
        limits = self.budget
        spent = {
            "turns": (self.turns, limits.turns),
            "calls": (self.calls, limits.calls),
            "tokens": (self.spent.tokens, limits.tokens),
            "usd": (self.spent.usd or 0.0, limits.usd),
            "seconds": (seconds, limits.seconds),
        }
        return {name: min(1.0, have / most) for name, (have, most) in spent.items() if most}

    def exhausted(self, seconds: float = 0.0) -> tuple[StoppedBy, str] | None:
        """Return the exact limit that leaves no room for another turn, and whose it is."""
        limits = self.budget
        if limits.turns is not None and self.turns >= limits.turns:
            return "max_turns", self.name
        if limits.calls is not None and self.calls >= limits.calls:
            return "max_calls", self.name
        if limits.seconds is not None and self._is_late(limits.seconds, seconds):
            return "max_seconds", self.name
        return None if self.outer is None else self.outer.exhausted()

    def _is_late(self, limit: float, seconds: float) -> bool:
        return seconds >= search_seconds(limit) if self.clock is None else self.clock() >= limit

    def count_turn(self) -> None:
        """Count a turn, here and in what this is part of."""
        self.turns += 1
        if self.outer is not None:
            self.outer.count_turn()

    def calls_left(self) -> int | None:
        """Return how many calls may still start; None = any number."""
        lefts = [
            None if self.budget.calls is None else max(0, self.budget.calls - self.calls),
            None if self.outer is None else self.outer.calls_left(),
            self.room,
        ]
        known = [left for left in lefts if left is not None]
        return min(known) if known else None

    def fitting(self, fixed: Cost, each: Cost) -> tuple[float, StoppedBy, str]:
        """Return how many times `each` fits beside `fixed`, and which limit says so."""
        found: tuple[float, StoppedBy, str] = (inf, "max_usd", self.name)
        for field, reason in _NAMES:
            limit = getattr(self.budget, field)
            if limit is None:
                continue
            left = limit - _amount(self.spent, field) - _amount(self.reserved, field)
            left -= _amount(fixed, field)
            left = 0.0 if abs(left) < ROUNDING else left
            one = _amount(each, field)
            times = -1.0 if left < 0 else (left // one if one > 0 else inf)
            if times < found[0]:
                found = (times, reason, self.name)
        if self.outer is not None:
            found = min(found, self.outer.fitting(fixed, each), key=lambda one: one[0])
        return found

    def keep(self, answer: Cost, each: Cost = FREE, request: Cost = FREE) -> None:
        """Reserve what must be left for the answer, in the place of what was.

        Args:
            answer: what the answering request takes at most.
            each: by how much more, for each call that is taken from now on.
            request: what a request before it takes at most; `take_request` releases it.
        """
        self.settle(self.kept, FREE)
        self.settle(self.coming, FREE)
        self.kept, self.each, self.coming = answer, each, request
        self.reserve(answer)
        self.reserve(request)

    def take_request(self, bound: Cost) -> bool:
        """Reserve a request at its bound, if it fits beside what is kept for the answers."""
        self.settle(self.coming, FREE)
        self.coming = FREE
        if not self.holds(bound):
            return False
        self.reserve(bound)
        return True

    def take_call(self, bound: Cost = FREE) -> bool:
        """Reserve one call at its bound, if one is left and fits beside what is kept."""
        if self.calls_left() == 0 or not self.holds(plus(bound, self.each)):
            return False
        self.reserve(bound)
        self.kept = plus(self.kept, self.each)
        self.reserve(self.each)
        self._count(1)
        return True

    def holds(self, cost: Cost) -> bool:
        """Say whether a cost still fits, here and in what this is part of; mark what it does not.

        `met` of the limits that are short says so.
        """
        times, reason, whose = self.fitting(cost, FREE)
        short: Spend | None = self
        while times < 0 and short is not None:
            short.met = reason if short.name == whose else short.met
            short = short.outer
        return times >= 0

    def give_call(self, bound: Cost = FREE) -> None:
        """Return a reserved call that never began."""
        self._count(-1)
        self.settle(bound, FREE)

    def begun(self, bound: Cost) -> None:
        """Count a call that an earlier session of the run had begun."""
        self.reserve(bound)
        self._count(1)

    def reserve(self, bound: Cost) -> None:
        """Set a cost aside, here and in what this is part of."""
        if bound is FREE:
            return
        self.reserved = plus(self.reserved, bound)
        if self.outer is not None:
            self.outer.reserve(bound)

    def settle(self, bound: Cost, cost: Cost) -> None:
        """Put what was really spent in the place of what was set aside."""
        if bound is FREE and cost is FREE:
            return
        self.reserved = plus(self.reserved, bound, -1)
        self.spent = plus(self.spent, cost)
        if self.outer is not None:
            self.outer.settle(bound, cost)

    def early(self, cap: int | None) -> bool:
        """Say whether calls may start early: two more turns must fit after them."""
        left = self.calls_left()
        return left is None or left >= 2 * (cap or left)

    def _count(self, calls: int) -> None:
        self.calls += calls
        if self.room is not None:
            self.room -= calls
        if self.outer is not None:
            self.outer.count_calls(calls)

    def count_calls(self, calls: int) -> None:
        """Count calls of a part of this."""
        self._count(calls)


def shared(spend: Spend | None) -> Spend | None:
    """Return limits that runs share, or say why they would never end a run.

    Raises:
        UsageError: a limit of seconds and no clock to tell when it is reached.
    """
    if spend is not None and spend.budget.seconds is not None and spend.clock is None:
        raise UsageError(
            f"the shared limit of {spend.budget.seconds!r} seconds has no clock: pass "
            "Spend(..., clock=...), a function that returns the seconds since it began"
        )
    return spend


def search_seconds(limit: float) -> float:
    """Return how many seconds of a limit the search may take; the rest is for the answer."""
    return limit - min(limit * ANSWERING, LONGEST_ANSWERING)


def _amount(cost: Cost, field: str) -> float:
    """Return tokens or USD of a cost; unknown USD fit in no limit."""
    amount = getattr(cost, field)
    return inf if amount is None else amount


def check(budget: Budget) -> Budget:
    """Return the budget, or say which limit cannot be.

    Raises:
        UsageError: a limit that is not over 0.
    """
    for name in ("turns", "calls", "tokens"):
        limit = getattr(budget, name)
        if limit is not None and (type(limit) is not int or limit < 1):
            raise UsageError(f"the limit of {name} is {limit!r}: pass a whole number from 1 up")
    for name in ("usd", "seconds"):
        limit = getattr(budget, name)
        right = isinstance(limit, (int, float)) and not isinstance(limit, bool)
        if limit is not None and not (right and isfinite(limit) and limit > 0):
            raise UsageError(f"the limit of {name} is {limit!r}: pass a number over 0")
    return budget
