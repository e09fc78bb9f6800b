"""What widedeep knows of being a good guest on the network."""

from widedeep.net.lanes import Lanes, lanes
from widedeep.net.waits import asked_to_wait, retry_after

__all__ = ["Lanes", "asked_to_wait", "lanes", "retry_after"]
