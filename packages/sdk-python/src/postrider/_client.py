from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Type, cast

import httpx

from ._batch import BatchResult, batch_steps
from ._call import CallOptions
from ._connection import Connection
from ._core import AsyncCore, Core
from ._send import SendResult, send_steps
from ._track import TrackResult, track_steps
from .generated.groups import AsyncGroups, Groups

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack
    from .generated.types import SendEmailInput, EventsTrackInput


class Postrider(Groups):
    """
    A client of one project. Every operation that a key may call is a method, by group and name as the API names it:
    ``client.contacts.list()``. It may be used by several threads.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 30,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """
        :param api_key: a secret key (``sk_…``), or a public one (``pk_…``), which may only track
        :param base_url: address of the API, such as ``https://mail.example.com``
        :param timeout: seconds to wait for an answer, for each attempt
        :param max_retries: how often a request is repeated at most, when that is safe
        :param max_retry_delay: longest wait before a retry, in seconds; an answer that asks for more is raised
        :param http_client: sends the requests; by default one of its own
        :raises PostriderError: when the key or the address is none
        """
        connection = Connection(api_key, base_url, timeout, max_retries, max_retry_delay)
        self._core = Core(connection, http_client or httpx.Client())
        super().__init__(self._core)

    def send(self, email: SendEmailInput, **options: Unpack[CallOptions]) -> SendResult:
        """
        Sends a transactional email, exactly once however often it is retried.

        :raises ConflictError: when the key belongs to another request; ApiError when the API refuses it; ApiConnectionError without an answer
        """
        return self._core.run(send_steps(self._core.connection, _plain(email), options))

    def send_batch(
        self, emails: Sequence[SendEmailInput], *, atomic: bool = False, **options: Unpack[CallOptions]
    ) -> BatchResult:
        """
        Sends different emails in few requests of at most 1,000, each once. A refused one does not end the others; with ``atomic`` (at most
        1,000) nothing is sent then, and the refusal is raised.

        :raises BatchError: when a request fails after earlier ones were accepted; else as ``send``
        """
        return self._core.run(batch_steps(self._core.connection, _plains(emails), atomic, options))

    def track(self, event: EventsTrackInput, **options: Unpack[CallOptions]) -> TrackResult:
        """Records an event of a contact, exactly once however often it is retried. Raises as ``send``."""
        return self._core.run(track_steps(self._core.connection, _plain(event), options))

    def close(self) -> None:
        """Closes its connections."""
        self._core.http.close()

    def __enter__(self) -> "Postrider":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncPostrider(AsyncGroups):
    """The same client for asyncio and trio: calls are awaited."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 30,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """Takes what ``Postrider`` takes."""
        connection = Connection(api_key, base_url, timeout, max_retries, max_retry_delay)
        self._core = AsyncCore(connection, http_client or httpx.AsyncClient())
        super().__init__(self._core)

    async def send(self, email: SendEmailInput, **options: Unpack[CallOptions]) -> SendResult:
        """Sends a transactional email, exactly once however often it is retried. Raises as that of ``Postrider``."""
        return await self._core.run(send_steps(self._core.connection, _plain(email), options))

    async def send_batch(
        self, emails: Sequence[SendEmailInput], *, atomic: bool = False, **options: Unpack[CallOptions]
    ) -> BatchResult:
        """Sends different emails in few requests of at most 1,000, each once. Raises as that of ``Postrider``."""
        return await self._core.run(batch_steps(self._core.connection, _plains(emails), atomic, options))

    async def track(self, event: EventsTrackInput, **options: Unpack[CallOptions]) -> TrackResult:
        """Records an event of a contact, exactly once however often it is retried. Raises as ``send``."""
        return await self._core.run(track_steps(self._core.connection, _plain(event), options))

    async def close(self) -> None:
        """Closes its connections."""
        await self._core.http.aclose()

    async def __aenter__(self) -> "AsyncPostrider":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()


def _plain(input: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", input)


def _plains(inputs: object) -> Sequence[Mapping[str, Any]]:
    return cast("Sequence[Mapping[str, Any]]", inputs)
