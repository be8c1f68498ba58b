"""`python -m remit.cli`."""

from remit.cli import main

main()
