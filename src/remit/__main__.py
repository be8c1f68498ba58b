"""`python -m remit`."""

from remit.cli import main

main()
