"""What does a policy of rules do where an LLM would decide?"""

from widedeep.models.builtin.policy import Builtin

__all__ = ["Builtin"]
