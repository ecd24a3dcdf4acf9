"""The command `twinsift`, also as `python -m twinsift`."""

from __future__ import annotations

import signal
import sys

from twinsift._twinsift import command


def main() -> None:
    """Run the command with the arguments of this process, and end the process."""
    # The command removes unfinished outputs itself, and then ends as any program does.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(command(["twinsift", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
