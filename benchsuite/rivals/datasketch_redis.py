"""`datasketch_redis.py CORPUS DOCUMENTS`: datasketch's MinHashLSH in a Redis of its own.

Inserts the first documents of a corpus, asks about some of them, and prints one line of JSON.
Redis runs on a free port of this machine and writes each insertion to disk (`appendfsync always`),
so that what is inserted is durable, as it is in an index of twinsift.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from datasketch import MinHash, MinHashLSH

sys.path.insert(0, str(Path(__file__).parent))
from common import documents, grams  # noqa: E402

ASKED = 2_000
SINGLE = 500


def main():
    corpus, count = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        flags = ["--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
        flags += ["--appendonly", "yes", "--appendfsync", "always"]
        server = subprocess.Popen(["redis-server", *flags], stdout=subprocess.DEVNULL)
        try:
            wait_for(port)
            print(json.dumps(measure(corpus, count, port, Path(folder))))
        finally:
            server.terminate()
            server.wait()


def measure(corpus, count, port, folder):
    storage = {"type": "redis", "basename": b"bench", "redis": {"host": "127.0.0.1", "port": port}}
    index = MinHashLSH(threshold=0.8, num_perm=128, storage_config=storage)
    begin, cpu = time.perf_counter(), time.process_time()
    rows = (row for row, _ in zip(documents(corpus), range(count + SINGLE)))
    sketches = []
    with index.insertion_session() as session:
        for name, words in rows:
            sketch = MinHash(num_perm=128)
            sketch.update_batch([gram.encode() for gram in grams(words)])
            if len(sketches) < count:
                session.insert(str(name), sketch)
            sketches.append((str(name), sketch))
    wall = time.perf_counter() - begin
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    times = []
    for _, sketch in sketches[: count : max(1, count // ASKED)]:
        asked = time.perf_counter()
        index.query(sketch)
        times.append(time.perf_counter() - asked)
    times.sort()
    begin_single = time.perf_counter()
    for name, sketch in sketches[count:]:
        index.insert(name, sketch)
    single = len(sketches[count:]) / max(1e-9, time.perf_counter() - begin_single)
    return {
        "documents": count,
        "build": {"wall_seconds": wall, "user_seconds": time.process_time() - cpu},
        "bytes_each": size / count,
        "answers": {
            "p50_microseconds": times[len(times) // 2] * 1e6,
            "p99_microseconds": times[int(len(times) * 0.99)] * 1e6,
            "durable_adds_per_second": single,
        },
    }


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(port):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("redis-server did not start")


if __name__ == "__main__":
    main()
