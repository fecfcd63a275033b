from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

if TYPE_CHECKING:
    from ._batch import BatchResult


class PostriderError(Exception):
    """Everything that the package itself raises."""


class ApiConnectionError(PostriderError):
    """The request did not get an answer: no connection, or it was lost."""


class ApiTimeoutError(ApiConnectionError):
    """The answer did not arrive in time."""


class WebhookVerificationError(PostriderError):
    """The request is not one that Postrider sent to this address, or not a recent one: answer 400 and do nothing."""


class BatchError(PostriderError):
    """
    A part of a batch failed after earlier ones were accepted; ``__cause__`` says why. Repeat the whole call with ``idempotency_key`` to send the
    rest: what was accepted is not sent again.
    """

    def __init__(self, done: "BatchResult", idempotency_key: str, cause: PostriderError) -> None:
        super().__init__(f"After {len(done.results)} emails of the batch: {cause}")
        #: The results of the parts before.
        self.done = done
        self.idempotency_key = idempotency_key


class ApiError(PostriderError):
    """The API refused the request, or failed."""

    def __init__(
        self,
        *,
        code: str,
        message: str,
        status: int,
        request_id: Optional[str] = None,
        errors: Optional[List[Dict[str, Any]]] = None,
        details: Optional[Dict[str, Any]] = None,
        suggestion: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        #: One of the API's stable codes, or ``UNEXPECTED_RESPONSE`` for answers that are not the API's.
        self.code = code
        self.message = message
        #: The HTTP status.
        self.status = status
        #: Id of the request in the API's log, for questions about it.
        self.request_id = request_id
        #: One ``{field, message, code}`` per problem of a field; empty unless the status is 422.
        self.errors = errors or []
        #: Further context, by code.
        self.details = details or {}
        #: What to do about it.
        self.suggestion = suggestion


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, or of the wrong kind."""


class BillingLimitError(ApiError):
    """402: a billing limit is reached."""


class PermissionDeniedError(ApiError):
    """403: the key may not do this, the project is disabled, or the sender's domain is not verified."""


class NotFoundError(ApiError):
    """404: there is no such record."""


class ConflictError(ApiError):
    """409: a duplicate, a record in use, a wrong state, or an idempotency key of another request."""


class ValidationError(ApiError):
    """422: ``errors`` names the fields."""


class RateLimitError(ApiError):
    """429: too many requests; raised when the retries are used up."""


_classes: Dict[int, Type[ApiError]] = {
    401: AuthenticationError,
    402: BillingLimitError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}


def refusal_of(status: int, headers: Mapping[str, str], content: bytes) -> ApiError:
    """The error of a refused request: from the envelope, a flat ``{error}``, the errors of GraphQL, or none of them (a proxy answered)."""
    error = _read_error(content)
    given: Dict[str, Any] = error if isinstance(error, dict) else {}
    flat = error if isinstance(error, str) else None
    return _classes.get(status, ApiError)(
        code=_text(given.get("code")) or ("BAD_REQUEST" if flat is not None else "UNEXPECTED_RESPONSE"),
        message=_text(given.get("message")) or flat or f"The answer has status {status}",
        status=status,
        request_id=_text(given.get("requestId")) or headers.get("x-request-id"),
        errors=given["errors"] if isinstance(given.get("errors"), list) else None,
        details=given["details"] if isinstance(given.get("details"), dict) else None,
        suggestion=_text(given.get("suggestion")),
    )


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _read_error(content: bytes) -> object:
    try:
        answer = json.loads(content)
    # What is nested too deeply is no answer of the API either.
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict):
        return None
    if "error" in answer:
        return answer["error"]
    errors = answer.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    if not isinstance(first, dict):
        return None
    extensions = first.get("extensions")
    message = {"message": first["message"]} if first.get("message") else {}
    return {**(extensions if isinstance(extensions, dict) else {}), **message}
