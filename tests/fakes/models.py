"""Models whose streams are written down, pauses and failures and all."""

import asyncio

from widedeep.seams import ModelInfo


class Streaming:
    """Plays one (deltas, reply) for each time it is asked; a float among the deltas is a pause.

    What is an exception in the place of the reply is raised.
    """

    def __init__(self, *replies, name="streaming", **info):
        self.info = ModelInfo(name, **({"free": True} | info))
        self.asked = []
        self.requests = []
        self._replies = list(replies)

    async def reply(self, request, on):
        self.asked.append(asyncio.get_running_loop().time())
        self.requests.append(request)
        deltas, reply = self._replies.pop(0)
        for delta in deltas:
            if isinstance(delta, float):
                await asyncio.sleep(delta)
            else:
                on(delta)
        if isinstance(reply, BaseException):
            raise reply
        return reply
