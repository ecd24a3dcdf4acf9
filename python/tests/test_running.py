"""Interrupts, threads, processes and progress."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support import Row, make_rows

import twinsift
from twinsift import _progress


def interrupted(code: str, tmp_path: Path) -> float:
    """Run code, interrupt it in the middle, and return how long it took to end."""
    script = f"""
        import sys, time, pathlib, twinsift
        tmp = pathlib.Path({str(tmp_path)!r})
        words = [f"w{{n}}" for n in range(3000)]
        def rows():
            for n in range(10**9):
                yield " ".join(words[(n * 7 + k * k) % 3000] for k in range(60))
        print("ready", flush=True)
        try:
            {textwrap.indent(textwrap.dedent(code), " " * 12).strip()}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            sys.exit(3)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 3, rest
    # The clock is that of the machine.
    return float(rest) - started


@pytest.mark.parametrize(
    "code",
    [
        "twinsift.pairs(rows(), tmp=tmp, memory='40M')",
        "twinsift.dedup((row for row in rows()), tmp=tmp)",
        "twinsift.Lexicon.count(rows(), tmp=tmp)",
        """
        alike = [" ".join(words[n % 90 + k] for k in range(40)) + f" {n}" for n in range(20000)]
        twinsift.pairs(alike, k=1, threshold=0.05, tmp=tmp, memory='40M')
        """,
    ],
)
def test_an_interrupt_ends_a_run_soon_and_leaves_nothing(code: str, tmp_path: Path) -> None:
    # A tenth of a second is the rule; a debug build on a busy machine takes its time.
    assert interrupted(code, tmp_path) < 1.0
    assert list(tmp_path.iterdir()) == []


def found(rows: list[Row]) -> int:
    return len(twinsift.pairs(rows, threads=2).pairs)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_runs_in_other_processes(method: str, rows: list[Row]) -> None:
    expected = found(rows)
    context: Any = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(found, [rows, rows, rows]) == [expected] * 3


def test_runs_on_many_threads_at_once(rows: list[Row]) -> None:
    expected = found(rows)
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(found(rows))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 6


def test_other_threads_go_on_while_a_run_works() -> None:
    rows = make_rows(1500)
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    started = time.monotonic()
    twinsift.pairs(rows, k=1, threshold=0.1)
    elapsed = time.monotonic() - started
    done.set()
    thread.join()
    assert ticks > elapsed * 100


def test_a_little_memory_gives_the_same(rows: list[Row], tmp_path: Path) -> None:
    whole = twinsift.pairs(rows, threshold=0.3)
    small = twinsift.pairs(rows, threshold=0.3, memory="1M", tmp=tmp_path, threads=1)
    assert small.pairs == whole.pairs
    assert list(tmp_path.iterdir()) == []


def test_progress_is_shown_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow() -> Any:
        for row in make_rows(30):
            time.sleep(0.02)
            yield row

    twinsift.pairs(slow(), progress=True)
    # Batches are a mebibyte: so few rows are one, and nothing is drawn while they are pulled.
    capsys.readouterr()
    bar = _progress.Bar(True)
    assert bar.tick is not None
    with bar:
        bar.tick("reading", 10, None)
        bar.tick("matching", 5, 20)
    assert "matching" in capsys.readouterr().err


def test_progress_is_not_shown_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _progress.Bar(False).tick is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert not _progress.is_wanted(None)
    assert _progress.is_wanted(True)


def test_the_command_is_in_the_wheel(tmp_path: Path) -> None:
    called = [sys.executable, "-m", "twinsift"]
    done = subprocess.run([*called, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"twinsift {twinsift.__version__}\n"
    script = Path(sys.executable).parent / "twinsift"
    if script.exists():
        done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"twinsift {twinsift.__version__}\n"
    wrong = subprocess.run(
        [*called, "pairs", str(tmp_path / "no")], capture_output=True, check=False
    )
    assert wrong.returncode == 2
    assert os.fspath(tmp_path).encode() in wrong.stderr
