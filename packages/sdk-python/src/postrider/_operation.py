from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple


@dataclass(frozen=True)
class Operation:
    """Where an operation of the API is, and what a call must know of it."""

    method: str
    #: Path with parameters as ``{id}``.
    path: str
    #: Query parameters of a request that also has a body.
    query: Tuple[str, ...] = ()
    #: Whether the input is sent as the body. Default: unless the method is GET or DELETE.
    body: Optional[bool] = None
    #: The body is a form with files.
    form: bool = False
    #: The answer is ``{success, data}``, of which callers get ``data``.
    envelope: bool = False
    #: The answer is no JSON: callers get its bytes.
    raw: bool = False
    #: How the pages of a list are requested: ``cursor`` or ``page``.
    list: Optional[str] = None

    @property
    def has_body(self) -> bool:
        return self.method not in ("GET", "DELETE") if self.body is None else self.body
