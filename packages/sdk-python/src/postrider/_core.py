from __future__ import annotations

import time
from typing import List

import anyio
import httpx

from ._call import Answer, Result, Send, Step, Steps, Wait
from ._connection import Connection
from ._errors import ApiConnectionError, ApiTimeoutError


class Core:
    """Carries out the steps of calls, one after another."""

    def __init__(self, connection: Connection, http: httpx.Client) -> None:
        self.connection = connection
        self.http = http

    def run(self, steps: Steps[Result]) -> Result:
        try:
            step = next(steps)
            while True:
                try:
                    answer = self._perform(step)
                except ApiConnectionError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: Result = end.value
            return result

    def _perform(self, step: Step) -> "Answer | None":
        if isinstance(step, Wait):
            time.sleep(step.seconds)
            return None
        deadline = time.monotonic() + step.timeout
        request = _request(self.http, step)
        try:
            response = self.http.send(request, stream=True)
            try:
                # The time is that of the whole answer: what is left of it is the limit of each part.
                request.extensions["timeout"]["read"] = max(0.001, deadline - time.monotonic())
                content: List[bytes] = []
                for part in response.iter_bytes():
                    content.append(part)
                    if time.monotonic() > deadline:
                        raise _late(step)
            finally:
                response.close()
        except httpx.TimeoutException as reason:
            raise _late(step) from reason
        except (httpx.TransportError, httpx.DecodingError) as reason:
            raise _lost(reason) from reason
        return Answer(response.status_code, response.headers, b"".join(content))


class AsyncCore:
    """The same for asyncio and trio."""

    def __init__(self, connection: Connection, http: httpx.AsyncClient) -> None:
        self.connection = connection
        self.http = http

    async def run(self, steps: Steps[Result]) -> Result:
        try:
            step = next(steps)
            while True:
                try:
                    answer = await self._perform(step)
                except ApiConnectionError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: Result = end.value
            return result

    async def _perform(self, step: Step) -> "Answer | None":
        if isinstance(step, Wait):
            await anyio.sleep(step.seconds)
            return None
        try:
            with anyio.fail_after(step.timeout):
                response = await self.http.send(_request(self.http, step), stream=True)
                try:
                    content = await response.aread()
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.TimeoutException) as reason:
            raise _late(step) from reason
        except (httpx.TransportError, httpx.DecodingError) as reason:
            raise _lost(reason) from reason
        return Answer(response.status_code, response.headers, content)


def _request(http: "httpx.Client | httpx.AsyncClient", step: Send) -> httpx.Request:
    request = step.request
    return http.build_request(
        request.method, request.url, headers=request.headers, content=request.content, timeout=step.timeout
    )


def _late(step: Send) -> ApiTimeoutError:
    return ApiTimeoutError(f"No answer within {step.timeout} seconds")


def _lost(reason: Exception) -> ApiConnectionError:
    return ApiConnectionError(f"The request got no answer ({reason or type(reason).__name__})")
