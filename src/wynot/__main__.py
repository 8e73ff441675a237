"""`python -m wynot`, and the command `wynot`."""

import gc
import io
import sys


def main() -> None:
    """Load what there is, and run it; Ctrl-C may come before all is loaded."""
    try:
        from wynot.cli.main import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        print("wynot: interrupted before there was anything to keep\n  begin again: the same command", file=sys.stderr)
        raise SystemExit(130) from None
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files may have any bytes in them: told as they are
        sys.stdout.reconfigure(errors="surrogateescape")
    try:
        run()
    finally:
        gc.freeze()  # all ends with the process: nobody has to look for what could go before


if __name__ == "__main__":
    main()
