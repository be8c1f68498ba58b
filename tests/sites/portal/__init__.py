"""Fornitura Adriatica: a small supplier portal to try Remit on. Everything in it is made up.

Run it with `python -m tests.sites.portal --db PATH`; `invoices` and `posts` read its database for checking.
"""

from ._app import PAGE_SIZE, SESSION_COOKIE, create_app
from ._data import COUNTS, DEFAULT_SEED, Invoice
from ._store import Post, Store, invoices, posts

__all__ = [
    "COUNTS",
    "DEFAULT_SEED",
    "PAGE_SIZE",
    "SESSION_COOKIE",
    "Invoice",
    "Post",
    "Store",
    "create_app",
    "invoices",
    "posts",
]
