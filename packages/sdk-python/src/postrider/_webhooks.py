from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from ._errors import PostriderError, WebhookVerificationError

if TYPE_CHECKING:
    from .generated.types import WebhookEvent

Headers = Mapping[str, Any]


@dataclass(frozen=True)
class VerifiedWebhook:
    #: The same for every attempt and replay of a delivery: keep it to handle each delivery once.
    id: str
    #: One of the events by its ``kind``, which tells the type of its ``data``. A kind that is newer than this package is passed on as it is.
    event: "WebhookEvent"


@dataclass(frozen=True)
class VerifiedStep:
    #: Id of the step's execution, the same for every attempt.
    delivery: str
    #: The body, None where the step has none.
    body: Any


def verify_webhook(
    payload: Union[str, bytes],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> VerifiedWebhook:
    """
    Verifies a request of a webhook endpoint by Standard Webhooks and reads it. Signatures are compared in constant time.

    :param payload: the body as it arrived, before any JSON parser
    :param secrets: the endpoint's ``whsec_…``; several while they change
    :param tolerance: how far the time of the request may be from now, in seconds
    :param now: the time in seconds. Default: now
    :raises WebhookVerificationError: unless one secret signed exactly this body, id and time, and the time is near
    """
    id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    given = [
        signature
        for version, _, text in (each.partition(",") for each in _header(headers, "webhook-signature").split(" "))
        if version == "v1" and (signature := _base64(text)) is not None
    ]
    _check_time(timestamp, tolerance, now)
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    signed = f"{id}.{timestamp}.".encode() + body
    _check_signature(signed, given, [_webhook_secret(each) for each in _several(secrets)])
    event: WebhookEvent = _json(body)
    return VerifiedWebhook(id, event)


def verify_step(
    payload: Union[str, bytes],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> VerifiedStep:
    """
    Verifies a request of a WEBHOOK step of a workflow, by its header ``X-Postrider-Signature``, and reads it.

    :param payload: the body as it arrived; empty for GET
    :param secrets: the project's webhook secret; several while they change
    :raises WebhookVerificationError: unless one secret signed exactly this body and time, and the time is near
    """
    delivery = _header(headers, "x-postrider-delivery")
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", _header(headers, "x-postrider-signature"))
    if match is None:
        raise WebhookVerificationError("The header x-postrider-signature is malformed")
    _check_time(match.group(1), tolerance, now)
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    signed = f"{match.group(1)}.".encode() + body
    _check_signature(signed, [bytes.fromhex(match.group(2))], [_step_secret(each) for each in _several(secrets)])
    return VerifiedStep(delivery, _json(body) if body else None)


def _several(secrets: Union[str, Sequence[str]]) -> Sequence[str]:
    return [secrets] if isinstance(secrets, str) else secrets


def _check_time(timestamp: str, tolerance: float, now: Optional[float]) -> None:
    at = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or not abs(at - int(timestamp)) <= tolerance:
        raise WebhookVerificationError("The request is too old, or its time is in the future")


def _check_signature(signed: bytes, given: Sequence[bytes], secrets: Iterable[bytes]) -> None:
    """Tries every signature with every secret."""
    for secret in secrets:
        expected = hmac.new(secret, signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, signature) for signature in given):
            return
    raise WebhookVerificationError("No signature of the request is valid for the secret")


def _webhook_secret(secret: str) -> bytes:
    key = _base64(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if not key:
        raise PostriderError("The secret must be that of the webhook endpoint: whsec_ and base64")
    return key


def _step_secret(secret: str) -> bytes:
    # Anybody can sign with an empty one.
    if not secret:
        raise PostriderError("The secret must be the webhook secret of the project")
    return secret.encode()


def _header(headers: Headers, name: str) -> str:
    value = next((value for key, value in headers.items() if str(key).lower() == name), None)
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str) or value == "":
        raise WebhookVerificationError(f"The header {name} is missing")
    return value


def _base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as reason:
        raise WebhookVerificationError("The body is no JSON") from reason
