"""
A call as a series of steps, without input and output: the synchronous and the asynchronous client carry out the same ones, so that
retries, keys and errors are written once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Dict, Generator, Mapping, Optional, TypedDict, TypeVar, Union
from uuid import uuid4

from ._connection import Connection
from ._errors import ApiConnectionError, ApiError, PostriderError, refusal_of
from ._operation import Operation
from ._request import Request, request_of
from ._retry import is_retriable, retry_delay


class CallOptions(TypedDict, total=False):
    """Options of every call. Times are in seconds."""

    idempotency_key: str
    """Makes the request safe to repeat: 1 to 255 printable ASCII characters. Accepted by sends and by ``track``."""
    timeout: float
    """How long to wait for an answer, for each attempt. Default: that of the client."""
    max_retries: int
    """How often the request is repeated at most. Default: that of the client."""
    dry_run: bool
    """Whether the call is carried out and then undone: the same checks and the same answer, and nothing happens. It uses no key up."""


@dataclass(frozen=True)
class Send:
    """Send the request and read the whole answer, within this time."""

    request: Request
    timeout: float


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


Step = Union[Send, Wait]
Result = TypeVar("Result")
#: What a step is answered with is sent in: an answer to ``Send``, or ApiConnectionError is thrown in.
Steps = Generator[Step, Optional[Answer], Result]


class KeyUsed(Exception):
    """The idempotency key of a request was used before; ``digest`` is that of this request's body."""

    def __init__(self, error: ApiError, digest: str, was_unsure: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.digest = digest
        #: Whether an attempt of this call may have been the first use.
        self.was_unsure = was_unsure

    def details(self) -> Dict[str, Any]:
        """
        What the first request made, if it was the same one: its bytes are those of this call. Before the API had digests, a lost answer was the
        only sign of it.

        :raises ConflictError: when the key belongs to another request
        """
        original = self.error.details.get("originalDigest")
        is_same = original == self.digest if isinstance(original, str) else self.was_unsure
        if not is_same:
            raise self.error
        return self.error.details


def digest_of(content: bytes) -> str:
    """RFC 9530, as the API has it."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def keyed(options: CallOptions) -> CallOptions:
    """The options with an idempotency key; a dry run uses none up."""
    if "idempotency_key" in options or options.get("dry_run"):
        return options
    made: CallOptions = {**options, "idempotency_key": str(uuid4())}
    return made


def call_steps(
    connection: Connection, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions
) -> Steps[Any]:
    """
    Calls an operation and reads its answer.

    :raises ApiError: when the API refuses it; ApiConnectionError or ApiTimeoutError without an answer
    """
    try:
        return (yield from attempt_steps(connection, operation, input, options))
    except KeyUsed as used:
        raise used.error from None


def attempt_steps(
    connection: Connection, operation: Operation, input: Optional[Mapping[str, Any]], options: CallOptions
) -> Steps[Any]:
    """The same for a call that can make a result of a key that was used before, by KeyUsed."""
    request = request_of(connection, operation, input or {})
    dry_run = options.get("dry_run", False)
    key = None if dry_run else options.get("idempotency_key")
    if key is not None:
        request.headers["idempotency-key"] = _header("idempotency_key", key)
    if dry_run:
        request.headers["dry-run"] = "true"
    repeatable = operation.method == "GET" or key is not None or dry_run
    timeout = options.get("timeout", connection.timeout)
    max_retries = options.get("max_retries", connection.max_retries)
    # True once an attempt may have been accepted without its answer arriving.
    unsure = False
    attempt = 0
    while True:
        headers: Optional[Mapping[str, str]] = None
        error: PostriderError
        try:
            answer = yield Send(request, timeout)
            assert answer is not None
            if 200 <= answer.status < 300:
                if dry_run and operation.method != "GET" and answer.headers.get("dry-run") != "true":
                    raise PostriderError("This server has no dry runs: it has carried the request out")
                return _read(operation, answer)
            headers = answer.headers
            error = refusal = refusal_of(answer.status, headers, answer.content)
            if refusal.code == "IDEMPOTENCY_KEY_REUSED" and request.content is not None and request.is_json:
                raise KeyUsed(refusal, digest_of(request.content), unsure)
            again = is_retriable(answer.status, repeatable)
            unsure_now = answer.status != 429
        except ApiConnectionError as reason:
            error = reason
            again = repeatable
            unsure_now = True
        delay = retry_delay(attempt, headers)
        if not again or attempt >= max_retries or delay > connection.max_retry_delay:
            raise error
        unsure = unsure or unsure_now
        yield Wait(delay)
        attempt += 1


def _header(name: str, value: str) -> str:
    if not value.isascii() or not value.isprintable() or not 1 <= len(value) <= 255:
        raise PostriderError(f"{name} must be 1 to 255 printable ASCII characters")
    return value


def _read(operation: Operation, answer: Answer) -> Any:
    if operation.raw:
        return answer.content
    if answer.status == 204:
        return None
    try:
        body = json.loads(answer.content)
    except (ValueError, RecursionError) as reason:
        raise ApiConnectionError("The answer is no JSON, or was cut") from reason
    if not operation.envelope:
        return body
    if not isinstance(body, dict) or "data" not in body:
        raise ApiConnectionError("The answer is not one of the API")
    return body["data"]
