"""A study on a Ray cluster: three machines, each a process group of its own on this one."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from study_files import call_sweep, lines_of, random_study

pytest.importorskip("ray", reason="the package ray is not installed (requirements.txt, group test)")

# Three workers of one process each, around a head that runs no cases. One is killed when a third of the cases is done.
CLUSTER = """
import json, os, signal, sys, threading, time
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from footfall.study import sweep

def processes_of(node):
    raylet = node.all_processes["raylet"][0].process.pid
    workers = Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()
    return [raylet, *map(int, workers)]

if __name__ == "__main__":
    study, output = sys.argv[1:]
    soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": soon}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    cluster.wait_for_nodes()
    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    killed_at = []

    def kill_one():
        journal = Path(output) / "journal.jsonl"
        while not journal.exists() or journal.read_bytes().count(b"\\n") < 334:
            time.sleep(0.01)
        for process in processes_of(nodes[1]):
            os.kill(process, signal.SIGKILL)
        killed_at.append(journal.read_bytes().count(b"\\n") - 1)

    killer = threading.Thread(target=kill_one)
    killer.start()
    results = sweep(study, output=output, on="ray")
    killer.join()
    for _ in range(600):
        alive = sum(node["Alive"] for node in ray.nodes())
        if alive == 3:
            break
        time.sleep(0.1)
    print(json.dumps({"rows": len(results.table.rows), "killed_at": killed_at, "alive": alive}))
    ray.shutdown()
    cluster.shutdown()
"""


@pytest.fixture
def cluster_script(tmp_path):
    path = tmp_path / "cluster.py"
    path.write_text(CLUSTER)
    return path


def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(tmp_path, cluster_script):
    study = random_study(tmp_path, 1000, "0.5 s")
    local, cluster = tmp_path / "local", tmp_path / "cluster"
    assert call_sweep(study, "--output", str(local), "-q").returncode == 0
    found = subprocess.run(
        [sys.executable, cluster_script, study, cluster],
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, "RAY_DEDUP_LOGS": "0"},
    )
    assert found.returncode == 0, found.stderr[-3000:]
    told = json.loads(found.stdout.splitlines()[-1])
    assert told["rows"] == 1000
    assert 0 < told["killed_at"][0] < 1000 and told["alive"] == 3, told  # the head and two of three
    assert (cluster / "results.csv").read_bytes() == (local / "results.csv").read_bytes()
    cases = [json.loads(line.split(b" ", 1)[1]).get("case") for line in open(cluster / "journal.jsonl", "rb")][1:]
    assert sorted(cases) == list(range(1000))


def test_the_command_begins_a_cluster_of_its_own_and_goes_on_after_a_kill(tmp_path):
    study = random_study(tmp_path, 300, "0.1 s")
    journal = tmp_path / "study.results" / "journal.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "footfall.study", str(study), "--on", "ray", "-j", "2", "-q"], start_new_session=True
    )
    try:
        while lines_of(journal) < 30:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    kept = lines_of(journal) - 1
    assert 29 <= kept < 300
    assert call_sweep(study, "-q").returncode == 0  # on local processes: where cases run is no part of the study
    assert call_sweep(study, "-q", "--output", str(tmp_path / "whole")).returncode == 0
    assert (tmp_path / "study.results" / "results.csv").read_bytes() == (
        tmp_path / "whole" / "results.csv"
    ).read_bytes()


# A head with a server for clients that are no machines of the cluster, until the end of the input.
SERVED = """
import socket, sys
from ray.cluster_utils import Cluster

if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 2, "include_dashboard": False, "ray_client_server_port": port},
    )
    print(port, flush=True)
    sys.stdin.read()
    cluster.shutdown()
"""


def test_a_client_of_a_cluster_gets_the_same_table(tmp_path):
    pytest.importorskip("grpc", reason="the package grpcio is not installed (requirements.txt, group test)")
    study = random_study(tmp_path, 40)
    assert call_sweep(study, "--output", str(tmp_path / "local"), "-q").returncode == 0
    (tmp_path / "served.py").write_text(SERVED)
    with subprocess.Popen(
        [sys.executable, tmp_path / "served.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as cluster:
        try:
            port = int(cluster.stdout.readline())
            found = call_sweep(study, "--on", f"ray://127.0.0.1:{port}", "-q")
        finally:
            cluster.stdin.close()
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "study.results" / "results.csv").read_bytes() == (tmp_path / "local" / "results.csv").read_bytes()


def test_a_client_without_its_package_says_what_to_install(tmp_path):
    (tmp_path / "grpc.py").write_text("raise ImportError('none here')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    found = call_sweep(random_study(tmp_path, 3), "--on", "ray://127.0.0.1:1", env=environment)
    assert found.returncode == 2 and "hint: pip install 'footfall[ray]'" in found.stderr, found.stderr


def test_a_cluster_that_is_not_there_is_a_clear_error(tmp_path):
    found = call_sweep(
        random_study(tmp_path, 3),
        "--on",
        "ray://127.0.0.1:1",
        env={**os.environ, "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "1"},
    )
    assert found.returncode == 2, found.stderr
    assert "cannot connect to the cluster at ray://127.0.0.1:1" in found.stderr and "Traceback" not in found.stderr
    found = call_sweep(random_study(tmp_path, 3), "--on", "moon")
    assert found.returncode == 2 and "expected local, ray" in found.stderr
