#!/usr/bin/python3
"""The program is killed at chosen points: at writes, syncs, renames and removals of files while it makes a store, commits
and writes checkpoints, or copies the store. (kill_e2e.py kills at random instants.)

SEED in the environment chooses other points; a failure names its point."""

import json
import os
import random
import shutil
import signal
import subprocess

from harness import PATIENCE, StoreCase, main

POINTS = 30  # of each command
KILL_AT = os.environ["STEPWELL_KILL_AT"]
SEED = int(os.environ.get("SEED", "1"))

SEQUENCE = """metadata: {name: sequence}
workflow:
  - {step: a, tool: &mark {kind: shell, cmd: "echo $STEPWELL_IDEMPOTENCY_KEY >> LOG; echo 1"}, next: b}
  - {step: b, tool: *mark, next: c}
  - {step: c, tool: {kind: artifact, action: put, name: result, value: [1, 2, 3]}, next: d}
  - {step: d, tool: *mark}
output: {last: "{{ d.output.json }}"}
"""

WAITS = """metadata: {name: waits}
workflow: [{step: w, type: wait, signal: go}]
output: "{{ w.output }}"
"""


class KillPoints(StoreCase):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.sequence = self.file("sequence.yaml", SEQUENCE.replace("LOG", str(self.log)))
        self.waits = self.file("waits.yaml", WAITS)

    def make_base(self):
        """A store with something in it, that is copied for every point."""
        self.assertEqual(self.stepwell("run", self.waits, "--id", "waiting").returncode, 4)
        self.must("run", self.sequence, "--id", "before", "--quiet")
        shutil.move(self.store, self.folder / "base")

    def fresh(self, base):
        for path in (self.store, self.folder / "copy"):
            shutil.rmtree(path, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        if base:
            shutil.copytree(self.folder / "base", self.store, ignore=shutil.ignore_patterns("control.sock"))

    def preloaded(self, arguments, **variables):
        return subprocess.run(self.line(arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment | {"LD_PRELOAD": KILL_AT} | variables, cwd=self.folder,
                              timeout=PATIENCE)

    def at_points_of(self, *arguments, base, check):
        """Kills a command at a number of points, each time in a store as it was before, and checks what is left."""
        self.fresh(base)
        count = self.folder / "count"
        ran = self.preloaded(arguments, KILL_COUNT=str(count))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        calls = int(count.read_text())
        killed = 0
        for point in sorted(random.Random(SEED).sample(range(1, calls + 1), min(POINTS, calls))):
            with self.subTest(seed=SEED, point=point, of=calls):
                self.fresh(base)
                ran = self.preloaded(arguments, KILL_AT=str(point))
                # Threads share the work, so one run may need fewer calls than another.
                killed += ran.returncode == -signal.SIGKILL
                check()
        self.assertGreater(killed, min(POINTS, calls) // 2)

    def check_store(self):
        self.must("verify")
        self.must("replay", "--verify")

    def test_while_a_store_is_made(self):
        def check():
            self.must("register", self.waits)
            self.assertEqual([playbook["name"] for playbook in json.loads(self.must("playbooks", "--json"))], ["waits"])
            self.check_store()

        self.at_points_of("register", self.waits, base=False, check=check)

    def test_while_it_commits_and_writes_the_checkpoint_of_the_end(self):
        command = ("run", self.sequence, "--id", "e1", "--quiet")

        def check():
            self.assertEqual(json.loads(self.must(*command)), {"last": 1})
            self.assertEqual(len(set(self.log.read_text().split())), 3)
            self.assertEqual(self.show("before")["status"], "completed")
            self.check_store()
            self.must("signal", "waiting", "go", "7")
            self.assertEqual(json.loads(self.must("resume", "waiting", "--quiet")), 7)

        self.make_base()
        self.at_points_of(*command, base=True, check=check)

    def test_while_it_copies_the_store(self):
        copy = str(self.folder / "copy")

        def check():
            self.check_store()
            # There is a whole copy or none.
            if not os.path.exists(copy):
                self.must("backup", copy)
            self.assertEqual(self.stepwell("verify", store=copy).returncode, 0)
            self.assertEqual(self.stepwell("signal", "waiting", "go", "7", store=copy).returncode, 0)
            self.assertEqual(json.loads(self.stepwell("resume", "waiting", "--quiet", store=copy).stdout), 7)

        self.make_base()
        self.at_points_of("backup", copy, base=True, check=check)


if __name__ == "__main__":
    main()
