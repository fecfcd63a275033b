"""What the API takes and answers, as types: ``from postrider.types import SendEmailInput``."""

from .generated.types import *
