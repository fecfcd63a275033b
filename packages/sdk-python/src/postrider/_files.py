from __future__ import annotations

from typing import Tuple, Union

#: A file of a form: its bytes, or its name with them, or name, bytes and media type.
FileInput = Union[bytes, Tuple[str, bytes], Tuple[str, bytes, str]]
