from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime
from typing import Mapping, Optional

#: Statuses of a server that may answer well a moment later.
_PASSING = frozenset((500, 502, 503, 504))


def is_retriable(status: int, repeatable: bool) -> bool:
    """
    Whether a refused request may be sent again. The API stored nothing of a request that it refused with 429, so any may be repeated; after a
    failure only one that changes nothing twice.
    """
    return status == 429 or (repeatable and status in _PASSING)


def retry_delay(attempt: int, headers: Optional[Mapping[str, str]]) -> float:
    """
    Seconds to wait before the next attempt: what the answer asks for, else a random time that doubles.

    :param attempt: 0 for the first
    """
    given = headers or {}
    asked = given.get("retry-after")
    if asked is None and given.get("ratelimit-remaining") == "0":
        asked = given.get("ratelimit-reset")
    seconds = None if asked is None else _seconds(asked)
    if seconds is not None and seconds >= 0:
        return seconds
    return random.random() * min(8.0, 0.5 * float(1 << min(attempt, 10)))


def _seconds(asked: str) -> Optional[float]:
    """RFC 9110, 10.2.3: seconds, or a date."""
    try:
        return float(asked)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(asked).timestamp() - time.time()
    except ValueError:
        return None
