"""`python -m wynot`."""

from wynot.cli.main import main

if __name__ == "__main__":
    main()
