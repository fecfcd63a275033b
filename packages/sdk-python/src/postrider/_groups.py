from __future__ import annotations

from typing import Any, Mapping, Optional

from ._call import CallOptions, call_steps
from ._core import AsyncCore, Core
from ._listing import AsyncListing, Listing
from ._operation import Operation


class Group:
    """Operations of one kind."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def _call(self, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions) -> Any:
        return self._core.run(call_steps(self._core.connection, operation, input, options))

    def _list(self, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions) -> Any:
        return Listing[Any, Any](self._core, operation, input or {}, options)


class AsyncGroup:
    """The same for the asynchronous client."""

    def __init__(self, core: AsyncCore) -> None:
        self._core = core

    async def _call(self, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions) -> Any:
        return await self._core.run(call_steps(self._core.connection, operation, input, options))

    def _list(self, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions) -> Any:
        return AsyncListing[Any, Any](self._core, operation, input or {}, options)
