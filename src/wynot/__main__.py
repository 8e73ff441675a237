"""`python -m wynot`, and the command `wynot`."""

import sys


def main() -> None:
    """Load what there is, and run it; Ctrl-C may come before all is loaded."""
    try:
        from wynot.cli.main import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        print("wynot: interrupted before there was anything to keep", file=sys.stderr)
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
