"""What of a run's limits is used, and whether another turn or call still fits."""

from __future__ import annotations

from collections.abc import Mapping

from widedeep.errors import UsageError
from widedeep.messages import Budget, StoppedBy


class Spend:
    """What a run has used of its budget; turns and calls are exact."""

    __slots__ = ("budget", "calls", "turns")

    def __init__(self, budget: Budget) -> None:
        self.budget = check(budget)
        self.turns = 0
        self.calls = 0

    def used(self) -> Mapping[str, float]:
        """Return the share used of each limited budget, 0 to 1."""
        limits = {"turns": self.budget.turns, "calls": self.budget.calls}
        spent = {"turns": self.turns, "calls": self.calls}
        return {name: spent[name] / limit for name, limit in limits.items() if limit is not None}

    def exhausted(self) -> StoppedBy | None:
        """Return the limit that leaves no room for another turn with a call, if one does."""
        if self.budget.turns is not None and self.turns >= self.budget.turns:
            return "max_turns"
        return "max_calls" if self.calls_left() == 0 else None

    def calls_left(self) -> int | None:
        """Return how many calls may still start; None = any number."""
        return None if self.budget.calls is None else max(0, self.budget.calls - self.calls)

    def take_call(self) -> bool:
        """Reserve one call, if one is left."""
        if self.calls_left() == 0:
            return False
        self.calls += 1
        return True

    def give_call(self) -> None:
        """Return a reserved call that never began."""
        self.calls -= 1

    def early(self, cap: int | None) -> bool:
        """Say whether calls may start early: two more turns must fit after them."""
        left = self.calls_left()
        return left is None or left >= 2 * (cap or left)


def check(budget: Budget) -> Budget:
    """Return the budget, or say which limit cannot be.

    Raises:
        UsageError: a limit below 1.
    """
    for name in ("turns", "calls"):
        limit = getattr(budget, name)
        if limit is not None and (type(limit) is not int or limit < 1):
            raise UsageError(f"the limit of {name} is {limit!r}: pass a whole number from 1 up")
    return budget
