from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from ._errors import PostriderError


@dataclass(frozen=True)
class Connection:
    """Where requests go, and how. Times are in seconds."""

    api_key: str
    #: Without a slash at the end.
    base_url: str
    timeout: float
    max_retries: int
    max_retry_delay: float

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[sp]k_[!-~]+", self.api_key or ""):
            raise PostriderError("api_key must be a key of your project: sk_…, or pk_… to track only")
        url = urlsplit(self.base_url or "")
        if url.scheme not in ("http", "https") or not url.hostname:
            raise PostriderError("base_url must be the address of the API, such as https://mail.example.com")
        address = f"{url.scheme}://{url.netloc}{url.path}".rstrip("/")
        object.__setattr__(self, "base_url", address)

    @property
    def is_public(self) -> bool:
        return self.api_key.startswith("pk_")

    def __repr__(self) -> str:
        return f"Connection({self.base_url})"
