"""Where sync functions run: in daemon threads, or in processes that can be ended."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from widedeep.errors import UsageError
from widedeep.tools.running import describe


async def in_thread(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """Call the function in a daemon thread, which never holds the process at its exit.

    When the caller is cancelled the thread goes on: nothing can end a thread.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(value)
        else:
            done.set_exception(error)

    def work() -> None:
        try:
            value, error = function(**inputs), None
        except BaseException as raised:  # border: a call
            value, error = None, _awaitable(raised)
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            return  # the loop has closed: nobody waits for this any more

    threading.Thread(target=work, daemon=True, name=f"tool {function.__name__}").start()
    return await done


async def in_process(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """Call the function in a process of its own, which is killed when the caller is cancelled."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    process = spawn.Process(
        target=_work, args=(theirs, address(function), dict(inputs)), daemon=True
    )
    abandoned = threading.Event()

    def start() -> None:
        process.start()
        theirs.close()
        if abandoned.is_set():
            process.kill()

    try:
        await in_thread(start, {})
        value, error = await in_thread(_receive, {"connection": ours})
    finally:
        abandoned.set()
        if process.pid is not None:
            process.kill()
    if error is not None:
        raise RuntimeError(error)
    return value


def address(function: Callable[..., Any]) -> tuple[str, str]:
    """Return module and name under which another process finds the function.

    Raises:
        UsageError: it does not stand at the top of a module.
    """
    if "." in function.__qualname__:
        raise UsageError(
            f"process=True takes a function at the top of a module, not {function.__qualname__!r}"
        )
    return function.__module__, function.__qualname__


def _receive(connection: Connection) -> tuple[Any, str | None]:
    with connection:
        try:
            return connection.recv()
        except EOFError:
            return None, "the worker process ended without a result"


def _work(connection: Connection, place: tuple[str, str], inputs: dict[str, Any]) -> None:
    try:
        found = getattr(import_module(place[0]), place[1])
        message = (getattr(found, "function", found)(**inputs), None)
    except BaseException as error:  # border: a worker process
        message = (None, describe(error))
    try:
        connection.send(message)
    except BaseException as error:  # border: a worker process; a result may refuse in any way
        connection.send((None, f"the result cannot leave the process: {describe(error)}"))


def _awaitable(error: BaseException) -> BaseException:
    """Return an exception that a future takes: it refuses StopIteration."""
    if isinstance(error, StopIteration):
        return RuntimeError(f"StopIteration: {error}")
    return error
