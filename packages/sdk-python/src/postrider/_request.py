from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode
from uuid import UUID

import httpx

from ._connection import Connection
from ._errors import PostriderError
from ._operation import Operation


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]
    is_json: bool


def request_of(connection: Connection, operation: Operation, input: Mapping[str, Any]) -> Request:
    """The request of an operation: parameters from the input into path and query, the rest into the body."""
    rest = dict(input)

    def segment(match: "re.Match[str]") -> str:
        name = match.group(1)
        value = rest.pop(name, None)
        if isinstance(value, UUID):
            value = str(value)
        # An empty segment or a dot would address another path.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise PostriderError(f"{name} must be a non-empty string")
        return quote(value, safe="")

    path = re.sub(r"\{(\w+)\}", segment, operation.path)
    headers = {"authorization": f"Bearer {connection.api_key}", "accept": "application/json"}
    if operation.raw:
        headers["accept"] = "*/*"
    content: Optional[bytes] = None
    names = operation.query if operation.has_body else tuple(rest)
    values = [(name, rest.pop(name, None)) for name in names]
    query = urlencode([(name, _text(value)) for name, value in values if value is not None], quote_via=quote)
    if operation.has_body and operation.form:
        headers["content-type"], content = _form(rest)
    elif operation.has_body:
        headers["content-type"] = "application/json"
        content = json_of(rest)
    url = f"{connection.base_url}{path}{'?' if query else ''}{query}"
    return Request(operation.method, url, headers, content, content is not None and not operation.form)


def json_of(value: object) -> bytes:
    try:
        return json.dumps(value, default=_plain, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as reason:
        raise PostriderError(f"The input is no JSON: {reason}") from reason


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"the time {value.isoformat()} has no time zone")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        raise TypeError("a set has no order: use a list")
    if hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    text = json_of(value).decode()
    # A date or an id is a text of its own, without quotation marks.
    return str(json.loads(text)) if text.startswith('"') else text


def _form(fields: Mapping[str, Any]) -> Tuple[str, bytes]:
    files: List[Tuple[str, Any]] = []
    for name, value in fields.items():
        if isinstance(value, (bytes, bytearray)):
            files.append((name, (name, bytes(value))))
        elif isinstance(value, tuple):
            files.append((name, value))
        elif value is not None:
            files.append((name, (None, _text(value))))
    encoded = httpx.Request("POST", "http://localhost", files=files)
    return encoded.headers["content-type"], encoded.read()
