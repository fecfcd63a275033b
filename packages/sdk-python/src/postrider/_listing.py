from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Generic, Iterator, Mapping, Optional, TypeVar

from ._call import CallOptions, call_steps
from ._core import AsyncCore, Core
from ._operation import Operation

Page = TypeVar("Page")
Item = TypeVar("Item")


class Listing(Generic[Page, Item]):
    """A list: ``page()`` gives one page, a loop every item from there on, page after page. Nothing is requested before that."""

    def __init__(self, core: Core, operation: Operation, input: Mapping[str, Any], options: CallOptions) -> None:
        self._core = core
        self._operation = operation
        self._input = input
        self._options = options

    def page(self) -> Page:
        """One page, with what leads to the next."""
        page: Page = self._request(self._input)
        return page

    def pages(self) -> Iterator[Page]:
        """Page after page."""
        input: Optional[Mapping[str, Any]] = self._input
        while input is not None:
            page = self._request(input)
            yield page
            input = _following(input, page)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page)

    def _request(self, input: Mapping[str, Any]) -> Any:
        return self._core.run(call_steps(self._core.connection, self._operation, input, self._options))


class AsyncListing(Generic[Page, Item]):
    """A list: ``await page()`` gives one page, ``async for`` every item from there on, page after page."""

    def __init__(
        self, core: AsyncCore, operation: Operation, input: Mapping[str, Any], options: CallOptions
    ) -> None:
        self._core = core
        self._operation = operation
        self._input = input
        self._options = options

    async def page(self) -> Page:
        """One page, with what leads to the next."""
        page: Page = await self._request(self._input)
        return page

    async def pages(self) -> AsyncIterator[Page]:
        """Page after page."""
        input: Optional[Mapping[str, Any]] = self._input
        while input is not None:
            page = await self._request(input)
            yield page
            input = _following(input, page)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in _items(page):
                yield item

    async def _request(self, input: Mapping[str, Any]) -> Any:
        return await self._core.run(call_steps(self._core.connection, self._operation, input, self._options))


def _items(page: Any) -> Any:
    return page["data"]


def _following(input: Mapping[str, Any], page: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The input of the next page, or None after the last."""
    if page.get("cursor") is not None:
        return {**input, "cursor": page["cursor"]}
    number, total = page.get("page"), page.get("totalPages")
    if isinstance(number, int) and isinstance(total, int) and number < total:
        return {**input, "page": number + 1}
    return None
