#!/usr/bin/env python3
"""Kills the real binary at random instants, again and again, and checks that nothing was lost or repeated.

usage: kill_e2e.py STEPWELL [--kills N] [--executions N] [--seed N]

Each execution marks what it does outside with its idempotency keys, in a file of its own. After all kills it must have
reached the right end, with exactly the keys of its step runs (each at least once: an attempt that was under way when the
process died runs again under the same key), and with one outcome for every run.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

# The output that each playbook comes to, and how many different keys it leaves.
EXPECTED = {
    "sequence": ({"total": 5}, 5),
    "fan_out": ({"total": 28, "looped": 3}, 11),
    "caller": ({"answer": 42, "tries": 2}, 2),
}


class Case:
    def __init__(self, binary, playbooks, place, dice):
        self.binary, self.playbooks, self.place, self.dice = binary, playbooks, place, dice
        self.store = os.path.join(place, "store")
        self.started = set()

    def command(self, *words):
        return [self.binary, *words, "--store", self.store]

    def run(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=120)

    def log(self, execution):
        return os.path.join(self.place, execution + ".log")

    def drive(self, execution):
        """The command that moves an execution on: its start, until that is known to be durable, then resume."""
        if execution in self.started:
            return self.command("resume", execution, "--quiet")
        playbook = os.path.join(self.playbooks, execution.split("-")[0] + ".yaml")
        return self.command("run", playbook, "--id", execution, "--quiet", "-i", "log=" + self.log(execution))

    def kill_once(self, execution):
        process = subprocess.Popen(self.drive(execution), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Short lives mostly: so that they end in recovery, in the first commits and in the checkpoint of the end.
        time.sleep(self.dice.choice([0.005, 0.02, 0.05, 0.1, 0.2]) * self.dice.random() * 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if self.run("show", execution, "--json").returncode == 0:
            self.started.add(execution)

    def finish(self, execution):
        done = subprocess.run(self.drive(execution), capture_output=True, text=True, timeout=120)
        name = execution.split("-")[0]
        output, keys = EXPECTED[name]
        problems = []
        if done.returncode != 0:
            problems.append(f"exit code {done.returncode}: {done.stderr.strip()}")
        elif json.loads(done.stdout) != output:
            problems.append(f"output {done.stdout.strip()} instead of {json.dumps(output)}")
        with open(self.log(execution)) as log:
            found = set(log.read().split())
        if len(found) != keys:
            problems.append(f"{len(found)} different keys instead of {keys}")
        problems += self.check_events(execution)
        return [f"{execution}: {problem}" for problem in problems]

    def check_events(self, execution):
        listed = self.run("events", execution, "--json")
        if listed.returncode != 0:
            return [f"its events cannot be read: {listed.stderr.strip()}"]
        events = [json.loads(line) for line in listed.stdout.splitlines() if line.strip()]
        if len(events) == 1 and isinstance(events[0], list):
            events = events[0]
        problems = []
        if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
            problems.append("its events are not numbered without a gap")
        started = [event["run"] for event in events if event["type"] == "step_started"]
        ended = [event["run"] for event in events if event["type"] in ("step_done", "step_failed", "step_cancelled")]
        if len(set(started)) != len(started) or sorted(started) != sorted(ended):
            problems.append(f"runs started {sorted(started)} and ended {sorted(ended)}")
        return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stepwell")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--executions", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    playbooks = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kill")
    print(f"seed {options.seed}, {options.kills} kills")
    problems = []
    with tempfile.TemporaryDirectory() as place:
        case = Case(options.stepwell, playbooks, place, dice)
        registered = case.run("register", os.path.join(playbooks, "callee.yaml"))
        if registered.returncode != 0:
            sys.exit("cannot register: " + registered.stderr)
        names = sorted(EXPECTED)
        executions = [f"{names[i % len(names)]}-{i}" for i in range(options.executions)]
        for i in range(options.kills):
            case.kill_once(dice.choice(executions))
            if i % 50 == 49:
                print(f"{i + 1} kills, {len(case.started)} executions started", flush=True)
        for execution in executions:
            problems += case.finish(execution)
        for check in (("verify",), ("replay", "--verify")):
            checked = case.run(*check)
            if checked.returncode != 0:
                problems.append(f"stepwell {' '.join(check)}: {checked.stdout.strip()} {checked.stderr.strip()}")
    for problem in problems:
        print(problem)
    print(f"{len(executions)} executions, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
