"""`measure.py SCRIPT ARGUMENTS...`: what a Spark script costs, over all its processes.

Looks at the script and all processes below it ten times a second and prints one line of JSON: the
last line that the script printed, and

- `startup_wall`, `startup_cpu`: seconds until the script signals `started`,
- `wall`, `cpu`: seconds from there until it signals `finished` (or ends, if it never does),
- `cpu_of`: the CPU seconds of the driver's JVM, executors' JVMs, and Python workers, from the start,
- `marks`: wall and CPU seconds from the very start to each signal of the script,
- `peak_executor_bytes`: the most that executor JVMs and their Python workers held together,
- `peak_driver_bytes`: the same for the driver's JVM, with Master and workers of a local cluster,
- `peak_total_bytes`: the same for all processes of the script.

CPU time is user and system time as last seen, so up to a tenth of a second of every process that
ends is missed. Memory is resident memory: pages that forked Python workers share count once for
each of them.
"""

import json
import subprocess
import sys
import threading
import time
from contextlib import suppress

import psutil

INTERVAL = 0.1
PATIENCE = 10
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
DRIVER = "org.apache.spark.deploy.SparkSubmit"


class Tree:
    """A process and all that it has started, directly or not."""

    def __init__(self, pid, others):
        self.mine = {pid: psutil.Process(pid)}
        self.others = set(others)
        self.lock = threading.Lock()
        self.seconds = {}
        self.kinds = {}
        self.peak = {"executor": 0, "driver": 0, "total": 0}

    def sample(self):
        """Looks at every process once."""
        with self.lock:
            self.find()
            held, roles = dict.fromkeys(self.peak, 0), {}
            for process in self.mine.values():
                with suppress(psutil.Error):
                    self.look(process, held, roles)
            self.peak = {part: max(most, held[part]) for part, most in self.peak.items()}

    def look(self, process, held, roles):
        """Notes the time and memory of a process. Python workers belong to their executor."""
        with process.oneshot():
            times, resident = process.cpu_times(), process.memory_info().rss
            role, command = roles.get(process.ppid()), process.cmdline()
        if EXECUTOR in command:
            role = "executor"
        elif role != "executor":
            role = "driver" if DRIVER in command else None
        roles[process.pid] = role
        self.seconds[process] = times.user + times.system
        is_worker = role == "executor" and EXECUTOR not in command
        self.kinds[process] = "python" if is_worker else role or "script"
        for part in filter(None, (role, "total")):
            held[part] += resident

    def find(self):
        """Adds processes that are new and whose parent is one of ours, parents first."""
        alive = set(psutil.pids())
        self.others &= alive
        self.mine = {pid: process for pid, process in self.mine.items() if pid in alive}
        fresh = {}
        for pid in alive - self.others - self.mine.keys():
            with suppress(psutil.Error):
                process = psutil.Process(pid)
                fresh[pid] = (process, process.ppid())
        while found := [pid for pid, (_, parent) in fresh.items() if parent in self.mine]:
            self.mine.update((pid, fresh.pop(pid)[0]) for pid in found)
        self.others |= fresh.keys()

    def seconds_by_kind(self):
        """The CPU seconds of each kind of process."""
        sums = {}
        for process, seconds in self.seconds.items():
            kind = self.kinds[process]
            sums[kind] = round(sums.get(kind, 0.0) + seconds, 2)
        return sums

    def end(self):
        """Waits for processes that outlive the script, and ends those that do not go."""
        _, alive = psutil.wait_procs(list(self.mine.values()), timeout=PATIENCE)
        for process in alive:
            process.kill()


def measure(command):
    """Runs a command; returns its exit code and what was measured."""
    others, begin = psutil.pids(), time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    tree, marks, said = Tree(child.pid, others), {}, [{}]

    def mark(name):
        tree.sample()
        marks[name] = (time.perf_counter() - begin, sum(tree.seconds.values()))

    def listen():
        for line in filter(lambda line: line.startswith("{"), child.stdout):
            found = json.loads(line)
            mark(found["event"]) if "event" in found else said.append(found)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        while child.poll() is None:
            tree.sample()
            time.sleep(INTERVAL)
        mark("end")
    finally:
        tree.end()
        listener.join()
    started, finished = marks.get("started", (0.0, 0.0)), marks.get("finished", marks["end"])
    return child.returncode, {
        "wall": finished[0] - started[0],
        "cpu": finished[1] - started[1],
        "startup_wall": started[0],
        "startup_cpu": started[1],
        "cpu_of": tree.seconds_by_kind(),
        "marks": marks,
        **{f"peak_{part}_bytes": most for part, most in tree.peak.items()},
        **said[-1],
    }


def main():
    code, result = measure([sys.executable, *sys.argv[1:]])
    print(json.dumps({**result, "exit_code": code}))
    sys.exit(code != 0)


if __name__ == "__main__":
    main()
