from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, TypedDict, Union

from ._call import CallOptions, KeyUsed, Steps, attempt_steps, keyed
from ._connection import Connection
from ._errors import BatchError, PostriderError
from ._operation import Operation

if TYPE_CHECKING:
    from typing import Literal

    from .generated.types import SentEmail

    class AcceptedItem(TypedDict):
        index: int
        status: Literal["ACCEPTED"]
        emails: List[SentEmail]

    class RefusedItem(TypedDict):
        index: int
        status: Literal["REFUSED"]
        #: ``{code, message, statusCode, errors?, details?, suggestion}``: what a single send would be refused with.
        error: Dict[str, Any]

    BatchItem = Union[AcceptedItem, RefusedItem]

SEND_BATCH = Operation("POST", "/v1/send/batch", envelope=True)

#: Emails of one request, one per recipient.
LIMIT = 1_000


@dataclass(frozen=True)
class BatchResult:
    #: One per given email, in their order; ``index`` is its place.
    results: "List[BatchItem]"
    accepted: int
    refused: int
    #: That of the last request.
    timestamp: str
    #: True when all of it was accepted before, with the same key. Nothing was sent now.
    repeated: bool
    #: True when it was this call that had been accepted, and an answer was lost.
    answer_lost: bool


def batch_steps(
    connection: Connection, emails: Sequence[Mapping[str, Any]], atomic: bool, options: CallOptions
) -> Steps[BatchResult]:
    parts = parts_of(emails)
    if atomic and len(parts) > 1:
        raise PostriderError(f"an atomic batch must have at most {LIMIT} emails, one per recipient")
    options = keyed(options)
    key = None if options.get("dry_run") else options.get("idempotency_key")
    done = BatchResult([], 0, 0, "", repeated=True, answer_lost=False)
    for number, part in enumerate(parts):
        of_part: CallOptions = options
        if key is not None and number > 0:
            of_part = {**options, "idempotency_key": f"{key}/{number}"}
        try:
            answer = yield from _part_steps(connection, part, atomic, of_part)
        except PostriderError as cause:
            if number == 0 or key is None:
                raise
            raise BatchError(done, key, cause) from cause
        done = _joined(done, answer)
    return done


def _part_steps(
    connection: Connection, part: Sequence[Mapping[str, Any]], atomic: bool, options: CallOptions
) -> Steps[BatchResult]:
    input: Dict[str, Any] = {"emails": part, **({"atomic": True} if atomic else {})}
    try:
        sent = yield from attempt_steps(connection, SEND_BATCH, input, options)
    except KeyUsed as used:
        details = used.details()
        results = details.get("results") or []
        accepted = sum(1 for each in results if each.get("status") == "ACCEPTED")
        at = str(details.get("originalRequestAt"))
        return BatchResult(results, accepted, len(results) - accepted, at, True, used.was_unsure)
    return BatchResult(sent["results"], sent["accepted"], sent["refused"], sent["timestamp"], False, False)


def _joined(done: BatchResult, part: BatchResult) -> BatchResult:
    before = len(done.results)
    results: List[Any] = [{**each, "index": each["index"] + before} for each in part.results]
    return BatchResult(
        done.results + results,
        done.accepted + part.accepted,
        done.refused + part.refused,
        part.timestamp,
        done.repeated and part.repeated,
        done.answer_lost or part.answer_lost,
    )


def parts_of(emails: Sequence[Mapping[str, Any]]) -> List[List[Mapping[str, Any]]]:
    """In their order, as many as one request takes. One that has too many recipients by itself is refused by the API."""
    parts: List[List[Mapping[str, Any]]] = [[]]
    size = 0
    for email in emails:
        more = _size(email)
        if parts[-1] and size + more > LIMIT:
            parts.append([])
            size = 0
        parts[-1].append(email)
        size += more
    return parts


def _size(email: Mapping[str, Any]) -> int:
    given = (email.get(name) for name in ("to", "cc", "bcc"))
    return max(1, sum(len(each) if isinstance(each, (list, tuple)) else 1 for each in given if each is not None))
