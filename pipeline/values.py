"""Values: a struct with some fields changed, and the type checker looks at these fields.

`msgspec.structs.replace` takes anything, as its types say `Any`. The one of `dataclasses` is
checked field by field, by mypy without a plugin, for structs as well: they are
`dataclass_transform`s. So it is that one for the checker alone.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["replace"]
