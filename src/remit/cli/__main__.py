"""`python -m remit.cli`."""

from ._main import main

main()
