from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, List, Mapping

from ._call import CallOptions, KeyUsed, Steps, attempt_steps, keyed
from ._connection import Connection
from .generated.operations import SENDING_SEND

if TYPE_CHECKING:
    from .generated.types import FieldWarning, SentEmail


@dataclass(frozen=True)
class SendResult:
    #: One per recipient. ``contact`` is None once the contact is deleted, which only a repeated send can find.
    emails: "List[SentEmail]"
    timestamp: str
    #: True when the same request was accepted before, by this call or another one with its key, in whatever process. Nothing was sent now;
    #: ``emails`` and ``timestamp`` are those of the first request, with the present state of the emails.
    repeated: bool
    #: True when it was this call that had been accepted: the connection failed before its answer, and the retry found that out.
    answer_lost: bool
    #: Values that were used for this request and not stored on the contact.
    warnings: "List[FieldWarning]" = field(default_factory=list)


def send_steps(connection: Connection, input: Mapping[str, Any], options: CallOptions) -> Steps[SendResult]:
    try:
        sent = yield from attempt_steps(connection, SENDING_SEND, input, keyed(options))
    except KeyUsed as used:
        details = used.details()
        return SendResult(
            emails=details.get("emails") or [],
            timestamp=str(details.get("originalRequestAt")),
            repeated=True,
            answer_lost=used.was_unsure,
        )
    return SendResult(sent["emails"], sent["timestamp"], False, False, sent.get("warnings") or [])
