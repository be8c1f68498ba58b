"""What an executor may do: the capabilities its manifest grants."""

from ._grants import Grants, NotGrantedError

__all__ = ["Grants", "NotGrantedError"]
