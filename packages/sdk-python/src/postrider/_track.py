from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

from ._call import CallOptions, KeyUsed, Steps, attempt_steps, keyed
from ._connection import Connection
from .generated.operations import EVENTS_RECORD, EVENTS_TRACK


@dataclass(frozen=True)
class TrackResult:
    #: Id of the contact, and of the event; None where what the first request made is not known, or the contact is deleted.
    contact: Optional[str]
    event: Optional[str]
    timestamp: str
    #: True when the same request was accepted before, by this call or another one with its key. Nothing was recorded now.
    repeated: bool
    #: True when it was this call that had been accepted, and the answer was lost.
    answer_lost: bool


def track_steps(connection: Connection, input: Mapping[str, Any], options: CallOptions) -> Steps[TrackResult]:
    """A public key uses ``POST /v1/track``, a secret key ``POST /events/track``; both take the same input."""
    operation = EVENTS_TRACK if connection.is_public else EVENTS_RECORD
    try:
        made = yield from attempt_steps(connection, operation, input, keyed(options))
    except KeyUsed as used:
        details = used.details()
        return TrackResult(
            contact=details.get("contact"),
            event=details.get("event"),
            timestamp=str(details.get("originalRequestAt")),
            repeated=True,
            answer_lost=used.was_unsure,
        )
    if connection.is_public:
        return TrackResult(made["contact"], made["event"], made["timestamp"], repeated=False, answer_lost=False)
    return TrackResult(made["contactId"], made["id"], made["createdAt"], repeated=False, answer_lost=False)
