"""The typed client of the Postrider API, synchronous and asynchronous."""

from ._batch import BatchResult
from ._call import CallOptions
from ._client import AsyncPostrider, Postrider
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    BatchError,
    BillingLimitError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    PostriderError,
    RateLimitError,
    ValidationError,
    WebhookVerificationError,
)
from ._files import FileInput
from ._listing import AsyncListing, Listing
from ._send import SendResult
from ._track import TrackResult
from ._webhooks import VerifiedStep, VerifiedWebhook, verify_step, verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncListing",
    "AsyncPostrider",
    "AuthenticationError",
    "BatchError",
    "BatchResult",
    "BillingLimitError",
    "CallOptions",
    "ConflictError",
    "FileInput",
    "Listing",
    "NotFoundError",
    "PermissionDeniedError",
    "Postrider",
    "PostriderError",
    "RateLimitError",
    "SendResult",
    "TrackResult",
    "ValidationError",
    "VerifiedStep",
    "VerifiedWebhook",
    "WebhookVerificationError",
    "verify_step",
    "verify_webhook",
]
